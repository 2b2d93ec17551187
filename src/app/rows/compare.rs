//! Comparing the rows of two tables: what each finds of the other, and saying what doesn't agree.

use std::ops::ControlFlow;

use data_encoding::HEXLOWER;
use serde::{Serialize, de::DeserializeOwned};

use crate::store::{AnyTable, Direction, Key, ReadTx, StoreError, Table};

/// Hears each mistake; breaks off when nobody wants to hear more.
pub(in crate::app) type Hear<'a> = &'a mut dyn FnMut(Found) -> ControlFlow<()>;

/// What is met.
pub(in crate::app) enum Found {
    /// One more row was compared.
    Row,
    /// A row and an index don't agree.
    Mistake(String),
}

/// Why a comparison ends early.
pub(in crate::app) enum Stop {
    /// The store failed, or a row can't be read.
    Store(StoreError),
    /// Nobody wants to hear more.
    Unheard,
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Stop {
    /// How a comparison that nobody hears to its end has ended.
    pub(in crate::app) fn unless_unheard(done: Result<(), Self>) -> Result<(), StoreError> {
        match done {
            Err(Self::Store(error)) => Err(error),
            Err(Self::Unheard) | Ok(()) => Ok(()),
        }
    }
}

/// A comparison that is under way.
pub(in crate::app) struct Compare<'a> {
    /// The rows.
    pub(in crate::app) tx: &'a ReadTx,
    hear: Hear<'a>,
}

impl<'a> Compare<'a> {
    /// Of these rows.
    pub(in crate::app) fn new(tx: &'a ReadTx, hear: Hear<'a>) -> Self {
        Self { tx, hear }
    }

    /// Each row has its index row, and each index row its row.
    pub(in crate::app) fn both<K: Key, V: Row, I: Key>(
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
    pub(in crate::app) fn named<K: Key + PartialEq + Row, V: Row, I: Key>(
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
    pub(in crate::app) fn belongs<K: Key, V: Row, O: Key, W: Row>(
        &mut self,
        rows: &Table<K, V>,
        owners: &Table<O, W>,
        owner_of: impl Fn(&K, &V) -> O,
    ) -> Result<(), Stop> {
        self.each(rows, |check, key, row| {
            let has_owner = owners.has(check.tx, &owner_of(&key, &row))?;
            check.leads_to(has_owner, rows.name(), owners.name(), &key)
        })
    }

    /// Visits each row of a table.
    pub(in crate::app) fn each<K: Key, V: Row>(
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
    pub(in crate::app) fn found<I: Key>(
        &mut self,
        rows: &str,
        index: &Table<I, ()>,
        keys: &[I],
    ) -> Result<(), Stop> {
        for key in keys {
            if !index.has(self.tx, key)? {
                self.not_found(rows, index.name(), key)?;
            }
        }
        Ok(())
    }

    /// A row isn't in the index where it should be under `key`.
    pub(in crate::app) fn not_found(
        &mut self,
        rows: &str,
        index: &str,
        key: &impl Key,
    ) -> Result<(), Stop> {
        let key = shown(key);
        self.say(Found::Mistake(format!(
            "a row of table {rows} isn't in its index {index}, where its key would be {key}"
        )))
    }

    /// Says that the row of table `from` belongs to none of table `to`, where that is so.
    pub(in crate::app) fn leads_to(
        &mut self,
        is_its: bool,
        from: &str,
        to: &str,
        key: &impl Key,
    ) -> Result<(), Stop> {
        if is_its {
            return Ok(());
        }
        let key = shown(key);
        self.say(Found::Mistake(format!(
            "a row of table {from} leads to no row of table {to} that it belongs to; its key is {key}"
        )))
    }

    /// Says what was found.
    pub(in crate::app) fn say(&mut self, found: Found) -> Result<(), Stop> {
        match (self.hear)(found) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Stop::Unheard),
        }
    }
}

/// What can be a row.
pub(in crate::app) trait Row: Serialize + DeserializeOwned {}
impl<T: Serialize + DeserializeOwned> Row for T {}

/// Whether two keys are stored alike: a moment in a key has milliseconds, one in a row may have more.
pub(in crate::app) fn is_same(one: &impl Key, other: &impl Key) -> bool {
    bytes_of(one) == bytes_of(other)
}

/// A key as messages show it.
pub(in crate::app) fn shown(key: &impl Key) -> String {
    HEXLOWER.encode(&bytes_of(key))
}

fn bytes_of(key: &impl Key) -> Vec<u8> {
    let mut bytes = Vec::new();
    key.write(&mut bytes);
    bytes
}
