//! Lists Stripe's payments and refunds since a moment.

use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uuid::Uuid;

use super::client::StripeClient;
use super::error::StripeError;
use super::intent::{Intent, IntentStatus};
use super::refund::{StripeRefund, StripeRefundStatus};
use crate::domain::money::Pence;
use crate::integrations::payments::answers::{ListedMovement, RefundOrigin};

/// Objects per page of a list.
const PAGE: usize = 100;

#[derive(Deserialize)]
struct Page<T> {
    data: Vec<T>,
    has_more: bool,
}

/// A payment intent with its charge.
#[derive(Deserialize)]
struct ListedIntent {
    #[serde(flatten)]
    intent: Intent,
    #[serde(default)]
    latest_charge: Value,
}

impl ListedIntent {
    fn mailbox(&self) -> Option<String> {
        let address = self.latest_charge.pointer("/billing_details/email")?;
        address.as_str().map(str::to_owned)
    }
}

/// Returns our id of a payment, and its payment intent.
fn names(attempt: Option<Uuid>, intent: Option<&String>) -> Vec<String> {
    let attempt = attempt.map(|id| id.to_string());
    attempt.into_iter().chain(intent.cloned()).collect()
}

impl StripeClient {
    /// Returns the payments that were paid, and the refunds, that were created since `since`.
    ///
    /// # Errors
    /// Fails if Stripe's answer isn't clear.
    pub async fn list_since(
        &self,
        since: DateTime<Utc>,
    ) -> Result<Vec<ListedMovement>, StripeError> {
        let test = if self.is_test() { "test/" } else { "" };
        let page = |kind: &str, id: &str| format!("https://dashboard.stripe.com/{test}{kind}/{id}");
        let id = |listed: &ListedIntent| listed.intent.id.clone();
        let intents = self.list_all("/v1/payment_intents", Some("data.latest_charge"), since, id);
        let mut listed = Vec::new();
        for found in intents.await? {
            if found.intent.status == IntentStatus::Succeeded {
                listed.push(ListedMovement {
                    refund: None,
                    payment_names: names(found.intent.payment(), Some(&found.intent.id)),
                    amount: Pence(found.intent.amount_received),
                    mailbox: found.mailbox(),
                    page: page("payments", &found.intent.id),
                    reference: found.intent.id,
                });
            }
        }
        let id = |refund: &StripeRefund| refund.id.clone();
        let refunds = self.list_all("/v1/refunds", None, since, id).await?;
        let made = refunds.into_iter().filter(|refund| {
            !matches!(
                refund.status,
                StripeRefundStatus::Failed | StripeRefundStatus::Canceled
            )
        });
        listed.extend(made.map(|refund| {
            ListedMovement {
                refund: Some(
                    refund
                        .our_refund()
                        .map_or(RefundOrigin::ByHand, RefundOrigin::Shop),
                ),
                payment_names: names(refund.payment(), refund.payment_intent.as_ref()),
                amount: Pence(refund.amount),
                mailbox: None,
                page: page(
                    "payments",
                    refund.payment_intent.as_deref().unwrap_or_default(),
                ),
                reference: refund.id,
            }
        }));
        Ok(listed)
    }

    async fn list_all<T: DeserializeOwned>(
        &self,
        path: &str,
        expanded: Option<&str>,
        since: DateTime<Utc>,
        id: impl Fn(&T) -> String,
    ) -> Result<Vec<T>, StripeError> {
        let mut all: Vec<T> = Vec::new();
        loop {
            let query = json!({
                "expand": expanded.map(|field| [field]),
                "created": { "gte": since.timestamp() },
                "limit": PAGE,
                "starting_after": all.last().map(&id),
            });
            let page: Page<T> = self.get(path, &query).await?;
            let is_last = !page.has_more || page.data.is_empty();
            all.extend(page.data);
            if is_last {
                return Ok(all);
            }
        }
    }
}
