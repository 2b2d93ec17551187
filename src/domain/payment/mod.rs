//! An attempt to pay, and what a gateway may report of it, in any order and any number of times.

mod at_gateway;
pub mod balance;
pub mod dispute;
pub mod refund;
pub mod sandbox;
pub mod settlement;
mod unresolved;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub use at_gateway::{Currency, Failure, FailureClass, Keys, Mode, References};
pub use unresolved::{PaymentResolution, PaymentWay, Unresolved, UnresolvedReason};

use super::transition::Transition;
use crate::domain::money::Pence;
use crate::domain::time::dates;
use crate::json_schema::ResponseSchema;

/// Where an attempt stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PaymentStatus {
    /// Stored; the gateway may or may not have been told of it.
    Started,
    /// The gateway waits for the customer.
    Pending,
    /// The customer has entered a card; the bank has not decided yet.
    Processing,
    /// The money is ours.
    Paid,
    /// The gateway says that no money moved, and that none will.
    Failed,
    /// Paid, and to be given back.
    Refunding,
    /// Given back.
    Refunded,
    /// The gateway was asked for days and did not say what became of it: a person has to find out.
    Unresolved,
}

impl PaymentStatus {
    /// Every status.
    pub const ALL: [Self; 8] = [
        Self::Started,
        Self::Pending,
        Self::Processing,
        Self::Paid,
        Self::Failed,
        Self::Refunding,
        Self::Refunded,
        Self::Unresolved,
    ];

    /// Whether the gateway is asked for its outcome.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Started | Self::Pending | Self::Processing)
    }

    /// Whether money was taken; none while nobody knows.
    #[must_use]
    pub const fn charged(self) -> Option<bool> {
        match self {
            Self::Started | Self::Pending | Self::Processing | Self::Unresolved => None,
            Self::Failed => Some(false),
            Self::Paid | Self::Refunding | Self::Refunded => Some(true),
        }
    }
}

/// What is learned of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaymentEvent {
    /// The gateway made a page for it.
    Registered,
    /// The customer is at a challenge, or the bank is slow.
    Processing,
    /// The money arrived.
    Succeeded,
    /// The gateway's last word: no money will arrive.
    Failed,
    /// Nobody could say for days what became of it.
    GivenUp,
    /// Money arrived that can't be counted in our currency: a person has to give it back.
    Uncountable,
    /// It bought nothing, so that the money goes back.
    Surplus,
    /// The gateway has given it back.
    Refunded,
    /// The gateway could not give it back, or it came back: it is still to be given.
    RefundFailed,
}

/// What becomes of an attempt in `status` when `event` is learned. Late success counts after a
/// failure and after nobody knew, because the gateway has the money.
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
        (S::Failed, E::Failed) => AlreadyApplied,
        (_, E::Failed) => Refused("The payment has succeeded."),

        (S::Started | S::Pending | S::Processing, E::GivenUp) => Applied(S::Unresolved),
        (_, E::GivenUp) => AlreadyApplied,

        // The reason of one that is unresolved becomes another one.
        (S::Started | S::Pending | S::Processing | S::Failed | S::Unresolved, E::Uncountable) => {
            Applied(S::Unresolved)
        }
        (_, E::Uncountable) => AlreadyApplied,

        (S::Paid, E::Surplus) => Applied(S::Refunding),
        (S::Refunding | S::Refunded, E::Surplus) => AlreadyApplied,
        (_, E::Surplus) => Refused("There is nothing to give back."),

        (S::Refunding, E::Refunded) => Applied(S::Refunded),
        (S::Refunded, E::Refunded) => AlreadyApplied,
        (_, E::Refunded) => Refused("There is nothing to give back."),

        (S::Refunded, E::RefundFailed) => Applied(S::Refunding),
        (S::Refunding, E::RefundFailed) => AlreadyApplied,
        (_, E::RefundFailed) => Refused("There is nothing to give back."),
    }
}

/// One attempt to pay for one revision of a quote, written before the gateway is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Payment {
    /// Our reference at the gateway.
    pub id: Uuid,
    /// What it pays for.
    pub quote: Uuid,
    /// Revision that was accepted.
    pub revision: u32,
    /// Amount accepted, pence.
    pub amount: Pence,
    /// Gateway's name in the configuration.
    pub provider: String,
    /// Where it stands.
    pub status: PaymentStatus,
    /// Where the customer pays, once the gateway has said.
    pub page: Option<PaymentPage>,
    /// What the customer is told.
    pub message: Option<String>,
    /// Whether it bought the policy.
    pub bought: bool,
    /// Whether the customer chose to have the cover renewed by itself.
    pub auto_renew: bool,
    /// The change of a live policy that it pays for; none for a sale.
    pub adjustment: Option<Uuid>,
    /// The payment whose card is charged again; none where the customer pays on a page.
    pub stored_card: Option<Uuid>,
    /// First written.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub created: DateTime<Utc>,
    /// Last changed.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub updated: DateTime<Utc>,
    /// What the amount is counted in.
    pub currency: Currency,
    /// Whether the gateway moved real money when it began.
    pub mode: Mode,
    /// What the gateway calls it.
    pub references: References,
    /// The gateway's secrets for it.
    pub keys: Keys,
    /// How it failed, as far as the gateway has said; one that isn't final may still be paid.
    pub failure: Option<Failure>,
    /// When it was paid: by the gateway, or when the shop learned of it where the gateway doesn't say.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "chrono::serde::ts_microseconds_option"
    )]
    pub paid_at: Option<DateTime<Utc>>,
    /// Why it bought nothing, although it was paid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unapplied: Option<UnappliedReason>,
    /// Genuine messages of the gateway about it that could not be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread_messages: Vec<UnreadMessage>,
    /// Why a person has to find out about it, and how that ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unresolved: Option<Unresolved>,
}

/// A message of a gateway that could not be read: what it says is for a person to look up there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnreadMessage {
    /// The gateway's id of it, the same whenever it is sent again.
    pub reference: String,
    /// The gateway's name of what happened.
    pub kind: String,
    /// When it came first.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub received: DateTime<Utc>,
}

/// Why a payment bought nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UnappliedReason {
    /// Nothing was due any more, or another amount.
    NotNeeded,
    /// The shop learned of it when it was too late to begin the cover.
    TooLate,
}

impl Payment {
    /// The London day on which it was paid.
    #[must_use]
    pub fn paid_on(&self) -> NaiveDate {
        dates::london_date(self.paid_at.unwrap_or(self.created))
    }

    /// Returns why a person has to find out about it; none where nobody has to.
    #[must_use]
    pub fn unresolved_reason(&self) -> Option<UnresolvedReason> {
        let unresolved = self.unresolved.as_ref();
        let reason = unresolved.map_or(UnresolvedReason::NoAnswer, |own| own.reason);
        (self.status == PaymentStatus::Unresolved && !self.is_given_back()).then_some(reason)
    }

    /// Whether a person gave its money back at the gateway. The ledger knows nothing of that money.
    #[must_use]
    pub fn is_given_back(&self) -> bool {
        let resolution = || self.unresolved.as_ref()?.resolution.as_ref();
        self.status == PaymentStatus::Unresolved
            && resolution().is_some_and(|own| own.way == PaymentWay::GivenBack)
    }

    /// Whether money was taken; none while nobody knows.
    #[must_use]
    pub fn charged(&self) -> Option<bool> {
        let is_other = self.unresolved_reason() == Some(UnresolvedReason::OtherCurrency);
        if is_other || self.is_given_back() {
            Some(true)
        } else {
            self.status.charged()
        }
    }
}

/// The gateway's page for one attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentPage {
    /// How it is shown.
    pub kind: PageKind,
    /// Its address.
    pub url: String,
    /// How it is asked for.
    pub method: PageMethod,
    /// Fields to post, where the method is `POST`.
    pub fields: indexmap::IndexMap<String, String>,
}

/// How a gateway's page is shown: in a frame, or in place of the shop's page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
#[serde(rename_all = "lowercase")]
pub enum PageKind {
    /// In a frame on our page.
    Iframe,
    /// In place of our page.
    Redirect,
}

/// How a gateway's page is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum PageMethod {
    /// By its address alone.
    Get,
    /// By posting the page's fields to it.
    Post,
}

#[cfg(test)]
mod tests {
    use crate::domain::payment::*;
    use PaymentStatus as S;
    use Transition::{AlreadyApplied, Applied, Refused};

    const EVENTS: [PaymentEvent; 9] = [
        PaymentEvent::Registered,
        PaymentEvent::Processing,
        PaymentEvent::Succeeded,
        PaymentEvent::Failed,
        PaymentEvent::Surplus,
        PaymentEvent::Refunded,
        PaymentEvent::GivenUp,
        PaymentEvent::RefundFailed,
        PaymentEvent::Uncountable,
    ];

    #[test]
    fn a_pages_method_is_stored_by_its_name_in_http() {
        for (method, name) in [(PageMethod::Get, "GET"), (PageMethod::Post, "POST")] {
            let stored = rmp_serde::to_vec(&method).unwrap();
            assert_eq!(stored, rmp_serde::to_vec(name).unwrap());
            assert_eq!(
                rmp_serde::from_slice::<PageMethod>(&stored).unwrap(),
                method
            );
        }
    }

    #[test]
    fn every_status_answers_every_event() {
        let table = [
            (S::Started, "pPYF--U-U"),
            (S::Pending, "=PYF--U-U"),
            (S::Processing, "==YF--U-U"),
            (S::Paid, "===-r-=-="),
            (S::Failed, "==Y=--=-U"),
            (S::Refunding, "===-=R==="),
            (S::Refunded, "===-===r="),
            (S::Unresolved, "==YF--=-U"),
        ];
        for (status, expected) in table {
            let row: String = EVENTS
                .iter()
                .map(|event| match apply(status, *event) {
                    Applied(S::Pending) => 'p',
                    Applied(S::Processing) => 'P',
                    Applied(S::Paid) => 'Y',
                    Applied(S::Failed) => 'F',
                    Applied(S::Refunding) => 'r',
                    Applied(S::Refunded) => 'R',
                    Applied(S::Started) => 's',
                    Applied(S::Unresolved) => 'U',
                    AlreadyApplied => '=',
                    Refused(_) => '-',
                })
                .collect();
            assert_eq!(row, expected, "{status:?}");
        }
        assert_eq!(table.len(), S::ALL.len());
    }
}
