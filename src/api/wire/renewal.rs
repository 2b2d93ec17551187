//! A policy's renewal as it goes over the wire.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::StatusId;
use crate::app::policies::renewal::Comparison;
use crate::domain::money::Pence;
use crate::schema::{RequestSchema, ResponseSchema};

/// A policy's renewal quote in short.
#[derive(Serialize, ResponseSchema)]
pub struct RenewalInfo {
    quote_uuid: Uuid,
    reference: String,
    status_id: StatusId,
    price: Option<Pence>,
    price_last_year: Pence,
    price_new_customer: Option<Pence>,
    starts: NaiveDate,
    holds_until: Option<NaiveDate>,
    /// When the stored card is charged, where it renews by itself.
    charge_on: Option<NaiveDate>,
}

impl From<&Comparison> for RenewalInfo {
    fn from(renewal: &Comparison) -> Self {
        Self {
            quote_uuid: renewal.quote,
            reference: renewal.reference.clone(),
            status_id: StatusId(renewal.status),
            price: renewal.price,
            price_last_year: renewal.price_last_year,
            price_new_customer: renewal.price_new_customer,
            starts: renewal.starts,
            holds_until: renewal.holds_until,
            charge_on: renewal.charge_on,
        }
    }
}

/// Whether the policy renews automatically.
#[derive(Serialize, ResponseSchema)]
pub struct AutoRenew {
    pub(in crate::api) auto_renew: bool,
}

/// Whether a policy is to renew by itself.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct AutoRenewRequest {
    pub(in crate::api) auto_renew: bool,
}
