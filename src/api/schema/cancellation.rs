//! JSON schemas of a policy's early end and its refund.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::app::payments::RefundInfo;
use crate::app::policies::adjustments::Offered;
use crate::domain::quote::StatusId;
use crate::json_schema::{RequestSchema, ResponseSchema, or_default};

/// The result: a policy that was not taken up, or a change that was withdrawn.
#[derive(Serialize, ResponseSchema)]
pub struct NotTakenUp {
    /// The policy's status.
    pub(in crate::api) status_id: StatusId,
    /// The refund.
    pub(in crate::api) refund: RefundInfo,
    /// The change that was dropped or withdrawn; null where the policy was not taken up.
    pub(in crate::api) adjustment: Option<Offered>,
}

/// A reason to cancel.
#[derive(Serialize, ResponseSchema)]
pub struct ReasonInfo {
    pub(in crate::api) id: u32,
    pub(in crate::api) title: &'static str,
}

/// Something a customer asks for a policy.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct ActivityRequest {
    /// `cancellation`.
    #[serde(rename = "type")]
    pub(in crate::api) kind: String,
    pub(in crate::api) policy_uuid: String,
    pub(in crate::api) reason_id: Option<u32>,
    /// First day without cover. Today ends the cover at once. A day of the policy's `cancel_days` ends it
    /// as this day begins in London. The default is today.
    pub(in crate::api) effective_date: Option<NaiveDate>,
    pub(in crate::api) note: Option<String>,
    /// True to see the refund; nothing changes.
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) preview: bool,
}
