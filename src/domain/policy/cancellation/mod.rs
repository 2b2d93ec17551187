//! The cancellation of a policy: the customer's reasons and the stored record. `return_premium`
//! computes the return premium.

mod refundable;
pub mod return_premium;
pub(crate) mod scheduled;

pub use refundable::ReturnPremium;
pub use scheduled::{ScheduledCancellation, ScheduledCancellationEvent, ScheduledStatus, apply};

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::domain::time::dates::london_date;

/// The customer's reasons to cancel, by id.
pub const REASONS: [(u32, &str); 7] = [
    (1, "I no longer have the vehicle or item"),
    (2, "I found cover elsewhere at a better price"),
    (3, "I have other cover already"),
    (4, "The cover isn't what I need"),
    (5, "I'm not happy with the service"),
    (6, "I bought it by mistake"),
    (7, "Another reason"),
];

/// The id of our own reason: the monthly plan was not paid.
pub const NOT_PAID: u32 = 100;

/// Returns the reason with this id, or `None` for an unknown id.
#[must_use]
pub fn reason(id: u32) -> Option<&'static str> {
    if id == NOT_PAID {
        return Some("Payments that were due were not made");
    }
    let found = REASONS.iter().find(|(candidate, _)| *candidate == id);
    found.map(|(_, title)| *title)
}

/// The early end of a policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cancellation {
    /// The cancellation's id in the API.
    pub id: Uuid,
    /// The reason's id, or `None` if the policy was not taken up.
    pub reason: Option<u32>,
    /// The customer's note.
    pub note: Option<String>,
    /// The first day without cover. A cancellation for a later day ends the cover at the start of
    /// this day. A cancellation for the day of the request ends the cover at once.
    pub effective: NaiveDate,
    /// When the cancellation was requested. A cancellation for the day of the request takes effect
    /// at this moment.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub created: DateTime<Utc>,
    /// The return premium.
    pub refund: ReturnPremium,
    /// The agreed change that the cancellation dropped.
    pub dropped: Option<Uuid>,
}

impl Cancellation {
    /// Returns whether the cover ended at once on the day of the request. Other cancellations end the
    /// cover at the start of a later day.
    #[must_use]
    pub fn is_at_once(&self) -> bool {
        self.effective <= london_date(self.created)
    }
}
