//! Payment intents: the payment of a session.

use std::collections::HashMap;

use serde::{Deserialize, Deserializer};
use uuid::Uuid;

/// Our ids on Stripe's objects. The shop finds the objects by these ids.
pub(super) type Metadata = HashMap<String, String>;
/// Metadata key of our attempt.
pub(super) const OUR_PAYMENT: &str = "layby_payment";

/// Reads null as the default, so that one null doesn't make a list unreadable.
pub(super) fn null_as_default<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: Default + Deserialize<'de>,
    D: Deserializer<'de>,
{
    Option::<T>::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// Returns one of our ids in metadata, or `None` if it is missing or invalid.
pub(super) fn our_id(metadata: &Metadata, name: &str) -> Option<Uuid> {
    metadata.get(name)?.parse().ok()
}

/// A payment intent's status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IntentStatus {
    /// The customer must enter a card, for the first time or after a declined card.
    RequiresPaymentMethod,
    /// The customer must complete a challenge.
    RequiresAction,
    /// The bank is processing the payment.
    Processing,
    /// Paid.
    Succeeded,
    /// The intent can no longer be paid.
    Canceled,
    /// A status that our payments never have, or an unknown status.
    #[serde(other)]
    Other,
}

/// A payment intent.
#[derive(Clone, Debug, Deserialize)]
pub struct Intent {
    /// `pi_...`
    pub id: String,
    pub status: IntentStatus,
    /// Amount in pence.
    pub amount: i64,
    /// Received amount in pence.
    #[serde(default)]
    pub amount_received: i64,
    /// Currency, in lower case.
    pub currency: String,
    #[serde(default, deserialize_with = "null_as_default")]
    metadata: Metadata,
}

impl Intent {
    /// Returns our id of the attempt, or `None` if the intent has none.
    #[must_use]
    pub fn payment(&self) -> Option<Uuid> {
        our_id(&self.metadata, OUR_PAYMENT)
    }
}

/// A payment intent that Stripe returns as its id, or as a whole on request.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Expandable {
    Id(String),
    Whole(Box<Intent>),
}

impl Expandable {
    pub(super) fn id(&self) -> &str {
        match self {
            Self::Id(id) => id,
            Self::Whole(whole) => &whole.id,
        }
    }

    pub(super) fn whole(&self) -> Option<&Intent> {
        match self {
            Self::Id(_) => None,
            Self::Whole(whole) => Some(whole),
        }
    }
}
