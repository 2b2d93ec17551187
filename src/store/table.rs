//! Typed tables over the keys and values of `engine/kv.rs`: a table is a number, a name, a row version and two types. It declares
//! its indexes, whose rows `put` and `delete` keep (`writes.rs`).

mod rows;

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::ops::ControlFlow;

use serde::{Serialize, de::DeserializeOwned};

use super::StoreError;
use super::key::Key;
use super::unreadable;
use crate::store::engine::{Direction, Read};

/// A table of rows `V` by key `K`.
///
/// A row is one byte of version and then MessagePack with the fields' names: self-describing,
/// so that an older row can be read by the migration that upgrades it, at half the work of JSON.
pub struct Table<K, V, const IS_INDEX: bool = false> {
    /// First byte of every key; never used again for another table.
    pub(super) number: u8,
    /// What errors and reports call it.
    pub(super) name: &'static str,
    /// Version of the rows this program writes and reads.
    pub(super) version: u8,
    pub(super) indexes: Indexes<K, V>,
    /// The stored key of the row without which a row is of no use.
    pub(super) owner: Option<fn(&K, &V) -> Vec<u8>>,
    types: PhantomData<fn(K) -> V>,
}

/// A table whose rows follow from those of others, which alone write it.
pub type Index<K, V = ()> = Table<K, V, true>;

/// How the index rows of a row are computed.
pub(super) enum Indexes<K, V> {
    None,
    /// They follow from the row, and from others that it may read.
    Own(fn(&mut IndexRows<'_>, &K, &V) -> Result<(), StoreError>),
    /// They are those of a row of another table too, so the absence of this one has some as well.
    Shared(fn(&mut IndexRows<'_>, &K, Option<&V>) -> Result<(), StoreError>),
}

/// The index rows that follow from a row.
pub struct IndexRows<'a> {
    /// Reads other rows from which they follow.
    pub(super) tx: &'a dyn Read,
    /// Values by keys, as they are stored.
    pub(super) rows: BTreeMap<Vec<u8>, Vec<u8>>,
}

impl IndexRows<'_> {
    /// Adds a row.
    pub(super) fn add<K: Key, V: Serialize + DeserializeOwned>(
        &mut self,
        index: &Index<K, V>,
        key: &K,
        row: &V,
    ) -> Result<(), StoreError> {
        self.rows.extend([index.stored(key, row)?]);
        Ok(())
    }
}

impl<K: Key, V: Serialize + DeserializeOwned, const IS_INDEX: bool> Table<K, V, IS_INDEX> {
    pub(super) const fn new(number: u8, name: &'static str, version: u8) -> Self {
        Self {
            number,
            name,
            version,
            indexes: Indexes::None,
            owner: None,
            types: PhantomData,
        }
    }

    /// A key, or the beginning of one, as it is stored.
    pub(super) fn key(&self, key: &impl Key) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(40);
        bytes.push(self.number);
        key.write(&mut bytes);
        bytes
    }

    /// A key and a row as they are stored.
    ///
    /// # Errors
    /// When the row can't be written.
    pub fn stored(&self, key: &K, row: &V) -> Result<(Vec<u8>, Vec<u8>), StoreError> {
        Ok((self.key(key), self.encode(row)?))
    }

    /// The row at `key`.
    ///
    /// # Errors
    /// When the engine fails, or the row isn't one this program can read.
    pub fn get(&self, tx: &(impl Read + ?Sized), key: &K) -> Result<Option<V>, StoreError> {
        let mut row = None;
        let key = self.key(key);
        tx.get(&key, &mut |bytes| {
            row = Some(self.decode_noted(&key, bytes));
        })?;
        row.transpose()
    }

    /// The row at `key`; none where this program can't read it.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn get_readable(&self, tx: &impl Read, key: &K) -> Result<Option<V>, StoreError> {
        match self.get(tx, key) {
            Err(StoreError::Row { .. } | StoreError::RowVersion { .. }) => Ok(None),
            found => found,
        }
    }

    /// Whether there is a row at `key`.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn has(&self, tx: &impl Read, key: &K) -> Result<bool, StoreError> {
        tx.get(&self.key(key), &mut |_| {})
    }

    /// Visits the rows whose key begins with `prefix`.
    ///
    /// # Errors
    /// When the engine fails, or a row isn't one this program can read.
    pub fn scan(
        &self,
        tx: &impl Read,
        prefix: &impl Key,
        direction: Direction,
        mut visit: impl FnMut(K, V) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let mut failure = None;
        self.walk(tx, prefix, direction, |row| match row {
            Ok((key, row)) => visit(key, row),
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        })?;
        failure.map_or(Ok(()), Err)
    }

    /// The same, without the rows that this program can't read. Returns how many it left out.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn scan_readable(
        &self,
        tx: &impl Read,
        prefix: &impl Key,
        direction: Direction,
        mut visit: impl FnMut(K, V) -> ControlFlow<()>,
    ) -> Result<usize, StoreError> {
        let mut left_out = 0;
        self.walk(tx, prefix, direction, |row| match row {
            Ok((key, row)) => visit(key, row),
            Err(_) => {
                left_out += 1;
                ControlFlow::Continue(())
            }
        })?;
        Ok(left_out)
    }

    /// Visits every row whose key begins with `prefix`, or why it can't be read.
    fn walk(
        &self,
        tx: &impl Read,
        prefix: &impl Key,
        direction: Direction,
        mut visit: impl FnMut(Result<(K, V), StoreError>) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let from = self.key(prefix);
        let to = after(&from);
        tx.scan(&from, &to, direction, &mut |bytes, value| {
            visit(self.read_row(bytes, value))
        })
    }

    /// The key and the row of these bytes.
    fn read_row(&self, bytes: &[u8], value: &[u8]) -> Result<(K, V), StoreError> {
        match bytes.get(1..).and_then(|mut rest| K::read(&mut rest)) {
            Some(key) => self.decode_noted(bytes, value).map(|row| (key, row)),
            None => Err(self.report_unreadable(bytes, self.wrong_key())),
        }
    }

    /// The first `limit` rows whose key begins with `prefix`.
    ///
    /// # Errors
    /// As [`Table::scan`].
    pub fn list(
        &self,
        tx: &impl Read,
        prefix: &impl Key,
        direction: Direction,
        limit: usize,
    ) -> Result<Vec<(K, V)>, StoreError> {
        let mut rows = Vec::new();
        if limit > 0 {
            self.scan(tx, prefix, direction, collect(&mut rows, limit))?;
        }
        Ok(rows)
    }

    /// The first `limit` rows that this program can read.
    ///
    /// # Errors
    /// As [`Table::scan_readable`].
    pub fn list_readable(
        &self,
        tx: &impl Read,
        prefix: &impl Key,
        direction: Direction,
        limit: usize,
    ) -> Result<Vec<(K, V)>, StoreError> {
        let mut rows = Vec::new();
        if limit > 0 {
            self.scan_readable(tx, prefix, direction, collect(&mut rows, limit))?;
        }
        Ok(rows)
    }

    /// The row of these bytes. One that can't be read is logged and counted.
    fn decode_noted(&self, key: &[u8], bytes: &[u8]) -> Result<V, StoreError> {
        self.decode(bytes)
            .map_err(|error| self.report_unreadable(key, error))
    }

    fn report_unreadable(&self, key: &[u8], error: StoreError) -> StoreError {
        unreadable::note(self.name, key, &error);
        error
    }

    pub(super) fn wrong_key(&self) -> StoreError {
        StoreError::Row {
            table: self.name,
            detail: "a key that isn't one of this table's".to_string(),
        }
    }

    pub(super) fn encode(&self, row: &V) -> Result<Vec<u8>, StoreError> {
        let mut bytes = Vec::with_capacity(512);
        bytes.push(self.version);
        rmp_serde::encode::write_named(&mut bytes, row).map_err(|_| StoreError::Row {
            table: self.name,
            detail: "it can't be written".to_string(),
        })?;
        Ok(bytes)
    }

    pub(super) fn decode(&self, bytes: &[u8]) -> Result<V, StoreError> {
        let Some((version, row)) = bytes.split_first() else {
            return Err(StoreError::Row {
                table: self.name,
                detail: "an empty row".to_string(),
            });
        };
        if *version != self.version {
            return Err(StoreError::RowVersion {
                table: self.name,
                found: *version,
                known: self.version,
            });
        }
        rmp_serde::from_slice(row).map_err(|error| StoreError::Row {
            table: self.name,
            detail: kind_of(&error).to_string(),
        })
    }
}

impl<K, V> Table<K, V> {
    /// Declares the index rows of a row.
    pub(super) const fn indexed(
        self,
        by: fn(&mut IndexRows<'_>, &K, &V) -> Result<(), StoreError>,
    ) -> Self {
        let indexes = Indexes::Own(by);
        Self { indexes, ..self }
    }

    /// Declares how a row changes the index rows of another table's row.
    pub(super) const fn shares_indexes(
        self,
        by: fn(&mut IndexRows<'_>, &K, Option<&V>) -> Result<(), StoreError>,
    ) -> Self {
        let indexes = Indexes::Shared(by);
        Self { indexes, ..self }
    }

    /// Declares the row without which a row is of no use, by its stored key.
    pub(super) const fn belongs_to(self, owner: fn(&K, &V) -> Vec<u8>) -> Self {
        let owner = Some(owner);
        Self { owner, ..self }
    }
}

/// Collects rows, until there are `limit`.
fn collect<K, V>(rows: &mut Vec<(K, V)>, limit: usize) -> impl FnMut(K, V) -> ControlFlow<()> {
    move |key, row| {
        rows.push((key, row));
        flow(rows.len() < limit)
    }
}

/// Whether a scan goes on.
pub(super) const fn flow(goes_on: bool) -> ControlFlow<()> {
    if goes_on {
        ControlFlow::Continue(())
    } else {
        ControlFlow::Break(())
    }
}

/// What is wrong with a row. The error's own words may quote it, and rows are personal data.
fn kind_of(error: &rmp_serde::decode::Error) -> &'static str {
    use rmp_serde::decode::Error as E;
    match error {
        E::InvalidMarkerRead(_) | E::InvalidDataRead(_) => "it breaks off",
        E::TypeMismatch(_) | E::OutOfRange | E::LengthMismatch(_) => "a value of another type",
        E::Syntax(_) | E::Uncategorized(_) => "fields that don't fit",
        _ => "it can't be read",
    }
}

/// The smallest key that sorts after every key beginning with `prefix`.
pub(super) fn after(prefix: &[u8]) -> Vec<u8> {
    let mut end = prefix.to_vec();
    while let Some(last) = end.pop() {
        if last < u8::MAX {
            end.push(last + 1);
            return end;
        }
    }
    vec![u8::MAX; 64]
}
