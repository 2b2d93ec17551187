//! A person's resolution of an item, for `layby resolve`.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::app::AppError;
use crate::domain::payment::PaymentWay;
use crate::domain::payment::dispute::DisputeResult;
use crate::domain::payment::refund::{RefundFinding, RefundMethod};
use crate::domain::time::dates::{format_long, london_date};

/// How a person resolved a refund or a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ResolutionWay {
    /// How the customer got a refund.
    Refund(RefundMethod),
    /// Whether the gateway made an unconfirmed refund.
    Lookup(RefundFinding),
    /// How an unresolved payment ended.
    Payment(PaymentWay),
    /// How a dispute ended.
    Dispute(DisputeResult),
    /// A person followed up a message, a second payment or a refund by hand at the gateway.
    Message,
    /// The customer paid what is due of a plan by bank transfer.
    PlanPayment,
}

/// A person's resolution of one item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolution {
    /// The id of the item, as the list of unresolved items shows the id.
    pub id: Uuid,
    /// How the item ended. For a payout line, every `Refund` way is valid and has the same effect. All other
    /// ways are invalid.
    pub method: ResolutionWay,
    /// The person who records the resolution.
    pub by: String,
    /// The reason, and the reference of a bank transfer.
    pub why: String,
}

/// Returns a sentence about an earlier record, such as `it was closed on 2 June 2026 by Jo: paid`.
pub(super) fn format_record(what: &str, moment: DateTime<Utc>, by: &str, why: &str) -> String {
    format!(
        "{what} on {} by {by}: {why}",
        format_long(london_date(moment))
    )
}

pub(super) fn refusal(why: String) -> AppError {
    AppError::Malformed(why)
}
