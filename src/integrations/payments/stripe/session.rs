//! Checkout Sessions: Stripe's page for one payment attempt.

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

/// The shop's only currency.
pub(super) const CURRENCY: &str = "gbp";
/// Time in which Stripe certainly repeats the answer to an idempotency key. Stripe repeats the answer
/// for at least 24 hours. One hour less allows for a difference between the clocks.
pub(super) const KEY_LIVES: Duration = Duration::hours(23);
/// Maximum number of idempotency keys to try. Each further key follows a look-up that found
/// nothing.
const KEYS: u32 = 3;
/// Parameters that a request can omit if Stripe refuses them. Without an e-mail address, Stripe's
/// page asks for one. Without `expires_at`, the session ends at Stripe's default time.
const SPARE: [&str; 2] = ["customer_email", "expires_at"];
/// Sessions per page of a list, and the maximum number of pages to read.
const PAGE: usize = 100;
const PAGES: usize = 50;

/// A request for a session in which a customer can pay.
#[derive(Clone, Debug)]
pub struct CheckoutRequest {
    /// Our id of the attempt.
    pub payment: Uuid,
    /// When the attempt was stored.
    pub started: DateTime<Utc>,
    /// Amount in pence.
    pub amount: Pence,
    /// Description for the customer.
    pub description: String,
    /// Address for Stripe's receipt.
    pub email: Option<String>,
    /// Whether Stripe keeps the card for later charges. The payer has consented.
    pub keeps_card: bool,
    /// The shop's page after paying.
    pub success_url: String,
    /// The shop's page for a customer who doesn't pay.
    pub cancel_url: String,
}

/// A session's status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionStatus {
    /// The session can be paid.
    Open,
    /// The customer has completed the session.
    Complete,
    /// The session can no longer be paid.
    Expired,
    /// An unknown status, or no status.
    #[default]
    #[serde(other)]
    Other,
}

/// Whether a session is paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StripePaymentStatus {
    Paid,
    Unpaid,
    /// A status that our sessions never have.
    #[serde(other)]
    Other,
}

#[derive(Clone, Debug, Deserialize)]
pub struct CheckoutSession {
    /// `cs_...`
    pub id: String,
    #[serde(default, deserialize_with = "null_as_default")]
    pub status: SessionStatus,
    pub payment_status: StripePaymentStatus,
    /// Amount to pay, in pence.
    pub amount_total: Option<i64>,
    /// Currency, in lower case.
    pub currency: Option<String>,
    /// Our id of the attempt.
    pub client_reference_id: Option<String>,
    #[serde(default)]
    metadata: Option<Metadata>,
    /// The payment page, while the session is open.
    pub url: Option<String>,
    /// The payment intent, from the customer's first try on.
    #[serde(default)]
    payment_intent: Option<Expandable>,
}

#[derive(Debug, Deserialize)]
struct SessionList {
    data: Vec<CheckoutSession>,
    has_more: bool,
}

impl CheckoutSession {
    /// Returns our id of the attempt, or `None` if the session has none.
    #[must_use]
    pub fn payment(&self) -> Option<Uuid> {
        let reference = self.client_reference_id.as_deref();
        let reference = reference.and_then(|text| text.parse().ok());
        reference.or_else(|| our_id(self.metadata.as_ref()?, OUR_PAYMENT))
    }

    /// Returns the payment intent's id, `pi_...`, or `None` before the customer's first try.
    #[must_use]
    pub fn intent_id(&self) -> Option<&str> {
        self.payment_intent.as_ref().map(Expandable::id)
    }

    /// Returns the payment intent, if the answer includes it.
    #[must_use]
    pub fn intent(&self) -> Option<&Intent> {
        self.payment_intent.as_ref().and_then(Expandable::whole)
    }

    /// Returns the paid amount in pence: what a succeeded payment intent received. Without such an
    /// intent, returns the amount to pay.
    #[must_use]
    pub fn received(&self) -> Option<i64> {
        let intent = self.intent();
        let succeeded = intent.filter(|intent| intent.status == IntentStatus::Succeeded);
        succeeded
            .map(|intent| intent.amount_received)
            .or(self.amount_total)
    }

    /// Returns whether the bank is processing the payment. Also returns true if the payment intent has
    /// succeeded, because the session may show the payment later. Returns false if the intent waits for a
    /// card or is cancelled. In all other cases, returns whether the session is complete.
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
    /// Returns the session of an order. Repeated and interrupted calls create one session.
    ///
    /// # Errors
    /// Fails if Stripe refuses the order, or its answer isn't clear.
    pub async fn begin(
        &self,
        order: &CheckoutRequest,
        now: DateTime<Utc>,
    ) -> Result<CheckoutSession, StripeError> {
        if now - order.started >= KEY_LIVES {
            // Stripe may have forgotten the key. A request with this key could create a second
            // session.
            let found = self.find(order.payment, order.started).await?;
            return found.ok_or_else(|| StripeError::Missing("it was never begun".to_owned()));
        }
        let mut spent = None;
        for number in 1..=KEYS {
            let key = format!("layby-session-{}-{number}", order.payment);
            match self.make(order, key).await {
                Err(error @ StripeError::KeySpent(_)) => {
                    if let Some(found) = self.find(order.payment, order.started).await? {
                        return Ok(found);
                    }
                    spent = Some(error);
                }
                answer => return answer,
            }
        }
        Err(spent.unwrap_or_else(|| StripeError::Unknown("no key was tried".to_owned())))
    }

    /// Creates a session, once for `key`. If Stripe refuses a parameter of [`SPARE`], omits the
    /// parameter and uses a derived key.
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

    /// Returns a session with its payment intent.
    ///
    /// # Errors
    /// Returns [`StripeError::Missing`] if Stripe has no such object, and other errors if its
    /// answer isn't clear.
    pub async fn session(&self, id: &str) -> Result<CheckoutSession, StripeError> {
        let path = format!("/v1/checkout/sessions/{}", in_path(id)?);
        self.get(&path, &json!({ "expand": ["payment_intent"] }))
            .await
    }

    /// Searches Stripe's list for the session of an attempt that was stored at `started`. Stripe
    /// can filter the list only by time. Returns the newest match, because the shop creates no
    /// session after a paid one.
    ///
    /// # Errors
    /// Fails if Stripe's answer isn't clear, or the list of that time is too long.
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

    /// Closes an open session, and returns the session afterwards. The customer may have paid the
    /// session before the call.
    ///
    /// # Errors
    /// Returns [`StripeError::Missing`] if Stripe has no such object, and other errors if its
    /// answer isn't clear.
    pub async fn expire(&self, id: &str) -> Result<CheckoutSession, StripeError> {
        let path = format!("/v1/checkout/sessions/{}/expire", in_path(id)?);
        // Stripe refuses to expire a session that is no longer open. Stripe may also repeat an old
        // error for the idempotency key, or its answer may be lost. Each case reads the session to
        // get its real status.
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
    /// Returns the parameters with which Stripe creates the session. Stripe refuses other parameters for a
    /// known idempotency key, so the parameters have no current time and no random value.
    fn parameters(&self) -> serde_json::Value {
        let metadata = json!({ OUR_PAYMENT: self.payment });
        json!({
            "mode": "payment",
            "ui_mode": "hosted_page",
            "submit_type": "pay",
            // Without this setting, Stripe may charge another currency than the pounds that our page showed.
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
            // Null leaves a parameter out.
            "customer_creation": self.keeps_card.then_some("always"),
            "metadata": metadata,
            "payment_intent_data": {
                "metadata": metadata,
                "description": self.description,
                "setup_future_usage": self.keeps_card.then_some("off_session"),
            },
            // This time must be at most 24 hours ahead of Stripe's clock, which may differ from ours.
            "expires_at": (self.started + KEY_LIVES).timestamp(),
            "success_url": self.success_url,
            "cancel_url": self.cancel_url,
        })
    }
}
