//! The payments of a plan that stop when its policy ends.

use chrono::NaiveDate;
use serde::Serialize;
use uuid::Uuid;

use crate::app::AppError;
use crate::domain::money::Pence;
use crate::json_schema::ResponseSchema;
use crate::store::{Read, tables};

/// The payments of a plan that are not collected any more.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
pub struct StoppedPayments {
    pub(in crate::app) count: u32,
    /// Their sum, in pounds.
    pub(in crate::app) total: Pence,
    /// The day of the last one. Null if there is none.
    last_day: Option<NaiveDate>,
}

impl StoppedPayments {
    /// Returns the payments that stop. With a scheduled end `ends_on`, those that are due before it do not stop.
    /// Returns `None` for a policy without a plan.
    pub(in crate::app) fn load(
        tx: &impl Read,
        policy: Uuid,
        ends_on: Option<NaiveDate>,
    ) -> Result<Option<Self>, AppError> {
        let Some(plan) = tables::PLANS.get(tx, &policy)? else {
            return Ok(None);
        };
        let stops = plan
            .instalments
            .iter()
            .filter(|own| own.is_unpaid() && ends_on.is_none_or(|end| end <= own.due));
        let mut stopped = Self {
            count: 0,
            total: Pence::ZERO,
            last_day: None,
        };
        for own in stops {
            stopped.count += 1;
            stopped.total += own.amount;
            stopped.last_day = Some(own.due);
        }
        Ok(Some(stopped))
    }
}
