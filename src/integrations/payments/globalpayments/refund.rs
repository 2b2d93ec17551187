//! Refunds of a payment.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use uuid::Uuid;

use super::client::{GlobalPaymentsClient, in_path};
use super::error::GpError;
use super::transaction::{GpStatus, GpTransaction};
use crate::domain::money::Pence;
use crate::domain::payment::refund::RefundCalls;

/// Time after the first call in which the shop repeats the call with its idempotency key. The provider
/// keeps a key for 24 hours. One hour less allows for a difference between the clocks.
pub(super) const KEY_LIFETIME: TimeDelta = TimeDelta::hours(23);

/// A refund to request.
#[derive(Clone, Debug)]
pub struct GpRefundOrder {
    /// Our refund, which is also the idempotency key.
    pub refund: Uuid,
    /// The refunded payment, `TRN_...`.
    pub transaction: String,
    pub amount: Pence,
}

/// Returns whether a call for a refund is safe. It is safe without an earlier call, or while the provider
/// still has the first call's idempotency key.
///
/// Assumption: a refund can't be found by our id, because the refund call takes no reference.
pub(super) fn is_safe_to_call(requested: Option<RefundCalls>, now: DateTime<Utc>) -> bool {
    requested.is_none_or(|calls| now - calls.first < KEY_LIFETIME)
}

impl GlobalPaymentsClient {
    /// Refunds money of a payment. Within 24 hours, a repeated call returns the state of the first refund.
    ///
    /// # Errors
    /// If the provider refuses the refund, or its answer isn't clear.
    pub async fn refund(&self, order: &GpRefundOrder) -> Result<GpTransaction, GpError> {
        let path = format!("/transactions/{}/refund", in_path(&order.transaction)?);
        let body = json!({ "amount": order.amount.0.to_string() });
        let id = match self.post::<GpTransaction>(&path, &body, order.refund).await {
            // A repeated answer may be older than the refund's state.
            Ok(refund) if is_under_way(refund.status) => refund.id,
            Ok(refund) => return Ok(refund),
            Err(GpError::Duplicate { id: Some(id) }) => id,
            Err(error) => return Err(error),
        };
        // The refund exists, so a failed read must not count as a call that did nothing.
        let refund = self.transaction(&id).await;
        refund.map_err(|error| GpError::Unknown(error.to_string()))
    }
}

const fn is_under_way(status: GpStatus) -> bool {
    matches!(status, GpStatus::Initiated | GpStatus::Pending)
}
