//! Callbacks: messages that a gateway sends by itself, and what it is answered.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::domain::money::Pence;
use crate::domain::payment::Currency;
use crate::domain::payment::dispute::{DisputeEvent, DisputeMove};
use crate::integrations::payments::answers::{GatewayRefundStatus, RefundReport, Report};

/// A message as it came. Nothing in it is believed before it is verified.
#[derive(Clone, Copy, Debug)]
pub struct Callback<'a> {
    /// Its body, byte for byte.
    pub body: &'a [u8],
    /// Its headers, by their names in lower case.
    pub headers: &'a BTreeMap<String, String>,
}

impl Callback<'_> {
    /// A header by its name in lower case; empty where it is missing.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

/// Which attempt a message says that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Our id of the attempt.
    Attempt(Uuid),
    /// What the gateway calls it, as in [`crate::domain::payment::Payment::references`].
    Reference(String),
    /// None of ours, as far as can be seen.
    Nobody,
}

/// What a verified message says of the attempt that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallbackEvent {
    /// What became of the attempt.
    Attempt(Report),
    /// What became of a refund of it, also after it was done.
    Refund {
        /// Our id of the refund.
        refund: Uuid,
        /// Where it stands, and what the gateway calls it.
        report: RefundReport,
    },
    /// What became of a refund of it that somebody made at the gateway by hand.
    RefundByHand(RefundByHand),
    /// The cardholder disputes it.
    Dispute(DisputeNews),
    /// It is genuine, and of a form that we don't know.
    Unread {
        /// The gateway's id of it.
        reference: String,
        /// The gateway's name of what happened.
        kind: String,
    },
    /// Nothing that matters to the shop.
    Nothing,
}

/// What a gateway tells of a refund that we didn't ask for. The same news may come again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundByHand {
    /// The gateway's name of it.
    pub reference: String,
    /// How much, pence.
    pub amount: Pence,
    /// Where it stands.
    pub status: GatewayRefundStatus,
}

/// What a gateway tells of a dispute. The same news may come again, and in any order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisputeNews {
    /// The gateway's reference of the dispute.
    pub reference: String,
    /// Where it stands.
    pub event: DisputeEvent,
    /// Every movement of money for it so far, as far as the news tells.
    pub moves: Vec<DisputeMove>,
    /// What is disputed, in the smallest unit of the currency: pence.
    pub amount: Pence,
    /// In which currency; none for one that the shop doesn't take.
    pub currency: Option<Currency>,
    /// Why, in the gateway's own word.
    pub reason: String,
    /// Until when the shop may answer.
    pub answer_by: Option<DateTime<Utc>>,
}

/// What became of a message in the shop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// It is recorded for good, now or before.
    Recorded {
        /// The page of the shop that shows the attempt.
        return_url: String,
    },
    /// It is genuine and about nothing of ours.
    NotOurs,
    /// It is not the gateway's, is too old, or is of the other mode.
    Forged,
    /// It can't be recorded now; the gateway is to send it again.
    NotYet,
}

/// The answer to a message, in the gateway's own form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallbackAnswer {
    /// HTTP status.
    pub status: u16,
    /// Content type.
    pub content_type: &'static str,
    /// Body.
    pub body: String,
}
