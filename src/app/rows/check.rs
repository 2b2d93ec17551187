//! Whether rows and their indexes agree: each row is found by its index rows, and each index row leads
//! to a row that it belongs to.

use std::ops::ControlFlow;

use chrono::{DateTime, Utc};
use data_encoding::HEXLOWER;
use serde::{Serialize, de::DeserializeOwned};
use uuid::Uuid;

use super::contract_indexes::ContractIndexes;
use super::{payments, policies, users};
use crate::domain::quote::Quote;
use crate::store::{AnyTable, Direction, Key, ReadTx, StoreError, Table, tables};

/// Hears each mistake; breaks off when nobody wants to hear more.
pub(in crate::app) type Hear<'a> = &'a mut dyn FnMut(Found) -> ControlFlow<()>;

/// What is met.
pub(in crate::app) enum Found {
    /// One more row was compared.
    Row,
    /// A row and an index don't agree.
    Mistake(String),
}

/// Compares every row with its indexes, both ways. A row that can't be read ends it.
pub(in crate::app) fn check(tx: &ReadTx, hear: Hear<'_>) -> Result<(), StoreError> {
    let mut check = Check { tx, hear };
    let done = check.contracts().and_then(|()| check.others());
    match done {
        Err(Stop::Store(error)) => Err(error),
        Err(Stop::Unheard) | Ok(()) => Ok(()),
    }
}

/// Why a check ends early.
enum Stop {
    Store(StoreError),
    Unheard,
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

struct Check<'a> {
    tx: &'a ReadTx,
    hear: Hear<'a>,
}

type OfUuid = (Uuid, Uuid);
type OfTime = (DateTime<Utc>, [u8; 32]);
type OfUser = (Uuid, [u8; 32]);

impl Check<'_> {
    /// Quotes and policies, whose indexes follow from both together.
    fn contracts(&mut self) -> Result<(), Stop> {
        let tx = self.tx;
        self.each(&tables::QUOTES, |check, _, quote: Quote| {
            let of = ContractIndexes::of(&quote, policies::of_quote(tx, &quote)?.as_ref());
            if let Some((key, entry)) = &of.owner
                && tables::QUOTE_BY_OWNER.get(tx, key)?.as_ref() != Some(entry)
            {
                check.not_found("quotes", "quote_by_owner", key)?;
            }
            check.found(
                "quotes",
                &tables::UNCLAIMED_BY_NAME,
                of.unclaimed.as_slice(),
            )?;
            check.found("policies", &tables::POLICY_BY_MAILBOX, of.sold.as_slice())?;
            check.found("quotes", &tables::QUOTE_BY_EXPIRY, of.price_ends.as_slice())?;
            check.found("quotes", &tables::QUOTE_BY_SAVED, of.saved.as_slice())?;
            check.found(
                "policies",
                &tables::POLICY_BY_EXPIRY,
                of.last_day.as_slice(),
            )?;
            check.found(
                "policies",
                &tables::POLICY_BY_RENEWAL,
                of.renewal_due.as_slice(),
            )?;
            check.found("policies", &tables::POLICY_BY_COMING, of.coming.as_slice())?;
            check.found(
                "policies",
                &tables::POLICY_BY_REGISTRATION,
                &of.registrations,
            )
        })?;
        self.each(&tables::QUOTE_BY_OWNER, |check, key: OfUuid, _| {
            let of = check.contract(&key.1)?;
            let is_its = of.owner.is_some_and(|(own, _)| own == key);
            check.leads_to(is_its, "quote_by_owner", "quotes", &key)
        })?;
        self.strays(&tables::UNCLAIMED_BY_NAME, |of| of.unclaimed.as_slice())?;
        self.strays(&tables::POLICY_BY_MAILBOX, |of| of.sold.as_slice())?;
        self.strays(&tables::QUOTE_BY_EXPIRY, |of| of.price_ends.as_slice())?;
        self.strays(&tables::QUOTE_BY_SAVED, |of| of.saved.as_slice())?;
        self.strays(&tables::POLICY_BY_EXPIRY, |of| of.last_day.as_slice())?;
        self.strays(&tables::POLICY_BY_RENEWAL, |of| of.renewal_due.as_slice())?;
        self.strays(&tables::POLICY_BY_COMING, |of| of.coming.as_slice())?;
        self.strays(&tables::POLICY_BY_REGISTRATION, |of| &of.registrations)
    }

    fn others(&mut self) -> Result<(), Stop> {
        let (rows, index) = (&tables::ADJUSTMENTS, &tables::ADJUSTMENT_BY_POLICY);
        self.both(
            rows,
            index,
            |id, row| (row.policy, *id),
            |key: &OfUuid| key.1,
        )?;
        let (rows, index) = (
            &tables::LATER_CANCELLATIONS,
            &tables::LATER_CANCELLATION_BY_POLICY,
        );
        self.both(
            rows,
            index,
            |id, row| (row.policy, *id),
            |key: &OfUuid| key.1,
        )?;
        let (rows, index) = (&tables::PAYMENTS, &tables::PAYMENT_BY_QUOTE);
        self.both(
            rows,
            index,
            |id, row| (row.quote, *id),
            |key: &OfUuid| key.1,
        )?;
        self.references()?;
        let (rows, index) = (&tables::REFUNDS, &tables::REFUND_BY_POLICY);
        self.both(
            rows,
            index,
            |id, row| (row.policy, *id),
            |key: &OfUuid| key.1,
        )?;
        let (rows, index) = (&tables::DOCUMENTS, &tables::DOCUMENT_BY_POLICY);
        self.both(
            rows,
            index,
            |id, row| (row.policy, *id),
            |key: &OfUuid| key.1,
        )?;
        let (rows, index) = (&tables::SESSIONS, &tables::SESSION_BY_USER);
        self.both(rows, index, |id, row| (row.user, *id), |key: &OfUser| key.1)?;
        let (rows, index) = (&tables::SESSIONS, &tables::SESSION_BY_END);
        self.both(
            rows,
            index,
            |id, row| (row.expires, *id),
            |key: &OfTime| key.1,
        )?;
        let (rows, index) = (&tables::LINKS, &tables::LINK_BY_USER);
        self.both(rows, index, |id, row| (row.user, *id), |key: &OfUser| key.1)?;
        let (rows, index) = (&tables::LINKS, &tables::LINK_BY_END);
        self.both(
            rows,
            index,
            |id, row| (row.expires, *id),
            |key: &OfTime| key.1,
        )?;
        let (rows, index) = (&tables::CLICKS, &tables::CLICK_BY_QUOTE);
        self.both(
            rows,
            index,
            |id, row| (row.quote, *id),
            |key: &OfUser| key.1,
        )?;
        let (rows, index) = (&tables::PARTNER_REQUESTS, &tables::PARTNER_REQUEST_BY_QUOTE);
        self.named(rows, index, |row| Some(row.quote))?;
        let (rows, index) = (&tables::ANSWERED, &tables::ANSWERED_BY_TIME);
        self.both(rows, index, |id, row| (row.at, *id), |key: &OfTime| key.1)?;
        self.named(&tables::USERS, &tables::USER_BY_NAME, users::name_of)?;
        self.named(&tables::PRODUCTS, &tables::PRODUCT_VERSIONS, |file| {
            Some((file.identifier.clone(), file.version.clone()))
        })?;
        self.belongs(&tables::REVISIONS, &tables::QUOTES, |key| key.0)?;
        self.belongs(&tables::POLICIES, &tables::QUOTES, |key| *key)?;
        self.belongs(&tables::LEDGER, &tables::QUOTES, |key| key.0)?;
        self.belongs(&tables::DOCUMENT_PAGES, &tables::DOCUMENTS, |key| *key)
    }

    /// An attempt to pay is found by each of its gateway's references.
    fn references(&mut self) -> Result<(), Stop> {
        let index = &tables::PAYMENT_BY_REFERENCE;
        self.each(&tables::PAYMENTS, |check, id, payment| {
            for key in payments::references(&payment) {
                if index.get(check.tx, &key)? != Some(id) {
                    check.not_found("payments", index.name(), &key)?;
                }
            }
            Ok(())
        })?;
        self.each(index, |check, key, id| {
            let payment = tables::PAYMENTS.get(check.tx, &id)?;
            let is_its = payment.is_some_and(|own| payments::references(&own).contains(&key));
            check.leads_to(is_its, index.name(), "payments", &key)
        })
    }

    /// The index rows that a quote and its policy must have; none where there is no such quote.
    fn contract(&self, uuid: &Uuid) -> Result<ContractIndexes, StoreError> {
        let Some(quote) = tables::QUOTES.get(self.tx, uuid)? else {
            return Ok(ContractIndexes::default());
        };
        let policy = policies::of_quote(self.tx, &quote)?;
        Ok(ContractIndexes::of(&quote, policy.as_ref()))
    }

    /// Each row of an index of quotes and policies is one that they must have.
    fn strays<A: Key>(
        &mut self,
        index: &Table<(A, Uuid), ()>,
        keys: impl Fn(&ContractIndexes) -> &[(A, Uuid)],
    ) -> Result<(), Stop> {
        self.each(index, |check, key, ()| {
            let of = check.contract(&key.1)?;
            let is_its = keys(&of).iter().any(|own| is_same(own, &key));
            check.leads_to(is_its, index.name(), "quotes", &key)
        })
    }

    /// Each row has its index row, and each index row its row.
    fn both<K: Key, V: Row, I: Key>(
        &mut self,
        rows: &Table<K, V>,
        index: &Table<I, ()>,
        key_of: impl Fn(&K, &V) -> I,
        row_of: impl Fn(&I) -> K,
    ) -> Result<(), Stop> {
        self.each(rows, |check, key, row| {
            check.found(rows.name(), index, &[key_of(&key, &row)])
        })?;
        self.each(index, |check, key, ()| {
            let of = row_of(&key);
            let row = rows.get(check.tx, &of)?;
            let is_its = row.is_some_and(|row| is_same(&key_of(&of, &row), &key));
            check.leads_to(is_its, index.name(), rows.name(), &key)
        })
    }

    /// The same for an index whose rows say which row is meant.
    fn named<K: Key + PartialEq + Row, V: Row, I: Key>(
        &mut self,
        rows: &Table<K, V>,
        index: &Table<I, K>,
        name_of: impl Fn(&V) -> Option<I>,
    ) -> Result<(), Stop> {
        self.each(rows, |check, key, row| {
            if let Some(name) = name_of(&row)
                && index.get(check.tx, &name)? != Some(key)
            {
                check.not_found(rows.name(), index.name(), &name)?;
            }
            Ok(())
        })?;
        self.each(index, |check, name, of| {
            let row = rows.get(check.tx, &of)?;
            let own = row.and_then(|row| name_of(&row));
            let is_its = own.is_some_and(|own| is_same(&own, &name));
            check.leads_to(is_its, index.name(), rows.name(), &name)
        })
    }

    /// Each row has the row that it belongs to.
    fn belongs<K: Key, V: Row, O: Key, W: Row>(
        &mut self,
        rows: &Table<K, V>,
        owners: &Table<O, W>,
        owner_of: impl Fn(&K) -> O,
    ) -> Result<(), Stop> {
        self.each(rows, |check, key, _| {
            let has_owner = owners.has(check.tx, &owner_of(&key))?;
            check.leads_to(has_owner, rows.name(), owners.name(), &key)
        })
    }

    fn each<K: Key, V: Row>(
        &mut self,
        table: &Table<K, V>,
        mut compare: impl FnMut(&mut Self, K, V) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let mut outcome = Ok(());
        let tx = self.tx;
        table.scan(tx, &(), Direction::Forward, |key, row| {
            outcome = self.say(Found::Row).and_then(|()| compare(self, key, row));
            match outcome {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        })?;
        outcome
    }

    /// Each of these keys is in the index.
    fn found<I: Key>(&mut self, rows: &str, index: &Table<I, ()>, keys: &[I]) -> Result<(), Stop> {
        for key in keys {
            if !index.has(self.tx, key)? {
                self.not_found(rows, index.name(), key)?;
            }
        }
        Ok(())
    }

    fn not_found(&mut self, rows: &str, index: &str, key: &impl Key) -> Result<(), Stop> {
        let key = shown(key);
        self.say(Found::Mistake(format!(
            "a row of table {rows} isn't in its index {index}, where its key would be {key}"
        )))
    }

    fn leads_to(&mut self, is_its: bool, from: &str, to: &str, key: &impl Key) -> Result<(), Stop> {
        if is_its {
            return Ok(());
        }
        let key = shown(key);
        self.say(Found::Mistake(format!(
            "a row of table {from} leads to no row of table {to} that it belongs to; its key is {key}"
        )))
    }

    fn say(&mut self, found: Found) -> Result<(), Stop> {
        match (self.hear)(found) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Stop::Unheard),
        }
    }
}

/// What can be a row.
trait Row: Serialize + DeserializeOwned {}
impl<T: Serialize + DeserializeOwned> Row for T {}

/// Whether two keys are stored alike: a moment in a key has milliseconds, one in a row may have more.
fn is_same(one: &impl Key, other: &impl Key) -> bool {
    bytes_of(one) == bytes_of(other)
}

fn shown(key: &impl Key) -> String {
    HEXLOWER.encode(&bytes_of(key))
}

fn bytes_of(key: &impl Key) -> Vec<u8> {
    let mut bytes = Vec::new();
    key.write(&mut bytes);
    bytes
}
