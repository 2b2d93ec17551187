//! Refunds.

use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::client::StripeClient;
use super::error::StripeError;
use super::intent::{Metadata, OUR_PAYMENT, null_as_default, our_id};
use crate::domain::money::Pence;

/// Name of the metadata that holds our refund.
const OUR_REFUND: &str = "layby_refund";
/// Fresh keys that are tried, each after a look that found nothing.
const KEYS: u32 = 3;
/// Refunds on a page of a list, and how many pages are looked through.
const PAGE: usize = 100;
const PAGES: usize = 50;

/// What is to go back.
#[derive(Clone, Debug)]
pub struct RefundOrder {
    /// Our refund.
    pub refund: Uuid,
    /// Our attempt that it goes back to.
    pub payment: Uuid,
    /// Stripe's payment, `pi_...`
    pub intent: String,
    /// Pence.
    pub amount: Pence,
}

/// Where a refund stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StripeRefundStatus {
    /// On its way.
    Pending,
    /// The customer has to do something.
    RequiresAction,
    /// Given back. It may still fail, up to 30 days later.
    Succeeded,
    /// The bank didn't take it.
    Failed,
    /// Taken back before it was sent.
    Canceled,
    /// One that we don't know, or none.
    #[default]
    #[serde(other)]
    Other,
}

/// A refund.
#[derive(Clone, Debug, Deserialize)]
pub struct StripeRefund {
    /// `re_...`
    pub id: String,
    /// Pence.
    pub amount: i64,
    /// In small letters.
    pub currency: String,
    /// Where it stands.
    #[serde(default, deserialize_with = "null_as_default")]
    pub status: StripeRefundStatus,
    /// Stripe's word for why it failed.
    #[serde(default)]
    pub failure_reason: Option<String>,
    /// The payment, `pi_...`
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
    /// Our attempt that it goes back to.
    #[must_use]
    pub fn payment(&self) -> Option<Uuid> {
        our_id(self.metadata.as_ref()?, OUR_PAYMENT)
    }

    /// Our refund; none where somebody refunded at Stripe by hand.
    #[must_use]
    pub fn our_refund(&self) -> Option<Uuid> {
        our_id(self.metadata.as_ref()?, OUR_REFUND)
    }
}

impl StripeClient {
    /// Refunds once within a day, however often this is called. Stripe forgets an idempotency key after
    /// a day: before that, and so before each call, the caller looks the refund up.
    ///
    /// # Errors
    /// [`StripeError::Refused`] when it can't be refunded, or when Stripe isn't clear.
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

    /// Our refund of a payment, if Stripe has it.
    ///
    /// # Errors
    /// When Stripe isn't clear.
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
