//! Callbacks: messages that a gateway sends, and the shop's answers.

use std::collections::BTreeMap;

use uuid::Uuid;

use crate::domain::money::Pence;
use crate::domain::payment::CardOnFile;
use crate::domain::payment::dispute::DisputeNews;
use crate::integrations::payments::answers::{GatewayRefundStatus, PaymentReport, RefundReport};

/// A callback as received. The callback is untrusted until it is verified.
#[derive(Clone, Copy, Debug)]
pub struct Callback<'a> {
    /// The body, byte for byte.
    pub body: &'a [u8],
    /// The headers by lower-case name.
    pub headers: &'a BTreeMap<String, String>,
}

impl Callback<'_> {
    /// Returns a header by its lower-case name, or an empty text if it is missing.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

/// The attempt that a callback names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaymentRef {
    /// Our id of the attempt.
    Attempt(Uuid),
    /// The gateway's reference, as in [`crate::domain::payment::Payment::references`].
    Reference(String),
    /// The gateway's token of a card that it keeps.
    Card(String),
    /// No attempt that the shop recognises.
    Unknown,
}

/// The content of a verified callback.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallbackEvent {
    /// The status of the attempt.
    Attempt(PaymentReport),
    /// The status of a refund of the attempt. A refund that was done may still fail.
    Refund {
        /// Our id of the refund.
        refund: Uuid,
        /// The refund's status and reference.
        report: RefundReport,
    },
    /// The status of a refund that somebody made by hand at the gateway.
    RefundByHand(RefundByHand),
    /// The cardholder disputes the payment.
    Dispute {
        news: DisputeNews,
        /// References of the parts that the shop can't apply, such as a movement in another currency.
        unread: Vec<String>,
        /// The gateway's name of the event.
        kind: String,
    },
    /// The gateway has new data of a card that it keeps, such as its expiry. The tokens stay.
    Card(Box<CardOnFile>),
    /// The callback is genuine, but of an unknown form.
    Unread {
        /// The gateway's id of the callback.
        reference: String,
        /// The gateway's name of the event.
        kind: String,
    },
    /// The callback is about nothing that matters to the shop.
    Ignored,
}

/// A refund by hand, as the gateway reports it. The report may be repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundByHand {
    /// The gateway's reference.
    pub reference: String,
    /// The amount, in pence.
    pub amount: Pence,
    pub status: GatewayRefundStatus,
}

/// The result of a callback in the shop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallbackOutcome {
    /// The callback is durably recorded, now or before.
    Recorded,
    /// The callback is genuine, and about nothing of ours.
    NotOurs,
    /// The callback is not the gateway's, is too old, or is of the other mode.
    Forged,
    /// The callback can't be recorded now. The gateway must send it again.
    NotYet,
}

/// The answer to a callback, in the gateway's own form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallbackAnswer {
    /// HTTP status.
    pub status: u16,
    pub content_type: &'static str,
    pub body: String,
}
