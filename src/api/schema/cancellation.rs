//! JSON schemas of a policy's early end and its refund.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::app::payments::RefundInfo;
use crate::app::policies::adjustments::Offered;
use crate::domain::quote::StatusId;
use crate::json_schema::{RequestSchema, ResponseSchema, or_default};

/// A policy that was not taken up, or a change that was withdrawn.
#[derive(Serialize, ResponseSchema)]
pub struct NotTakenUp {
    /// The policy's status.
    pub(in crate::api) status_id: StatusId,
    /// The refund. The amount is 0 if nothing is refunded.
    pub(in crate::api) refund: RefundInfo,
    /// The withdrawn change. Null if the policy was not taken up.
    pub(in crate::api) adjustment: Option<Offered>,
}

/// A reason to cancel.
#[derive(Serialize, ResponseSchema)]
pub struct ReasonInfo {
    pub(in crate::api) id: u32,
    pub(in crate::api) title: &'static str,
}

/// A customer's request to cancel a policy.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct ActivityRequest {
    /// Always `cancellation`. Every other value gets a 422.
    #[serde(rename = "type")]
    pub(in crate::api) kind: String,
    pub(in crate::api) policy_uuid: String,
    /// The id of a reason from `GET /api/v1/policy/reasons/cancellation`. A missing or unknown id gets a 422.
    pub(in crate::api) reason_id: Option<u32>,
    /// The day on which the cover ends. Today, the default, ends the cover at once. A later day must be one
    /// of the policy's `cancel_days`. The cover then ends at 00:00 of that day in London.
    pub(in crate::api) effective_date: Option<NaiveDate>,
    /// A note in the customer's words, at most 1,000 characters.
    pub(in crate::api) note: Option<String>,
    /// True returns the refund and changes nothing.
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) preview: bool,
}
