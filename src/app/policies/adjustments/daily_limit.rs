//! Limits the changes and offers of a policy in a day. Each change writes a revision, documents and
//! a letter. Each offer writes a row.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::AppError;
use crate::config::Config;
use crate::domain::time::dates::london_date;
use crate::store::{Direction, Read, tables};

/// Maximum number of changes agreed in one day, and of offers made in one day and not agreed.
const A_DAY: usize = 20;
/// Number of rows to read: all rows of two days, because an offer may be agreed on the next day.
const LOOKED_AT: usize = 4 * A_DAY + 1;

/// The daily limit of changes and offers, on the London day of `now`.
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
    /// Checks whether another change may be agreed today.
    ///
    /// # Errors
    /// The refusal `too_many_changes` if the limit is reached.
    pub(in crate::app) fn require_change(
        &self,
        tx: &impl Read,
        policy: Uuid,
    ) -> Result<(), AppError> {
        let (agreed, _) = self.today(tx, policy)?;
        self.require(agreed, "This policy has been changed 20 times today.")
    }

    /// Checks whether another offer may be made today. Also refuses an offer if no further change may
    /// be agreed today.
    ///
    /// # Errors
    /// The refusal `too_many_changes` if one of the two limits is reached.
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

    /// Returns the number of changes agreed today, and the number of offers made today and not agreed.
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
