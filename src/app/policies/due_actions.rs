//! What is agreed for a day that has come: a change comes into force, and a cancellation is carried
//! out. The daily round does it as the day begins, and every call that acts on a policy does it
//! first, so that nobody acts on a policy as it was yesterday.

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use crate::app::policies::PolicyContext;
use crate::app::policies::adjustments::come_into_force;
use crate::app::policies::cancellations::{LaterEnd, RefundBasis, carry_out};
use crate::app::{App, AppError};
use crate::domain::policy::Coming;
use crate::domain::policy::adjustment::Adjustment;
use crate::domain::quote::QuoteStatus;
use crate::domain::quote::registrations::registrations;
use crate::domain::time::dates::london_date;
use crate::store::{Read, WriteTx, tables};

/// How often a policy is read again: it has a change and a cancellation, and somebody else may act on
/// it between reading and writing.
const AT_MOST: u32 = 10;

/// What has come on a policy, with what doing it needs.
#[derive(Clone)]
enum HasCome {
    Change(Box<Adjustment>, Vec<String>),
    End(Box<LaterEnd>),
}

impl App {
    /// Does what is agreed for a policy up to today, the earlier first, each as of its own day.
    ///
    /// # Errors
    /// When the policy can't be read, or the store fails.
    pub(in crate::app) async fn do_what_has_come(&self, policy: Uuid) -> Result<(), AppError> {
        for _ in 0..AT_MOST {
            let now = self.clock.now();
            let due = self.store.read(|tx| self.has_come(tx, policy, now)).await?;
            let Some(due) = due else {
                return Ok(());
            };
            self.store
                .write(move |tx| do_one(tx, policy, due.clone(), now))
                .await?;
            self.work_added.notify_one();
        }
        Err(AppError::Internal(
            "what is agreed for a policy can't be done".into(),
        ))
    }

    fn has_come(
        &self,
        tx: &impl Read,
        uuid: Uuid,
        now: DateTime<Utc>,
    ) -> Result<Option<HasCome>, AppError> {
        let today = london_date(now);
        let Some(policy) = tables::POLICIES.get(tx, &uuid)? else {
            return Ok(None);
        };
        let (change, end) = (
            due(policy.coming_change, today),
            due(policy.coming_end, today),
        );
        if change.is_none() && end.is_none() {
            return Ok(None);
        }
        let context = self.policy_unchecked(tx, uuid)?;
        if context.quote.status != QuoteStatus::Live {
            return Ok(None);
        }
        // A change never comes on the day of a cancellation or after it.
        match (change, end) {
            (Some(_), _) => Ok(change_of(&context)),
            (None, Some(end)) => {
                let later = tables::LATER_CANCELLATIONS.get(tx, &end.id)?;
                let later = later.ok_or(AppError::NotFound)?;
                let basis = RefundBasis::of(tx, &context)?;
                Ok(Some(HasCome::End(Box::new(LaterEnd { later, basis }))))
            }
            (None, None) => Ok(None),
        }
    }
}

fn due(coming: Option<Coming>, today: NaiveDate) -> Option<Coming> {
    coming.filter(|coming| coming.on <= today)
}

fn change_of(context: &PolicyContext) -> Option<HasCome> {
    let change = context.coming.clone()?;
    let registrations = registrations(&context.product, &change.answers);
    Some(HasCome::Change(Box::new(change), registrations))
}

fn do_one(
    tx: &mut WriteTx<'_>,
    uuid: Uuid,
    due: HasCome,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let quote = tables::QUOTES.get(tx, &uuid)?;
    let Some((quote, policy)) = quote.zip(tables::POLICIES.get(tx, &uuid)?) else {
        return Err(AppError::NotFound);
    };
    if quote.status != QuoteStatus::Live {
        return Ok(());
    }
    match due {
        HasCome::Change(change, registrations) => {
            let still = policy
                .coming_change
                .is_some_and(|coming| coming.id == change.id);
            if still {
                come_into_force(tx, (quote, policy), *change, &registrations, now)?;
            }
            Ok(())
        }
        HasCome::End(end) => carry_out(tx, (quote, policy), *end, now),
    }
}
