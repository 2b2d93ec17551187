//! Typed tables over the keys and values of `engine/kv.rs`.
//!
//! A table is a number, a name, a row version and two types. The table declares its indexes. `put` and
//! `delete` update the index rows (`writes.rs`).

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
/// A row is one byte of version, then MessagePack with field names. The format is self-describing, so
/// that a migration can read an older row.
pub struct Table<K, V, const IS_INDEX: bool = false> {
    /// First byte of every key of the table. Another table never gets this number.
    pub(super) number: u8,
    /// Name in errors and reports.
    pub(super) name: &'static str,
    /// Version of the rows that this program reads and writes.
    pub(super) version: u8,
    pub(super) indexes: Indexes<K, V>,
    /// Computes the stored key of a row's owner row. Without that owner row, the row has no use.
    pub(super) owner: Option<fn(&K, &V) -> Vec<u8>>,
    types: PhantomData<fn(K) -> V>,
}

/// A table whose rows are derived from other tables. Writes to the other tables update these rows.
pub type Index<K, V = ()> = Table<K, V, true>;

/// The stored bytes of a row.
#[derive(Clone, Copy)]
pub struct StoredRow<'a> {
    /// The key without the table's number.
    pub key: &'a [u8],
    pub value: &'a [u8],
}

/// How a row's index rows are computed.
pub(super) enum Indexes<K, V> {
    None,
    /// From the row, and from other rows that the function reads.
    Own(fn(&mut IndexRows<'_>, &K, &V) -> Result<(), StoreError>),
    /// From the row, if there is one, together with another table's row.
    Shared(fn(&mut IndexRows<'_>, &K, Option<&V>) -> Result<(), StoreError>),
}

/// The index rows derived from a row.
pub struct IndexRows<'a> {
    /// Reads the other rows that the index rows depend on.
    pub(super) tx: &'a dyn Read,
    /// Stored values by stored keys.
    pub(super) rows: BTreeMap<Vec<u8>, Vec<u8>>,
}

impl IndexRows<'_> {
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

    /// Returns the stored form of a key, or of a key's beginning.
    pub(super) fn key(&self, key: &impl Key) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(40);
        bytes.push(self.number);
        key.write(&mut bytes);
        bytes
    }

    /// Returns the stored form of a key and a row.
    ///
    /// # Errors
    /// When the row can't be encoded.
    pub fn stored(&self, key: &K, row: &V) -> Result<(Vec<u8>, Vec<u8>), StoreError> {
        Ok((self.key(key), self.encode(row)?))
    }

    /// Returns the row at `key`.
    ///
    /// # Errors
    /// When the engine fails, or this program can't read the row.
    pub fn get(&self, tx: &(impl Read + ?Sized), key: &K) -> Result<Option<V>, StoreError> {
        let mut row = None;
        let key = self.key(key);
        tx.get(&key, &mut |bytes| {
            row = Some(self.decode_noted(&key, bytes));
        })?;
        row.transpose()
    }

    /// Returns the row at `key`. Returns `None` if the row is missing, or if this program can't read the
    /// row.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn get_readable(&self, tx: &impl Read, key: &K) -> Result<Option<V>, StoreError> {
        match self.get(tx, key) {
            Err(error) if error.is_unreadable_row() => Ok(None),
            found => found,
        }
    }

    /// Returns whether there is a row at `key`.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn has(&self, tx: &impl Read, key: &K) -> Result<bool, StoreError> {
        tx.get(&self.key(key), &mut |_| {})
    }

    /// Visits the rows whose key begins with `prefix`, until `visit` breaks.
    ///
    /// # Errors
    /// When the engine fails, or this program can't read a row.
    pub fn scan(
        &self,
        tx: &impl Read,
        prefix: &impl Key,
        direction: Direction,
        mut visit: impl FnMut(K, V) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let mut failure = None;
        self.walk(tx, prefix, direction, |_, row| match row {
            Ok((key, row)) => visit(key, row),
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        })?;
        failure.map_or(Ok(()), Err)
    }

    /// Visits the readable rows whose key begins with `prefix`, until `visit` breaks. Returns the number
    /// of skipped rows.
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
        self.walk(tx, prefix, direction, |_, row| match row {
            Ok((key, row)) => visit(key, row),
            Err(_) => {
                left_out += 1;
                ControlFlow::Continue(())
            }
        })?;
        Ok(left_out)
    }

    /// Passes every row whose key begins with `prefix` to `visit`, or the error of an unreadable row, until
    /// `visit` breaks. Also passes the stored bytes.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn walk(
        &self,
        tx: &impl Read,
        prefix: &impl Key,
        direction: Direction,
        mut visit: impl FnMut(StoredRow<'_>, Result<(K, V), StoreError>) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let from = self.key(prefix);
        let to = after(&from);
        tx.scan(&from, &to, direction, &mut |bytes, value| {
            let stored = StoredRow {
                key: bytes.get(1..).unwrap_or_default(),
                value,
            };
            visit(stored, self.read_row(bytes, value))
        })
    }

    /// Decodes a stored key and row.
    fn read_row(&self, bytes: &[u8], value: &[u8]) -> Result<(K, V), StoreError> {
        let mut rest = bytes.get(1..).unwrap_or_default();
        match K::read(&mut rest) {
            Some(key) if rest.is_empty() => self.decode_noted(bytes, value).map(|row| (key, row)),
            _ => Err(self.report_unreadable(bytes, self.wrong_key())),
        }
    }

    /// Returns the first `limit` rows whose key begins with `prefix`.
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

    /// Returns the first `limit` readable rows after `key`, or the first rows of the table.
    ///
    /// # Errors
    /// As [`Table::scan_readable`].
    pub fn list_readable_after(
        &self,
        tx: &impl Read,
        key: Option<&K>,
        limit: usize,
    ) -> Result<Vec<(K, V)>, StoreError> {
        let mut from = vec![self.number];
        if let Some(key) = key {
            from = self.key(key);
            from.push(0);
        }
        let mut rows = Vec::new();
        tx.scan(
            &from,
            &after(&[self.number]),
            Direction::Forward,
            &mut |bytes, value| {
                rows.extend(self.read_row(bytes, value));
                flow(rows.len() < limit)
            },
        )?;
        Ok(rows)
    }

    /// Returns the first `limit` readable rows whose key begins with `prefix`.
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

    /// Decodes a row. Logs and counts an unreadable row.
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

    /// Decodes a stored value.
    ///
    /// # Errors
    /// When the value isn't a row of this table.
    pub fn decode(&self, bytes: &[u8]) -> Result<V, StoreError> {
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
                supported: self.version,
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

    /// Declares a row's owner row by the owner row's stored key. Without that owner row, the row has no
    /// use.
    pub(super) const fn belongs_to(self, owner: fn(&K, &V) -> Vec<u8>) -> Self {
        let owner = Some(owner);
        Self { owner, ..self }
    }
}

/// Collects rows, up to `limit`.
fn collect<K, V>(rows: &mut Vec<(K, V)>, limit: usize) -> impl FnMut(K, V) -> ControlFlow<()> {
    move |key, row| {
        rows.push((key, row));
        flow(rows.len() < limit)
    }
}

/// Converts `goes_on` into the flow of a scan.
pub(super) const fn flow(goes_on: bool) -> ControlFlow<()> {
    if goes_on {
        ControlFlow::Continue(())
    } else {
        ControlFlow::Break(())
    }
}

/// Returns what is wrong with a row. The error's own message may quote the row, which may be personal
/// data.
fn kind_of(error: &rmp_serde::decode::Error) -> &'static str {
    use rmp_serde::decode::Error as E;
    match error {
        E::InvalidMarkerRead(_) | E::InvalidDataRead(_) => "it breaks off",
        E::TypeMismatch(_) | E::OutOfRange | E::LengthMismatch(_) => "a value of another type",
        E::Syntax(_) | E::Uncategorized(_) => "fields that don't fit",
        _ => "it can't be read",
    }
}

/// Returns the smallest key that sorts after every key beginning with `prefix`. If every byte of `prefix`
/// is 255, returns 64 such bytes.
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
