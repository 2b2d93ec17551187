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

/// A change of a policy's answers.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct AdjustmentRequest {
    /// All answers, or only the changed answers. A repeatable dataset must be complete.
    pub(in crate::api) product: SerializedProduct,
    /// The day from which the change counts, from 00:00 in London. It must be one of the policy's
    /// `change_days`. The default is the first of these days.
    pub(in crate::api) effective_date: Option<NaiveDate>,
    /// The vehicles that were looked up, and the customer's answer to each. A price request ignores
    /// `lookups`. The answers of a price request must contain the vehicles' details.
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

/// The result of a change that does not change the price.
#[derive(Serialize, ResponseSchema)]
pub struct PriceKept {
    /// 1 if the change was made, and 0 if the change was refused.
    pub(in crate::api) success: u8,
    /// The reasons of a refusal, by the form's dotted path. A reason without a field has an empty path. Empty
    /// if the change was made.
    pub(in crate::api) errors: BTreeMap<String, Vec<String>>,
}
