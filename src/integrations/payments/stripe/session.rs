//! Checkout Sessions: Stripe's page for one attempt to pay.

use chrono::{DateTime, Duration, Utc};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::client::{StripeClient, in_path};
use super::error::StripeError;
use super::intent::{
    Expandable, Intent, IntentStatus, Metadata, OUR_PAYMENT, null_as_default, our_id,
};
use crate::domain::money::Pence;

/// The only currency of the shop.
pub(super) const CURRENCY: &str = "gbp";
/// How long Stripe repeats the answer to an idempotency key: a day at least. An hour is left for
/// clocks that differ.
pub(super) const KEY_LIVES: Duration = Duration::hours(23);
/// Fresh keys that are tried, each after a look that found nothing.
const KEYS: u32 = 3;
/// What a session can do without: an address that Stripe doesn't take is asked for on its page, and by a
/// clock that ours differs much from the session ends after Stripe's own time.
const SPARE: [&str; 2] = ["customer_email", "expires_at"];
/// Sessions on a page of a list, and how many pages are looked through.
const PAGE: usize = 100;
const PAGES: usize = 50;

/// What a customer is to pay.
#[derive(Clone, Debug)]
pub struct CheckoutRequest {
    /// Our attempt.
    pub payment: Uuid,
    /// When it was written down.
    pub begun: DateTime<Utc>,
    /// Pence.
    pub amount: Pence,
    /// What is paid for, as the customer reads it.
    pub description: String,
    /// Where Stripe's receipt goes.
    pub email: Option<String>,
    /// Where the customer comes back to.
    pub success_url: String,
    /// Where the customer comes back to without having paid.
    pub cancel_url: String,
}

/// Where a session stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionStatus {
    /// It can be paid.
    Open,
    /// The customer has been through it.
    Complete,
    /// It can't be paid any more.
    Expired,
    /// One that we don't know, or none.
    #[default]
    #[serde(other)]
    Other,
}

/// Whether a session is paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Settled {
    /// It is.
    Paid,
    /// It isn't, or not yet.
    Unpaid,
    /// One that our sessions don't have.
    #[serde(other)]
    Other,
}

/// A session.
#[derive(Clone, Debug, Deserialize)]
pub struct CheckoutSession {
    /// `cs_...`
    pub id: String,
    /// Where it stands.
    #[serde(default, deserialize_with = "null_as_default")]
    pub status: SessionStatus,
    /// Whether it is paid.
    pub payment_status: Settled,
    /// What is to be paid, pence.
    pub amount_total: Option<i64>,
    /// In small letters.
    pub currency: Option<String>,
    /// Our attempt.
    pub client_reference_id: Option<String>,
    #[serde(default)]
    metadata: Option<Metadata>,
    /// Whether it is about real money.
    pub livemode: bool,
    /// Where the customer pays, while it is open.
    pub url: Option<String>,
    /// The payment itself, from when the customer first tries.
    #[serde(default)]
    payment_intent: Option<Expandable>,
}

#[derive(Debug, Deserialize)]
struct SessionList {
    data: Vec<CheckoutSession>,
    has_more: bool,
}

impl CheckoutSession {
    /// Our attempt that it is for.
    #[must_use]
    pub fn payment(&self) -> Option<Uuid> {
        let reference = self.client_reference_id.as_deref();
        let reference = reference.and_then(|text| text.parse().ok());
        reference.or_else(|| our_id(self.metadata.as_ref()?, OUR_PAYMENT))
    }

    /// `pi_...`
    #[must_use]
    pub fn intent_id(&self) -> Option<&str> {
        self.payment_intent.as_ref().map(Expandable::id)
    }

    /// The payment, where it was asked for in whole.
    #[must_use]
    pub fn intent(&self) -> Option<&Intent> {
        self.payment_intent.as_ref().and_then(Expandable::whole)
    }

    /// What was paid, pence: what its payment received, where that was asked for, else what was to be
    /// paid.
    #[must_use]
    pub fn received(&self) -> Option<i64> {
        let intent = self.intent();
        let succeeded = intent.filter(|intent| intent.status == IntentStatus::Succeeded);
        succeeded
            .map(|intent| intent.amount_received)
            .or(self.amount_total)
    }

    /// Whether the payment is at the bank, or succeeded and the session doesn't say so yet.
    #[must_use]
    pub fn is_processing(&self) -> bool {
        let intent = self.intent().map(|intent| intent.status);
        match intent {
            Some(IntentStatus::Processing | IntentStatus::Succeeded) => true,
            Some(IntentStatus::RequiresPaymentMethod | IntentStatus::Canceled) => false,
            _ => self.status == SessionStatus::Complete,
        }
    }
}

impl StripeClient {
    /// The session for an order: one, however often and however interrupted this is called.
    ///
    /// # Errors
    /// When Stripe refuses it, or isn't clear.
    pub async fn begin(
        &self,
        order: &CheckoutRequest,
        now: DateTime<Utc>,
    ) -> Result<CheckoutSession, StripeError> {
        if now - order.begun >= KEY_LIVES {
            // The key may be forgotten: a request under it could make a second session.
            let found = self.find(order.payment, order.begun).await?;
            return found.ok_or_else(|| StripeError::Missing("it was never begun".to_owned()));
        }
        let mut spent = None;
        for number in 1..=KEYS {
            let key = format!("layby-session-{}-{number}", order.payment);
            match self.make(order, key).await {
                Err(error @ StripeError::KeySpent(_)) => {
                    if let Some(found) = self.find(order.payment, order.begun).await? {
                        return Ok(found);
                    }
                    spent = Some(error);
                }
                answer => return answer,
            }
        }
        Err(spent.unwrap_or_else(|| StripeError::Unknown("no key was tried".to_owned())))
    }

    /// Makes a session, once for `key`. What Stripe refuses of an order and can do without is left out
    /// then, under a key of its own.
    async fn make(
        &self,
        order: &CheckoutRequest,
        mut key: String,
    ) -> Result<CheckoutSession, StripeError> {
        let mut parameters = order.parameters();
        loop {
            let made = self.post("/v1/checkout/sessions", &parameters, &key).await;
            let Err(StripeError::Refused(refusal)) = &made else {
                return made;
            };
            let refused = |name: &&&str| refusal.param.as_deref() == Some(**name);
            let spare = SPARE.iter().find(refused);
            let Some((members, spare)) = parameters.as_object_mut().zip(spare) else {
                return made;
            };
            if members.remove(*spare).is_none() {
                return made;
            }
            key = format!("{key}-no-{spare}");
        }
    }

    /// A session, with its payment.
    ///
    /// # Errors
    /// [`StripeError::Missing`] when there is none, or when Stripe isn't clear.
    pub async fn session(&self, id: &str) -> Result<CheckoutSession, StripeError> {
        let path = format!("/v1/checkout/sessions/{}", in_path(id)?);
        self.get(&path, &json!({ "expand": ["payment_intent"] }))
            .await
    }

    /// The session of an attempt that was begun at `begun`, as Stripe lists it: nothing but the time
    /// can be searched for. The newest one counts, since a session that is paid makes no other.
    ///
    /// # Errors
    /// When Stripe isn't clear, or has more sessions of that time than are looked through.
    pub async fn find(
        &self,
        payment: Uuid,
        started: DateTime<Utc>,
    ) -> Result<Option<CheckoutSession>, StripeError> {
        let (from, to) = (
            started - Duration::minutes(10),
            started + Duration::hours(25),
        );
        let mut after: Option<String> = None;
        for _ in 0..PAGES {
            let query = json!({
                "created": { "gte": from.timestamp(), "lte": to.timestamp() },
                "limit": PAGE,
                "starting_after": after,
                "expand": ["data.payment_intent"],
            });
            let list: SessionList = self.get("/v1/checkout/sessions", &query).await?;
            after = list.data.last().map(|last| last.id.clone());
            let mut own = list
                .data
                .into_iter()
                .filter(|one| one.payment() == Some(payment));
            if let Some(found) = own.next() {
                return Ok(Some(found));
            }
            if !list.has_more || after.is_none() {
                return Ok(None);
            }
        }
        Err(StripeError::Unknown(
            "there are too many sessions to look through".to_owned(),
        ))
    }

    /// Closes a session that is open, and answers how it stands then: it may have been paid a moment
    /// before.
    ///
    /// # Errors
    /// [`StripeError::Missing`] when there is none, or when Stripe isn't clear.
    pub async fn expire(&self, id: &str) -> Result<CheckoutSession, StripeError> {
        let path = format!("/v1/checkout/sessions/{}/expire", in_path(id)?);
        // Refused when it is not open any more, and its key may be used up, or the answer was lost;
        // reading it tells which.
        let session: Result<CheckoutSession, _> = self
            .post(&path, &json!({}), &format!("layby-expire-{id}"))
            .await;
        match session {
            Ok(_)
            | Err(StripeError::Refused(_) | StripeError::KeySpent(_) | StripeError::Unknown(_)) => {
                self.session(id).await
            }
            Err(error) => Err(error),
        }
    }
}

impl CheckoutRequest {
    /// The same whenever the order is sent again: under one idempotency key Stripe takes no other
    /// parameters.
    fn parameters(&self) -> serde_json::Value {
        let metadata = json!({ OUR_PAYMENT: self.payment });
        json!({
            "mode": "payment",
            "ui_mode": "hosted_page",
            "submit_type": "pay",
            // The customer pays the pounds that our page said.
            "adaptive_pricing": { "enabled": false },
            "locale": "en-GB",
            "allowed_payment_method_types": ["card"],
            "line_items": [{
                "quantity": 1,
                "price_data": {
                    "currency": CURRENCY,
                    "unit_amount": self.amount.0,
                    "product_data": { "name": self.description },
                },
            }],
            "client_reference_id": self.payment,
            "customer_email": self.email,
            "metadata": metadata,
            "payment_intent_data": { "metadata": metadata, "description": self.description },
            // It must be within a day by Stripe's clock, which ours may differ from.
            "expires_at": (self.begun + KEY_LIVES).timestamp(),
            "success_url": self.success_url,
            "cancel_url": self.cancel_url,
        })
    }
}
