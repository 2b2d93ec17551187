//! An attempt to pay, and what a gateway may report of it, in any order and any number of times.

mod at_gateway;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub use at_gateway::{Currency, Failure, FailureClass, Keys, Mode, References};

use super::moment;
use super::money::Pence;
use super::transition::Transition;

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

        (S::Started | S::Pending | S::Processing | S::Failed, E::Uncountable) => {
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

/// What a customer reads of an attempt that was paid in a currency that the shop doesn't take.
pub const OTHER_CURRENCY: &str = "Your card was charged in another currency than it should have been. \
                                  We are finding out. Please call us before you pay again.";

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
    #[serde(with = "moment")]
    pub created: DateTime<Utc>,
    /// Last changed.
    #[serde(with = "moment")]
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
}

impl Payment {
    /// Whether money came in a currency that the shop can't count, which is for a person to give back.
    #[must_use]
    pub fn is_in_another_currency(&self) -> bool {
        self.status == PaymentStatus::Unresolved && self.message.as_deref() == Some(OTHER_CURRENCY)
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

/// How a gateway's page is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PageKind {
    /// In a frame on our page.
    Iframe,
    /// In place of our page.
    Redirect,
}

/// How a gateway's page is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum PageMethod {
    /// By its address alone.
    Get,
    /// By posting the page's fields to it.
    Post,
}

#[cfg(test)]
mod tests {
    use super::*;
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
            (S::Unresolved, "==YF--=-="),
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
