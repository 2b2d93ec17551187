//! The indexes of a quote and of the policy it may have become. Both rows have one uuid, and
//! which index rows there must be follows from the two together: a policy is found by its
//! registrations only while its quote says that it is live.

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use crate::domain::policy::Policy;
use crate::domain::quote::list::ListEntry;
use crate::domain::quote::{Quote, QuoteStatus};
use crate::store::{StoreError, Table, WriteTx, tables};

/// Every index row of one quote and its policy.
#[derive(Default)]
pub(super) struct ContractIndexes {
    owner: Option<((Uuid, Uuid), ListEntry)>,
    unclaimed: Option<(String, Uuid)>,
    price_ends: Option<(DateTime<Utc>, Uuid)>,
    last_day: Option<(NaiveDate, Uuid)>,
    renewal_due: Option<(NaiveDate, Uuid)>,
    registrations: Vec<(String, Uuid)>,
}

impl ContractIndexes {
    /// The index rows that `quote` and its policy must have.
    pub(super) fn of(quote: &Quote, policy: Option<&Policy>) -> Self {
        let uuid = quote.uuid;
        let policy = policy.filter(|_| quote.status.may_be_policy());
        let live = policy.filter(|_| quote.status == QuoteStatus::Live);
        let unclaimed = quote.mailbox.clone().filter(|_| quote.owner.is_none());
        let price_ends = quote.expires.filter(|_| quote.status == QuoteStatus::Quote);
        Self {
            owner: quote
                .owner
                .map(|owner| ((owner, uuid), quote.list_entry(policy))),
            unclaimed: unclaimed.map(|name| (name, uuid)),
            price_ends: price_ends.map(|at| (at, uuid)),
            last_day: live.map(|policy| (policy.expiry, uuid)),
            renewal_due: live
                .and_then(|policy| policy.renewal.due())
                .map(|day| (day, uuid)),
            registrations: live
                .map(|policy| &policy.registrations[..])
                .unwrap_or_default()
                .iter()
                .map(|registration| (registration_key(registration), uuid))
                .collect(),
        }
    }

    /// Removes the index rows of `before` that no longer hold and writes those of `self`.
    pub(super) fn replace(self, tx: &mut WriteTx<'_>, before: &Self) -> Result<(), StoreError> {
        let old_owner = before.owner.as_ref().map(|(key, _)| key);
        let new_owner = self.owner.as_ref().map(|(key, _)| key);
        if let Some(old) = old_owner.filter(|old| Some(*old) != new_owner) {
            tables::QUOTE_BY_OWNER.delete(tx, old);
        }
        if let Some((key, entry)) = &self.owner {
            tables::QUOTE_BY_OWNER.put(tx, key, entry)?;
        }
        let keep = (before.unclaimed.as_slice(), self.unclaimed.as_slice());
        replace_keys(tx, &tables::UNCLAIMED_BY_NAME, keep)?;
        let keep = (before.price_ends.as_slice(), self.price_ends.as_slice());
        replace_keys(tx, &tables::QUOTE_BY_EXPIRY, keep)?;
        let keep = (before.last_day.as_slice(), self.last_day.as_slice());
        replace_keys(tx, &tables::POLICY_BY_EXPIRY, keep)?;
        let keep = (before.renewal_due.as_slice(), self.renewal_due.as_slice());
        replace_keys(tx, &tables::POLICY_BY_RENEWAL, keep)?;
        let keep = (&before.registrations[..], &self.registrations[..]);
        replace_keys(tx, &tables::POLICY_BY_REGISTRATION, keep)
    }
}

/// Removes the keys before that are none now, and writes those that are new.
fn replace_keys<K: crate::store::Key + PartialEq>(
    tx: &mut WriteTx<'_>,
    table: &Table<K, ()>,
    (before, now): (&[K], &[K]),
) -> Result<(), StoreError> {
    for key in before.iter().filter(|key| !now.contains(key)) {
        table.delete(tx, key);
    }
    for key in now.iter().filter(|key| !before.contains(key)) {
        table.put(tx, key, &())?;
    }
    Ok(())
}

/// How a registration mark is looked up: without its space.
pub(in crate::app) fn registration_key(registration: &str) -> String {
    registration.split_whitespace().collect()
}
