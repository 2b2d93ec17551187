//! Payment intents: the payment that belongs to a session.

use std::collections::HashMap;

use serde::{Deserialize, Deserializer};
use serde_json::json;
use uuid::Uuid;

use super::client::{Client, in_path};
use super::error::StripeError;

/// What we note at Stripe with each thing, so that it is found again.
pub(super) type Metadata = HashMap<String, String>;
/// Name of the metadata that holds our attempt.
pub(super) const OUR_PAYMENT: &str = "layby_payment";

/// Reads what Stripe may give as null: one null must not hide the rest of a list.
pub(super) fn null_as_default<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: Default + Deserialize<'de>,
    D: Deserializer<'de>,
{
    Option::<T>::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// One of our ids in metadata.
pub(super) fn ours(metadata: &Metadata, name: &str) -> Option<Uuid> {
    metadata.get(name)?.parse().ok()
}

/// Where a payment stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IntentStatus {
    /// A card is to be entered, for the first time or after one was declined.
    RequiresPaymentMethod,
    /// The customer is at a challenge.
    RequiresAction,
    /// The bank has it.
    Processing,
    /// Paid.
    Succeeded,
    /// It can't be paid any more.
    Canceled,
    /// One that our payments don't have, or that we don't know.
    #[serde(other)]
    Other,
}

/// A payment.
#[derive(Clone, Debug, Deserialize)]
pub struct Intent {
    /// `pi_...`
    pub id: String,
    /// Where it stands.
    pub status: IntentStatus,
    /// Pence.
    pub amount: i64,
    /// What was received of it, pence.
    #[serde(default)]
    pub amount_received: i64,
    /// In small letters.
    pub currency: String,
    #[serde(default, deserialize_with = "null_as_default")]
    metadata: Metadata,
    /// Whether it is about real money.
    pub livemode: bool,
}

impl Intent {
    /// Our attempt that it is for.
    #[must_use]
    pub fn payment(&self) -> Option<Uuid> {
        ours(&self.metadata, OUR_PAYMENT)
    }
}

/// What Stripe gives as its id, or in whole when it is asked to.
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

impl Client {
    /// A payment.
    ///
    /// # Errors
    /// [`StripeError::Missing`] when there is none, or when Stripe isn't clear.
    pub async fn intent(&self, id: &str) -> Result<Intent, StripeError> {
        let path = format!("/v1/payment_intents/{}", in_path(id)?);
        self.get(&path, &json!({})).await
    }
}
