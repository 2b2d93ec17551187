//! Stripe's refunds.

use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::client::StripeClient;
use super::error::StripeError;
use super::intent::{Metadata, OUR_PAYMENT, null_as_default, our_id};
use crate::domain::money::Pence;

/// Metadata key of our refund.
const OUR_REFUND: &str = "layby_refund";
/// Maximum number of idempotency keys to try. Each further key follows a look-up that found
/// nothing.
const KEYS: u32 = 3;
/// Refunds per page of a list, and the maximum number of pages to read.
const PAGE: usize = 100;
const PAGES: usize = 50;

/// A refund to request.
#[derive(Clone, Debug)]
pub struct StripeRefundOrder {
    /// Our id of the refund.
    pub refund: Uuid,
    /// Our id of the refunded attempt.
    pub payment: Uuid,
    /// Stripe's payment intent, `pi_...`.
    pub intent: String,
    /// Amount in pence.
    pub amount: Pence,
}

/// A refund's status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StripeRefundStatus {
    /// The refund is in progress.
    Pending,
    /// The customer must act.
    RequiresAction,
    /// The refund was made. It may still fail, up to 30 days later.
    Succeeded,
    /// The bank refused the refund.
    Failed,
    /// The refund was withdrawn before it was sent.
    Canceled,
    /// An unknown status, or no status.
    #[default]
    #[serde(other)]
    Other,
}

#[derive(Clone, Debug, Deserialize)]
pub struct StripeRefund {
    /// `re_...`
    pub id: String,
    /// Amount in pence.
    pub amount: i64,
    /// Currency, in lower case.
    pub currency: String,
    #[serde(default, deserialize_with = "null_as_default")]
    pub status: StripeRefundStatus,
    /// Stripe's code for the failure.
    #[serde(default)]
    pub failure_reason: Option<String>,
    /// The payment intent, `pi_...`.
    #[serde(default)]
    pub payment_intent: Option<String>,
    #[serde(default)]
    metadata: Option<Metadata>,
}

#[derive(Debug, Deserialize)]
struct RefundList {
    data: Vec<StripeRefund>,
    has_more: bool,
}

impl StripeRefund {
    /// Returns our id of the refunded attempt, or `None` if Stripe's refund has none.
    #[must_use]
    pub fn payment(&self) -> Option<Uuid> {
        our_id(self.metadata.as_ref()?, OUR_PAYMENT)
    }

    /// Returns our id of the refund, or `None` for a refund by hand at Stripe.
    #[must_use]
    pub fn our_refund(&self) -> Option<Uuid> {
        our_id(self.metadata.as_ref()?, OUR_REFUND)
    }
}

impl StripeClient {
    /// Makes a refund. Repeated calls within a day make one refund. Stripe may forget an idempotency
    /// key after a day. So the caller must look up the refund before each call.
    ///
    /// # Errors
    /// Returns [`StripeError::Refused`] if Stripe can't make the refund, and other errors if its
    /// answer isn't clear.
    pub async fn refund(&self, order: &StripeRefundOrder) -> Result<StripeRefund, StripeError> {
        let parameters = json!({
            "payment_intent": order.intent,
            "amount": order.amount.0,
            "reason": "requested_by_customer",
            "metadata": { OUR_REFUND: order.refund, OUR_PAYMENT: order.payment },
        });
        let mut spent = None;
        for number in 1..=KEYS {
            let key = format!("layby-refund-{}-{number}", order.refund);
            match self.post("/v1/refunds", &parameters, &key).await {
                Err(error @ StripeError::KeySpent(_)) => {
                    if let Some(found) = self.find_refund(&order.intent, order.refund).await? {
                        return Ok(found);
                    }
                    spent = Some(error);
                }
                answer => return answer,
            }
        }
        Err(spent.unwrap_or_else(|| StripeError::Unknown("no key was tried".to_owned())))
    }

    /// Returns our refund of a payment, or `None` if Stripe does not have it.
    ///
    /// # Errors
    /// Fails if Stripe's answer isn't clear, or the payment has too many refunds.
    pub async fn find_refund(
        &self,
        intent: &str,
        refund: Uuid,
    ) -> Result<Option<StripeRefund>, StripeError> {
        let mut after: Option<String> = None;
        for _ in 0..PAGES {
            let query = json!({ "payment_intent": intent, "limit": PAGE, "starting_after": after });
            let list: RefundList = self.get("/v1/refunds", &query).await?;
            after = list.data.last().map(|last| last.id.clone());
            let mut own = list
                .data
                .into_iter()
                .filter(|one| one.our_refund() == Some(refund));
            if let Some(found) = own.next() {
                return Ok(Some(found));
            }
            if !list.has_more || after.is_none() {
                return Ok(None);
            }
        }
        Err(StripeError::Unknown(
            "there are too many refunds to look through".to_owned(),
        ))
    }
}
