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
    pub(super) owner: Option<((Uuid, Uuid), ListEntry)>,
    pub(super) unclaimed: Option<(String, Uuid)>,
    pub(super) sold: Option<(String, Uuid)>,
    pub(super) price_ends: Option<(DateTime<Utc>, Uuid)>,
    pub(super) saved: Option<(NaiveDate, Uuid)>,
    pub(super) last_day: Option<(NaiveDate, Uuid)>,
    pub(super) renewal_due: Option<(NaiveDate, Uuid)>,
    pub(super) coming: Option<(NaiveDate, Uuid)>,
    pub(super) registrations: Vec<(String, Uuid)>,
    pub(super) reference: Option<(String, Uuid)>,
}

impl ContractIndexes {
    /// The index rows that `quote` and its policy must have.
    pub(super) fn of(quote: &Quote, policy: Option<&Policy>) -> Self {
        let uuid = quote.uuid;
        let policy = policy.filter(|_| quote.status.may_be_policy());
        let live = policy.filter(|_| quote.status == QuoteStatus::Live);
        let mailbox = quote.mailbox.clone().filter(|_| quote.owner.is_none());
        let mailbox = mailbox.map(|name| (name, uuid));
        let (sold, unclaimed) = if quote.status.may_be_policy() {
            (mailbox, None)
        } else {
            (None, mailbox)
        };
        let price_ends = quote.expires.filter(|_| quote.status == QuoteStatus::Quote);
        Self {
            owner: quote
                .owner
                .map(|owner| ((owner, uuid), quote.list_entry(policy))),
            unclaimed,
            sold,
            price_ends: price_ends.map(|at| (at, uuid)),
            saved: quote.is_deleted_in_time().then(|| (quote.saved_on(), uuid)),
            last_day: live.map(|policy| (policy.expiry, uuid)),
            // What is to be cancelled before its last day is not to be renewed.
            renewal_due: live
                .filter(|policy| policy.coming_end.is_none())
                .and_then(|policy| policy.renewal.due())
                .map(|day| (day, uuid)),
            coming: live.and_then(Policy::next_coming).map(|day| (day, uuid)),
            registrations: live
                .map(|policy| &policy.registrations[..])
                .unwrap_or_default()
                .iter()
                .map(|registration| (registration_key(registration), uuid))
                .collect(),
            reference: live.map(|_| (quote.reference.clone(), uuid)),
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
        let keep = (before.sold.as_slice(), self.sold.as_slice());
        replace_keys(tx, &tables::POLICY_BY_MAILBOX, keep)?;
        let keep = (before.price_ends.as_slice(), self.price_ends.as_slice());
        replace_keys(tx, &tables::QUOTE_BY_EXPIRY, keep)?;
        let keep = (before.saved.as_slice(), self.saved.as_slice());
        replace_keys(tx, &tables::QUOTE_BY_SAVED, keep)?;
        let keep = (before.last_day.as_slice(), self.last_day.as_slice());
        replace_keys(tx, &tables::POLICY_BY_EXPIRY, keep)?;
        let keep = (before.renewal_due.as_slice(), self.renewal_due.as_slice());
        replace_keys(tx, &tables::POLICY_BY_RENEWAL, keep)?;
        let keep = (before.coming.as_slice(), self.coming.as_slice());
        replace_keys(tx, &tables::POLICY_BY_COMING, keep)?;
        let keep = (&before.registrations[..], &self.registrations[..]);
        replace_keys(tx, &tables::POLICY_BY_REGISTRATION, keep)?;
        let keep = (before.reference.as_slice(), self.reference.as_slice());
        replace_keys(tx, &tables::POLICY_BY_REFERENCE, keep)
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

#[cfg(test)]
mod tests {
    use super::super::{policies, quotes};
    use super::*;
    use crate::domain::money::Pence;
    use crate::domain::policy::Coming;
    use crate::domain::quote::{Origin, Revision};
    use crate::domain::renewal::{CardCharge, QuotedRenewal, RenewalStatus};
    use crate::store::{Direction, Key, ReadTx, Store};
    use futures_util::FutureExt;
    use std::collections::BTreeMap;

    const QUOTE: Uuid = Uuid::from_u128(1);
    const OWNER: Uuid = Uuid::from_u128(2);

    fn day(number: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 11, number).unwrap()
    }

    fn moment(number: u32) -> DateTime<Utc> {
        day(number).and_hms_opt(12, 0, 0).unwrap().and_utc()
    }

    fn quote() -> Quote {
        Quote {
            uuid: QUOTE,
            reference: "LB1".to_string(),
            product: "breakdown".to_string(),
            status: QuoteStatus::Quote,
            reason: None,
            current: Revision::none(moment(1)),
            tokens: Vec::new(),
            resume: Vec::new(),
            created: moment(1),
            updated: moment(1),
            expires: Some(moment(20)),
            accepted: None,
            gap_answers: BTreeMap::default(),
            shown_to: Vec::new(),
            holder_name: String::new(),
            owner: None,
            mailbox: Some("ann@example.org".to_string()),
            partner: None,
            origin: Origin::default(),
            renews: None,
            versions: Vec::new(),
        }
    }

    fn policy() -> Policy {
        Policy {
            uuid: QUOTE,
            revision: 1,
            inception: day(2),
            expiry: day(28),
            cover_begins: moment(2),
            purchased: moment(1),
            payment: Uuid::nil(),
            paid: Pence(100),
            auto_renew: false,
            registrations: vec!["AB12 CDE".to_string()],
            cancellation: None,
            renewal: RenewalStatus::Due { on: day(7) },
            coming_change: None,
            coming_end: None,
        }
    }

    /// What the store holds now. A read of the embedded engine is done when it is first polled.
    fn snapshot(store: &Store) -> ReadTx {
        let read = store.read(|tx| Ok::<_, StoreError>(tx.clone()));
        read.now_or_never().unwrap().unwrap()
    }

    /// The first parts of the keys of a look-up table.
    fn keys<A: Key>(store: &Store, table: &Table<(A, Uuid), ()>) -> Vec<A> {
        let tx = snapshot(store);
        let rows = table.list(&tx, &(), Direction::Forward, 10).unwrap();
        rows.into_iter().map(|((key, _), ())| key).collect()
    }

    async fn put(store: &Store, quote: &Quote, policy: Option<&Policy>) {
        let (quote, policy) = (quote.clone(), policy.cloned());
        let write = move |tx: &mut WriteTx<'_>| {
            if let Some(policy) = &policy {
                policies::put(tx, policy)?;
            }
            quotes::put(tx, &quote)
        };
        store.write(write).await.unwrap();
    }

    #[tokio::test]
    async fn a_quote_and_its_policy_are_found_by_what_they_say_now_and_by_nothing_else() {
        let store = Store::in_memory().unwrap();
        let (mut quote, mut policy) = (quote(), policy());
        let new = quote.clone();
        let insert = move |tx: &mut WriteTx<'_>| quotes::insert(tx, &new);
        store.write(insert).await.unwrap();
        let unclaimed = keys(&store, &tables::UNCLAIMED_BY_NAME);
        assert_eq!(unclaimed, ["ann@example.org"]);
        assert_eq!(keys(&store, &tables::QUOTE_BY_SAVED), [day(1)]);
        assert_eq!(keys(&store, &tables::QUOTE_BY_EXPIRY), [moment(20)]);

        // Taken over, and saved with another price.
        quote.owner = Some(OWNER);
        quote.expires = Some(moment(21));
        put(&store, &quote, None).await;
        assert!(keys(&store, &tables::UNCLAIMED_BY_NAME).is_empty());
        assert!(keys(&store, &tables::QUOTE_BY_SAVED).is_empty());
        assert_eq!(keys(&store, &tables::QUOTE_BY_EXPIRY), [moment(21)]);
        let entry = |store: &Store| {
            let tx = snapshot(store);
            tables::QUOTE_BY_OWNER.get(&tx, &(OWNER, QUOTE)).unwrap()
        };
        assert_eq!(entry(&store).unwrap().expiry, None);

        // Bought.
        quote.status = QuoteStatus::Live;
        put(&store, &quote, Some(&policy)).await;
        assert!(keys(&store, &tables::QUOTE_BY_EXPIRY).is_empty());
        assert_eq!(keys(&store, &tables::POLICY_BY_EXPIRY), [day(28)]);
        assert_eq!(keys(&store, &tables::POLICY_BY_RENEWAL), [day(7)]);
        let registrations = keys(&store, &tables::POLICY_BY_REGISTRATION);
        assert_eq!(registrations, ["AB12CDE"]);
        assert_eq!(keys(&store, &tables::POLICY_BY_REFERENCE), ["LB1"]);
        assert_eq!(entry(&store).unwrap().expiry, Some(day(28)));

        // Adjusted to another vehicle, and its renewal quoted: only the policy is put.
        policy.registrations = vec!["XY34 ZZZ".to_string()];
        policy.renewal = RenewalStatus::Quoted(QuotedRenewal {
            quote: Uuid::from_u128(3),
            follows: 1,
            told: None,
            card: CardCharge::NotAsked,
            coming: None,
        });
        policy.coming_change = Some(Coming {
            id: Uuid::from_u128(4),
            on: day(20),
        });
        policy.coming_end = Some(Coming {
            id: Uuid::from_u128(5),
            on: day(25),
        });
        let changed = policy.clone();
        let change = move |tx: &mut WriteTx<'_>| policies::put(tx, &changed);
        store.write(change).await.unwrap();
        let registrations = keys(&store, &tables::POLICY_BY_REGISTRATION);
        assert_eq!(registrations, ["XY34ZZZ"]);
        assert!(keys(&store, &tables::POLICY_BY_RENEWAL).is_empty());
        assert_eq!(keys(&store, &tables::POLICY_BY_COMING), [day(20)]);

        // The change has come, and the end is left; while it is to come, no renewal is due.
        policy.coming_change = None;
        policy.renewal = RenewalStatus::Due { on: day(7) };
        let changed = policy.clone();
        let change = move |tx: &mut WriteTx<'_>| policies::put(tx, &changed);
        store.write(change).await.unwrap();
        assert_eq!(keys(&store, &tables::POLICY_BY_COMING), [day(25)]);
        assert!(keys(&store, &tables::POLICY_BY_RENEWAL).is_empty());

        // Cancelled: only the quote is put.
        quote.status = QuoteStatus::Cancelled;
        put(&store, &quote, None).await;
        assert!(keys(&store, &tables::POLICY_BY_REGISTRATION).is_empty());
        assert!(keys(&store, &tables::POLICY_BY_REFERENCE).is_empty());
        assert!(keys(&store, &tables::POLICY_BY_EXPIRY).is_empty());
        assert!(keys(&store, &tables::POLICY_BY_COMING).is_empty());
        assert_eq!(entry(&store).unwrap().status, QuoteStatus::Cancelled);
    }
}
