//! Stripe's webhook events.

use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;

use super::charge::CardMethod;
use super::dispute::StripeDispute;
use super::intent::Intent;
use super::refund::StripeRefund;
use super::session::CheckoutSession;

/// A webhook event.
#[derive(Clone, Debug)]
pub struct StripeEvent {
    /// `evt_...`. A repeated event has this id again.
    pub id: String,
    /// Stripe's name of the event.
    pub kind: String,
    /// Whether the money is real.
    pub livemode: bool,
    /// When the event happened.
    pub created: Option<DateTime<Utc>>,
    /// The event's content.
    pub news: WebhookEvent,
}

/// The content of an event. Events may arrive late, twice and in any order. Each event has the
/// current state or an earlier state.
#[derive(Clone, Debug)]
pub enum WebhookEvent {
    /// A session was paid, waits for a slow bank, or ended unpaid.
    Session(Box<CheckoutSession>),
    /// A session's slow payment failed.
    SessionFailed(Box<CheckoutSession>),
    /// A payment changed.
    Intent(Box<Intent>),
    /// A card was declined. The customer may try another card while the session is open.
    IntentDeclined(Box<Intent>),
    /// A refund changed.
    Refund(Box<StripeRefund>),
    /// A dispute changed. Events arrive in any order, so the dispute's status and movements count, and not
    /// the event's name.
    Dispute {
        dispute: Box<StripeDispute>,
        /// Whether the event says that money was moved.
        moves_money: bool,
    },
    /// The card's bank gave the card another number or expiry.
    Card(Box<CardMethod>),
    /// An event of a known type, but of another form, as in other versions of Stripe's API.
    Unread(EventSubject),
    /// An event that the shop ignores.
    Nothing,
}

/// The recognisable ids of the payment in an event that can't be parsed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventSubject {
    /// Our id of the attempt.
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

/// Why an event can't be read. The error repeats nothing of the event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EventError {
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
    /// Reads the body of a webhook. The caller checks the signature.
    ///
    /// # Errors
    /// Fails if the body is no event.
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
                .and_then(|seconds| DateTime::from_timestamp(seconds, 0)),
            news,
        })
    }
}

/// Returns the content of an event of this type, or `None` if its form is unknown.
fn parse_event(kind: &str, object: Value) -> Option<WebhookEvent> {
    let dispute = |moves_money| {
        let dispute = whole(object.clone())?;
        Some(WebhookEvent::Dispute {
            dispute,
            moves_money,
        })
    };
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
        "charge.dispute.created" | "charge.dispute.updated" | "charge.dispute.closed" => {
            dispute(false)
        }
        "payment_method.automatically_updated" => Some(WebhookEvent::Card(whole(object)?)),
        "charge.dispute.funds_withdrawn" | "charge.dispute.funds_reinstated" => dispute(true),
        _ => Some(WebhookEvent::Nothing),
    }
}

fn whole<T: DeserializeOwned>(object: Value) -> Option<Box<T>> {
    serde_json::from_value(object).map(Box::new).ok()
}
