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
/// Number of fresh keys to try, each after a look-up that found nothing.
const KEYS: u32 = 3;
/// Refunds per page of a list, and most pages to read.
const PAGE: usize = 100;
const PAGES: usize = 50;

/// A refund to request.
#[derive(Clone, Debug)]
pub struct RefundOrder {
    /// Our refund.
    pub refund: Uuid,
    /// Our attempt that is refunded.
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
    /// In progress.
    Pending,
    /// The customer must act.
    RequiresAction,
    /// Refunded. It may still fail, up to 30 days later.
    Succeeded,
    /// The bank refused it.
    Failed,
    /// Withdrawn before it was sent.
    Canceled,
    /// An unknown status, or none.
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
    /// Stripe's code for its failure.
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
    /// Returns our attempt that is refunded.
    #[must_use]
    pub fn payment(&self) -> Option<Uuid> {
        our_id(self.metadata.as_ref()?, OUR_PAYMENT)
    }

    /// Returns our refund. `None` for a refund by hand at Stripe.
    #[must_use]
    pub fn our_refund(&self) -> Option<Uuid> {
        our_id(self.metadata.as_ref()?, OUR_REFUND)
    }
}

impl StripeClient {
    /// Makes a refund, once within a day however often this is called. Stripe forgets an idempotency key
    /// after a day. So the caller looks the refund up before each call.
    ///
    /// # Errors
    /// [`StripeError::Refused`] when it can't be refunded. Other errors when Stripe's answer isn't clear.
    pub async fn refund(&self, order: &RefundOrder) -> Result<StripeRefund, StripeError> {
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

    /// Returns our refund of a payment, if Stripe has it.
    ///
    /// # Errors
    /// When Stripe's answer isn't clear.
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
