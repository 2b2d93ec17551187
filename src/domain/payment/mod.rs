//! Payment attempts, and the gateway's events about them, in any order and any number of times.

mod at_gateway;
mod attempt;
pub mod balance;
mod consent;
mod decline;
pub mod dispute;
pub mod instrument;
mod page;
pub mod payer;
mod purpose;
pub mod refund;
pub mod sandbox;
pub mod settlement;
mod unresolved;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub use at_gateway::{Currency, Failure, FailureClass, Keys, Mode, References};
pub use consent::{Consent, PLAN_TEXT, plan_text, renewal_text};
pub use decline::{Decline, DeclineClass};
pub use instrument::{CardExpiry, CardOnFile, Instrument};
pub use page::{PageKind, PageMethod, PaymentPage};
pub use payer::Payer;
pub use purpose::{InstalmentNumbers, PaymentFrequency, PaymentSource, Purpose};
pub use unresolved::{PaymentResolution, PaymentWay, Unresolved, UnresolvedReason};

use super::transition::Transition;
use crate::domain::deterministic_id::id_from_parts;
use crate::domain::money::Pence;
use crate::domain::text::option_text;
use crate::domain::time::dates;

/// The status of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PaymentStatus {
    /// The attempt is stored. The shop does not know whether the gateway has received the attempt.
    Started,
    /// The gateway waits for the customer.
    Pending,
    /// The customer has entered a card, and the bank has not decided yet.
    Processing,
    /// The payment succeeded.
    Paid,
    /// The attempt failed finally: no money moved.
    Failed,
    /// A person must find out the outcome or refund the money; see [`UnresolvedReason`].
    Unresolved,
    /// The payment succeeded, and the gateway took the money back without a dispute.
    Reversed,
}

impl PaymentStatus {
    /// Every status.
    pub const ALL: [Self; 7] = [
        Self::Started,
        Self::Pending,
        Self::Processing,
        Self::Paid,
        Self::Failed,
        Self::Unresolved,
        Self::Reversed,
    ];

    /// Returns whether the shop still asks the gateway for the outcome.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Started | Self::Pending | Self::Processing)
    }

    /// Returns whether money was taken, or `None` if that is unknown.
    #[must_use]
    pub const fn took_money(self) -> Option<bool> {
        match self {
            Self::Started | Self::Pending | Self::Processing | Self::Unresolved => None,
            Self::Failed => Some(false),
            Self::Paid | Self::Reversed => Some(true),
        }
    }
}

/// An event of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaymentEvent {
    /// The gateway registered the attempt.
    Registered,
    /// The customer answers a challenge, or the bank has not decided yet.
    Processing,
    Succeeded,
    /// A final failure: no money will arrive.
    Failed,
    /// The outcome stayed unknown for days.
    GivenUp,
    /// Money arrived in a currency that the shop does not accept. A person must refund it.
    Uncountable,
    /// The gateway took the money back.
    Reversed,
}

/// Returns the transition of an attempt in `status` on `event`. A late success counts after a
/// failure and after an unresolved outcome, because the gateway has the money.
#[must_use]
pub const fn apply(status: PaymentStatus, event: PaymentEvent) -> Transition<PaymentStatus> {
    use PaymentEvent as E;
    use PaymentStatus as S;
    use Transition::{AlreadyApplied, Applied, Refused};

    match (status, event) {
        (S::Started, E::Registered) => Applied(S::Pending),
        (_, E::Registered) => AlreadyApplied,

        (S::Started | S::Pending, E::Processing) => Applied(S::Processing),
        (_, E::Processing) => AlreadyApplied,

        (S::Started | S::Pending | S::Processing | S::Failed | S::Unresolved, E::Succeeded) => {
            Applied(S::Paid)
        }
        (_, E::Succeeded) => AlreadyApplied,

        (S::Started | S::Pending | S::Processing | S::Unresolved, E::Failed) => Applied(S::Failed),
        (S::Failed | S::Reversed, E::Failed) => AlreadyApplied,
        (S::Paid, E::Failed) => Refused("The payment has succeeded."),

        (S::Started | S::Pending | S::Processing, E::GivenUp) => Applied(S::Unresolved),
        (_, E::GivenUp) => AlreadyApplied,

        // Applies also to `Unresolved`: the reason becomes `OtherCurrency`.
        (S::Started | S::Pending | S::Processing | S::Failed | S::Unresolved, E::Uncountable) => {
            Applied(S::Unresolved)
        }
        (_, E::Uncountable) => AlreadyApplied,

        (S::Paid, E::Reversed) => Applied(S::Reversed),
        (S::Started | S::Pending | S::Processing | S::Unresolved, E::Reversed) => {
            Applied(S::Failed)
        }
        (S::Failed | S::Reversed, E::Reversed) => AlreadyApplied,
    }
}

/// One attempt to pay for a revision of a quote, or for an adjustment. It is stored before the
/// request to the gateway.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Payment {
    /// Our reference at the gateway.
    pub id: Uuid,
    /// The quote that the attempt pays for.
    pub quote: Uuid,
    /// The accepted revision, or the revision that the adjustment changes.
    pub revision: u32,
    /// The accepted amount, in pence.
    pub amount: Pence,
    /// The gateway's name in the configuration.
    pub provider: String,
    pub status: PaymentStatus,
    /// The page where the customer pays, or `None` if the gateway has returned no page.
    pub page: Option<PaymentPage>,
    /// The message that the customer reads.
    pub message: Option<String>,
    /// The customer's consent to keep the card, or `None` if the card is not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consent: Option<Consent>,
    pub purpose: Purpose,
    /// How the price is paid, if the attempt is for a sale or renewal.
    pub frequency: PaymentFrequency,
    /// Who enters or charges the card.
    pub by: PaymentSource,
    /// When the attempt was created.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub created: DateTime<Utc>,
    /// When the attempt was last changed.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub updated: DateTime<Utc>,
    /// The currency of the amount.
    pub currency: Currency,
    /// Whether the gateway was in test mode or live mode when the attempt was created.
    pub mode: Mode,
    /// The gateway's references of the attempt.
    pub references: References,
    /// The gateway's secrets of the attempt.
    pub keys: Keys,
    /// The failure that the gateway reported. An attempt whose failure is not final may still be
    /// paid.
    pub failure: Option<Failure>,
    /// Why the charge of a stored card was declined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decline: Option<Decline>,
    /// When the shop called the gateway for the charge of a stored card. Only for a gateway that would charge
    /// a repeated call again.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "chrono::serde::ts_microseconds_option"
    )]
    pub requested: Option<DateTime<Utc>>,
    /// When the payment succeeded, by the gateway's time. If the gateway reports no time, when the shop
    /// received the result.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "chrono::serde::ts_microseconds_option"
    )]
    pub paid_at: Option<DateTime<Utc>>,
    /// The amount that the gateway took back without a dispute, pence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reversed: Option<Pence>,
    /// Why the paid attempt bought nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unapplied: Option<UnappliedReason>,
    /// Authentic messages of the gateway about the attempt that the shop could not parse, and second
    /// payments of the attempt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread_messages: Vec<UnreadMessage>,
    /// Why a person must deal with the payment, and how the payment was closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unresolved: Option<Unresolved>,
}

/// A gateway's message that the shop could not parse, or a second payment. A person must look up the
/// message or the payment at the gateway.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnreadMessage {
    /// The gateway's id of the message. A repeated message has this id again.
    pub reference: String,
    /// The gateway's name of the event.
    pub kind: String,
    /// When the message was first received.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub received: DateTime<Utc>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follow_up: Option<FollowUp>,
}

impl UnreadMessage {
    /// Returns the id of the message in lists and commands.
    #[must_use]
    pub fn id(&self, payment: Uuid) -> Uuid {
        id_from_parts(&[payment.as_bytes(), self.reference.as_bytes()])
    }

    /// The kind of the entry for a second payment of one attempt.
    pub const SECOND_PAYMENT: &str = "second payment";
}

/// What a person did about a message, or found about a dispute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FollowUp {
    pub by: String,
    pub why: String,
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub at: DateTime<Utc>,
}

impl FollowUp {
    /// Returns what a person did at a moment. The texts are trimmed.
    ///
    /// # Errors
    /// A text for the operator if one of the texts is empty, long, or has a control character.
    pub fn new(by: &str, why: &str, moment: DateTime<Utc>) -> Result<Self, String> {
        let (by, why) = (option_text("--by", by)?, option_text("--why", why)?);
        Ok(Self {
            by,
            why,
            at: moment,
        })
    }
}

/// The reason of a payment that bought nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UnappliedReason {
    /// Nothing was due any more, or the gateway took another amount than accepted.
    NotNeeded,
    /// The shop received the result too late for the cover to begin.
    TooLate,
}

impl Payment {
    /// Returns whether the attempt bought its policy or its change. A paid attempt that bought
    /// nothing is refunded.
    #[must_use]
    pub fn is_applied(&self) -> bool {
        let is_paid = matches!(self.status, PaymentStatus::Paid | PaymentStatus::Reversed);
        is_paid && self.unapplied.is_none()
    }

    /// Returns the instrument that the shop charges, or `None` if the customer pays on a page.
    #[must_use]
    pub const fn instrument(&self) -> Option<Uuid> {
        match self.by {
            PaymentSource::Page | PaymentSource::Transfer => None,
            PaymentSource::Instrument(id) => Some(id),
        }
    }

    /// Returns the London day of the payment, or of the attempt if it has not succeeded.
    #[must_use]
    pub fn paid_on(&self) -> NaiveDate {
        dates::london_date(self.paid_at.unwrap_or(self.created))
    }

    /// Returns whether the payment's list of messages and second payments has this reference.
    #[must_use]
    pub fn lists(&self, reference: Option<&str>) -> bool {
        let mut messages = self.unread_messages.iter();
        messages.any(|one| Some(one.reference.as_str()) == reference)
    }

    /// Returns the reason why a person must deal with the payment. Returns `None` if the payment needs
    /// no person.
    #[must_use]
    pub fn unresolved_reason(&self) -> Option<UnresolvedReason> {
        let unresolved = self.unresolved.as_ref();
        if self.status == PaymentStatus::Reversed {
            let open = unresolved.filter(|own| own.resolution.is_none());
            return open.map(|own| own.reason);
        }
        let reason = unresolved.map_or(UnresolvedReason::NoAnswer, |own| own.reason);
        (self.status == PaymentStatus::Unresolved && !self.is_given_back()).then_some(reason)
    }

    /// Returns whether the unresolved payment was refunded at the gateway. The ledger has no entry
    /// of its money.
    #[must_use]
    pub fn is_given_back(&self) -> bool {
        let resolution = || self.unresolved.as_ref()?.resolution.as_ref();
        self.status == PaymentStatus::Unresolved
            && resolution().is_some_and(|own| own.method == PaymentWay::GivenBack)
    }

    /// Returns whether a person refunded the unresolved payment at the gateway, or the gateway took the
    /// money back. The gateway's later reports then change nothing.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.is_given_back() || self.reversed.is_some()
    }

    /// Returns whether money was taken, or `None` if that is unknown. Money in another currency and
    /// money that was refunded by hand count too.
    #[must_use]
    pub fn charged(&self) -> Option<bool> {
        let is_other = self.unresolved_reason() == Some(UnresolvedReason::OtherCurrency);
        if is_other || self.is_given_back() {
            Some(true)
        } else {
            self.status.took_money()
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::domain::payment::*;
    use PaymentStatus as S;
    use Transition::{AlreadyApplied, Applied, Refused};

    const EVENTS: [PaymentEvent; 7] = [
        PaymentEvent::Registered,
        PaymentEvent::Processing,
        PaymentEvent::Succeeded,
        PaymentEvent::Failed,
        PaymentEvent::GivenUp,
        PaymentEvent::Uncountable,
        PaymentEvent::Reversed,
    ];

    #[test]
    fn every_status_answers_every_event() {
        let table = [
            (S::Started, "pPYFUUF"),
            (S::Pending, "=PYFUUF"),
            (S::Processing, "==YFUUF"),
            (S::Paid, "===-==R"),
            (S::Failed, "==Y==U="),
            (S::Unresolved, "==YF=UF"),
            (S::Reversed, "======="),
        ];
        for (status, expected) in table {
            let row: String = EVENTS
                .iter()
                .map(|event| match apply(status, *event) {
                    Applied(S::Pending) => 'p',
                    Applied(S::Processing) => 'P',
                    Applied(S::Paid) => 'Y',
                    Applied(S::Failed) => 'F',
                    Applied(S::Started) => 's',
                    Applied(S::Unresolved) => 'U',
                    Applied(S::Reversed) => 'R',
                    AlreadyApplied => '=',
                    Refused(_) => '-',
                })
                .collect();
            assert_eq!(row, expected, "{status:?}");
        }
        assert_eq!(table.len(), S::ALL.len());
    }
}
