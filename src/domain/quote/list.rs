//! The list entry of a quote or policy.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use super::status::status_at;
use super::{Quote, QuoteStatus};
use crate::domain::money::Pence;
use crate::domain::policy::Policy;

/// The entry of a quote or policy in its owner's list (part 3 of the specification, "Policy and
/// list"). The entry is stored beside the quote, so that a list does not read whole quotes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ListEntry {
    /// The number that the customer sees.
    pub reference: String,
    /// The product's identifier.
    pub product: String,
    /// The stored status; see [`ListEntry::status_at`].
    pub status: QuoteStatus,
    /// The policyholder's name.
    pub holder_name: String,
    /// When the quote was first saved.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub created: DateTime<Utc>,
    /// The first day of cover.
    pub inception: Option<NaiveDate>,
    /// The last day of cover.
    pub expiry: Option<NaiveDate>,
    /// The moment from which a quote's price no longer holds.
    #[serde(with = "chrono::serde::ts_microseconds_option")]
    pub expires: Option<DateTime<Utc>>,
    /// The price, in pence.
    pub amount: Option<Pence>,
    /// The price's currency.
    pub currency: Option<String>,
    /// Whether the quote renews a policy.
    pub renewal: bool,
}

impl ListEntry {
    /// Returns the status at `now`, as [`Quote::status_at`].
    #[must_use]
    pub fn status_at(&self, now: DateTime<Utc>) -> QuoteStatus {
        status_at(self.status, self.expires, now)
    }
}

impl Quote {
    /// Returns the list entry of the quote, and of its `policy` if it was bought.
    #[must_use]
    pub fn list_entry(&self, policy: Option<&Policy>) -> ListEntry {
        let price = self.current.price.as_ref();
        // After a change, the list shows the price in force, and not the accepted price.
        let accepted = self
            .accepted
            .as_ref()
            .filter(|accepted| policy.is_some_and(|policy| policy.revision == accepted.revision));
        ListEntry {
            reference: self.reference.clone(),
            product: self.product.clone(),
            status: self.status,
            holder_name: self.holder_name.clone(),
            created: self.created,
            inception: policy.map_or(self.current.inception, |policy| Some(policy.inception)),
            expiry: policy.map_or(self.current.expiry, |policy| Some(policy.expiry)),
            expires: self.expires.filter(|_| policy.is_none()),
            amount: accepted
                .map(|accepted| accepted.amount)
                .or_else(|| price.map(|price| price.total)),
            currency: price.map(|price| price.currency.clone()),
            renewal: self.is_renewal(),
        }
    }
}
