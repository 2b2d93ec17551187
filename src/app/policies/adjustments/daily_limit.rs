//! How often a policy is changed in a day: each change is a revision, documents and a letter, and each
//! offer a row.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::AppError;
use crate::config::Config;
use crate::domain::time::dates::london_date;
use crate::store::{Direction, Read, tables};

/// Changes that may be agreed on one day, and offers made on it that were not agreed to.
const A_DAY: usize = 20;
/// How far back the changes are looked at: all of two days, as an offer may be agreed to on the day
/// after.
const LOOKED_AT: usize = 4 * A_DAY + 1;

/// Whether a policy may be changed once more today.
#[derive(Clone)]
pub(in crate::app) struct DailyChangeLimit {
    phone: String,
    now: DateTime<Utc>,
}

pub(in crate::app) fn daily_change_limit(config: &Config, now: DateTime<Utc>) -> DailyChangeLimit {
    let phone = config.site.phone.clone();
    DailyChangeLimit { phone, now }
}

impl DailyChangeLimit {
    /// Refuses another change to be agreed.
    ///
    /// # Errors
    /// The refusal, `too_many_changes`.
    pub(in crate::app) fn require_change(
        &self,
        tx: &impl Read,
        policy: Uuid,
    ) -> Result<(), AppError> {
        let (agreed, _) = self.today(tx, policy)?;
        self.require(agreed, "This policy has been changed 20 times today.")
    }

    /// Refuses another offer, also where it could not be agreed to today.
    ///
    /// # Errors
    /// The refusal, `too_many_changes`.
    pub(in crate::app) fn require_offer(
        &self,
        tx: &impl Read,
        policy: Uuid,
    ) -> Result<(), AppError> {
        let (agreed, offered) = self.today(tx, policy)?;
        self.require(agreed, "This policy has been changed 20 times today.")?;
        let why = "You have asked for 20 prices for this policy today.";
        self.require(offered, why)
    }

    fn require(&self, number: usize, why: &str) -> Result<(), AppError> {
        if number < A_DAY {
            return Ok(());
        }
        let phone = &self.phone;
        let message = format!("{why} Please come back tomorrow, or call us on {phone}.");
        Err(AppError::rule("too_many_changes", message))
    }

    /// The changes that were agreed today, and the offers made today that were not.
    fn today(&self, tx: &impl Read, policy: Uuid) -> Result<(usize, usize), AppError> {
        let today = london_date(self.now);
        let (mut agreed, mut offered) = (0, 0);
        let index = &tables::ADJUSTMENT_BY_POLICY;
        for ((_, id), ()) in index.list(tx, &policy, Direction::Backward, LOOKED_AT)? {
            let Some(change) = tables::ADJUSTMENTS.get(tx, &id)? else {
                continue;
            };
            match change.agreed {
                Some(agreed_at) => agreed += usize::from(london_date(agreed_at) == today),
                None => offered += usize::from(london_date(change.created) == today),
            }
        }
        Ok((agreed, offered))
    }
}
