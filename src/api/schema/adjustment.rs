//! JSON schemas of policy changes.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::answers::SerializedProduct;
use crate::app::payments::RefundInfo;
use crate::app::policies::adjustments::WishedChange;
use crate::domain::quote::lookup::LookupRef;
use crate::json_schema::{RequestSchema, ResponseSchema};

/// Answers to be changed.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct AdjustmentRequest {
    /// All answers, or only the changed ones; a repeatable dataset whole.
    pub(in crate::api) product: SerializedProduct,
    /// The day it counts from, from 00:00 in London: a day of the policy's `change_days`. If it is
    /// left out, the first of them is used.
    pub(in crate::api) effective_date: Option<NaiveDate>,
    /// The vehicles that were looked up, and the customer's answer to each. A price request ignores them,
    /// so its answers must contain their details.
    pub(in crate::api) lookups: Option<Vec<LookupRef>>,
}

impl AdjustmentRequest {
    /// Returns the change that the customer asks for.
    pub(in crate::api) fn into_change(self) -> WishedChange {
        WishedChange {
            answers: self.product.answers(),
            effective: self.effective_date,
            lookups: self.lookups.unwrap_or_default(),
        }
    }
}

/// A change that was offered.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct AdjustmentId {
    pub(in crate::api) adjustment_id: String,
}

/// The refund of a change.
#[derive(Serialize, ResponseSchema)]
pub struct DecreaseInfo {
    pub(in crate::api) adjustment_id: Uuid,
    pub(in crate::api) refund: RefundInfo,
}

/// Whether a change was made that doesn't move the price.
#[derive(Serialize, ResponseSchema)]
pub struct PriceKept {
    /// 1 when it was made, and 0 when it was not.
    pub(in crate::api) success: u8,
    pub(in crate::api) errors: BTreeMap<String, Vec<String>>,
}
