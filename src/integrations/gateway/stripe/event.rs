//! What a webhook tells.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::dispute::{Dispute, DisputeNews};
use super::intent::Intent;
use super::refund::Refund;
use super::session::Session;

/// A webhook's message.
#[derive(Clone, Debug)]
pub struct Event {
    /// `evt_...`, the same whenever it is sent again.
    pub id: String,
    /// Stripe's name of what happened.
    pub kind: String,
    /// Whether it is about real money.
    pub livemode: bool,
    /// What it means to us.
    pub news: News,
}

/// What we hear of. Events come late, twice and in any order: each says how a thing stands or stood.
#[derive(Clone, Debug)]
pub enum News {
    /// A session was paid, or will be by a slow bank, or has ended without.
    Session(Box<Session>),
    /// A session's slow payment failed.
    SessionFailed(Box<Session>),
    /// A payment moved.
    Intent(Box<Intent>),
    /// A card was declined. The customer may try another one while the session is open.
    IntentDeclined(Box<Intent>),
    /// A refund moved.
    Refund(Box<Refund>),
    /// A dispute.
    Dispute(DisputeNews, Box<Dispute>),
    /// Something that we have no use for.
    Nothing,
}

/// Why a message can't be read. Its own words are not repeated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EventError {
    /// It is no event.
    #[error("the message is no event of Stripe's")]
    NoEvent,
    /// It is one that we should understand.
    #[error(
        "an event of a type that we know has another form: is the webhook endpoint of another API version?"
    )]
    OtherForm,
}

#[derive(Debug, Deserialize)]
struct Envelope {
    id: String,
    r#type: String,
    livemode: bool,
    data: Data,
}

#[derive(Debug, Deserialize)]
struct Data {
    object: Value,
}

impl Event {
    /// Reads the body of a webhook whose signature was checked.
    ///
    /// # Errors
    /// When it is no event, or not of a form that we know.
    pub fn read(body: &[u8]) -> Result<Self, EventError> {
        let envelope: Envelope = serde_json::from_slice(body).map_err(|_| EventError::NoEvent)?;
        let news = news(&envelope.r#type, envelope.data.object)?;
        Ok(Self {
            id: envelope.id,
            kind: envelope.r#type,
            livemode: envelope.livemode,
            news,
        })
    }
}

fn news(kind: &str, object: Value) -> Result<News, EventError> {
    let dispute = |news| Ok(News::Dispute(news, whole(object.clone())?));
    match kind {
        "checkout.session.completed"
        | "checkout.session.expired"
        | "checkout.session.async_payment_succeeded" => Ok(News::Session(whole(object)?)),
        "checkout.session.async_payment_failed" => Ok(News::SessionFailed(whole(object)?)),
        "payment_intent.succeeded" | "payment_intent.processing" | "payment_intent.canceled" => {
            Ok(News::Intent(whole(object)?))
        }
        "payment_intent.payment_failed" => Ok(News::IntentDeclined(whole(object)?)),
        "refund.created" | "refund.updated" | "refund.failed" => Ok(News::Refund(whole(object)?)),
        "charge.dispute.created" => dispute(DisputeNews::Created),
        "charge.dispute.updated" => dispute(DisputeNews::Updated),
        "charge.dispute.closed" => dispute(DisputeNews::Closed),
        "charge.dispute.funds_withdrawn" => dispute(DisputeNews::FundsWithdrawn),
        "charge.dispute.funds_reinstated" => dispute(DisputeNews::FundsReinstated),
        _ => Ok(News::Nothing),
    }
}

fn whole<T: DeserializeOwned>(object: Value) -> Result<Box<T>, EventError> {
    serde_json::from_value(object)
        .map(Box::new)
        .map_err(|_| EventError::OtherForm)
}
