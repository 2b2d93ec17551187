//! The cancellation of a policy: its reasons, and what is stored of it. `return_premium` has the rule
//! of what comes back.

mod refundable;
pub mod return_premium;
pub(crate) mod scheduled;

pub use refundable::ReturnPremium;
pub use scheduled::{ScheduledCancellation, ScheduledCancellationEvent, ScheduledStatus, apply};

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::domain::time::dates::london_date;

/// Why a customer may say they leave, by id.
pub const REASONS: [(u32, &str); 7] = [
    (1, "I no longer have the vehicle or item"),
    (2, "I found cover elsewhere at a better price"),
    (3, "I have other cover already"),
    (4, "The cover isn't what I need"),
    (5, "I'm not happy with the service"),
    (6, "I bought it by mistake"),
    (7, "Another reason"),
];

/// The reason with an id.
#[must_use]
pub fn reason(id: u32) -> Option<&'static str> {
    let found = REASONS.iter().find(|(candidate, _)| *candidate == id);
    found.map(|(_, title)| *title)
}

/// A policy that was ended early.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cancellation {
    /// Its id on the wire.
    pub id: Uuid,
    /// Id of the reason; none when the policy was not taken up.
    pub reason: Option<u32>,
    /// What else the customer said.
    pub note: Option<String>,
    /// First day without cover: one for a later day ends the cover as this day begins, one for
    /// today at once.
    pub effective: NaiveDate,
    /// When it was asked for; one for today is done then.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub created: DateTime<Utc>,
    /// What comes back.
    pub refund: ReturnPremium,
    /// The agreed change that never comes because of it.
    pub dropped: Option<Uuid>,
}

impl Cancellation {
    /// Whether the cover ended at once, in the course of the day it was asked for, and not as a later
    /// day began.
    #[must_use]
    pub fn is_at_once(&self) -> bool {
        self.effective <= london_date(self.created)
    }
}
