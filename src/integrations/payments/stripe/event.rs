//! What a webhook tells.

use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;

use super::dispute::{DisputeNews, StripeDispute};
use super::intent::Intent;
use super::refund::StripeRefund;
use super::session::CheckoutSession;

/// A webhook's message.
#[derive(Clone, Debug)]
pub struct StripeEvent {
    /// `evt_...`, the same whenever it is sent again.
    pub id: String,
    /// Stripe's name of what happened.
    pub kind: String,
    /// Whether it is about real money.
    pub livemode: bool,
    /// When it happened.
    pub created: Option<DateTime<Utc>>,
    /// What it means to us.
    pub news: WebhookEvent,
}

/// What we hear of. Events come late, twice and in any order: each says how a thing stands or stood.
#[derive(Clone, Debug)]
pub enum WebhookEvent {
    /// A session was paid, or will be by a slow bank, or has ended without.
    Session(Box<CheckoutSession>),
    /// A session's slow payment failed.
    SessionFailed(Box<CheckoutSession>),
    /// A payment moved.
    Intent(Box<Intent>),
    /// A card was declined. The customer may try another one while the session is open.
    IntentDeclined(Box<Intent>),
    /// A refund moved.
    Refund(Box<StripeRefund>),
    /// A dispute.
    Dispute(DisputeNews, Box<StripeDispute>),
    /// Something of a type that we know and of another form, as other versions of Stripe's API have it.
    Unread(EventSubject),
    /// Something that we have no use for.
    Nothing,
}

/// What a message that can't be read is about, as far as can be seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventSubject {
    /// Our attempt.
    pub payment: Option<Uuid>,
    /// `pi_...` or `cs_...`
    pub reference: Option<String>,
}

impl EventSubject {
    fn from_object(object: &Value) -> Self {
        let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str);
        let named = text("/metadata/layby_payment").or_else(|| text("/client_reference_id"));
        let references = [
            text("/payment_intent"),
            text("/payment_intent/id"),
            text("/id"),
        ];
        Self {
            payment: named.and_then(|id| id.parse().ok()),
            reference: references.into_iter().flatten().next().map(str::to_owned),
        }
    }
}

/// Why a message can't be read. Its own words are not repeated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EventError {
    /// It is no event.
    #[error("the message is no event of Stripe's")]
    NoEvent,
}

#[derive(Debug, Deserialize)]
struct Envelope {
    id: String,
    r#type: String,
    livemode: bool,
    #[serde(default)]
    created: Option<i64>,
    data: EventData,
}

#[derive(Debug, Deserialize)]
struct EventData {
    object: Value,
}

impl StripeEvent {
    /// Reads the body of a webhook whose signature was checked.
    ///
    /// # Errors
    /// When it is no event.
    pub fn read(body: &[u8]) -> Result<Self, EventError> {
        let envelope: Envelope = serde_json::from_slice(body).map_err(|_| EventError::NoEvent)?;
        let object = envelope.data.object;
        let subject = EventSubject::from_object(&object);
        let news = parse_event(&envelope.r#type, object).unwrap_or(WebhookEvent::Unread(subject));
        Ok(Self {
            id: envelope.id,
            kind: envelope.r#type,
            livemode: envelope.livemode,
            created: envelope
                .created
                .and_then(|at| DateTime::from_timestamp(at, 0)),
            news,
        })
    }
}

/// What an event of this type tells; none where it is of another form than we know.
fn parse_event(kind: &str, object: Value) -> Option<WebhookEvent> {
    let dispute = |news| Some(WebhookEvent::Dispute(news, whole(object.clone())?));
    match kind {
        "checkout.session.completed"
        | "checkout.session.expired"
        | "checkout.session.async_payment_succeeded" => Some(WebhookEvent::Session(whole(object)?)),
        "checkout.session.async_payment_failed" => {
            Some(WebhookEvent::SessionFailed(whole(object)?))
        }
        "payment_intent.succeeded" | "payment_intent.processing" | "payment_intent.canceled" => {
            Some(WebhookEvent::Intent(whole(object)?))
        }
        "payment_intent.payment_failed" => Some(WebhookEvent::IntentDeclined(whole(object)?)),
        "refund.created" | "refund.updated" | "refund.failed" => {
            Some(WebhookEvent::Refund(whole(object)?))
        }
        "charge.dispute.created" => dispute(DisputeNews::Created),
        "charge.dispute.updated" => dispute(DisputeNews::Updated),
        "charge.dispute.closed" => dispute(DisputeNews::Closed),
        "charge.dispute.funds_withdrawn" => dispute(DisputeNews::FundsWithdrawn),
        "charge.dispute.funds_reinstated" => dispute(DisputeNews::FundsReinstated),
        _ => Some(WebhookEvent::Nothing),
    }
}

fn whole<T: DeserializeOwned>(object: Value) -> Option<Box<T>> {
    serde_json::from_value(object).map(Box::new).ok()
}
