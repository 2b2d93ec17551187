//! The cancellation of a policy: the customer's reasons and the stored record. `return_premium`
//! computes the return premium.

mod refundable;
pub mod return_premium;
pub(crate) mod scheduled;

pub use refundable::ReturnPremium;
pub use scheduled::{
    CancellationNotice, ScheduledCancellation, ScheduledCancellationEvent, ScheduledStatus, apply,
};

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

/// The shop's reason: the monthly plan was not paid.
pub const NOT_PAID: u32 = 100;

/// The shop's reason: the customer's bank took a payment back.
pub const LOST_DISPUTE: u32 = 101;

/// The shop's reason: fraud.
pub const FRAUD: u32 = 102;

/// The shop's reasons to cancel, by id.
const SHOP_REASONS: [(u32, &str); 3] = [
    (NOT_PAID, "Payments that were due were not made"),
    (
        LOST_DISPUTE,
        "Your bank took back a payment for this policy",
    ),
    (
        FRAUD,
        "We believe that what we were told about this policy is not true",
    ),
];

/// Returns the reason with this id, or `None` for an unknown id.
#[must_use]
pub fn reason(id: u32) -> Option<&'static str> {
    let mut reasons = REASONS.iter().chain(&SHOP_REASONS);
    let found = reasons.find(|(candidate, _)| *candidate == id);
    found.map(|(_, title)| *title)
}

/// Returns whether the shop cancels for the reason with this id.
#[must_use]
pub fn is_shop_reason(id: u32) -> bool {
    SHOP_REASONS.iter().any(|(own, _)| *own == id)
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
