//! Writes rows of typed tables. Each write updates the index rows that its table declares.

use std::collections::BTreeMap;

use serde::{Serialize, de::DeserializeOwned};

use super::StoreError;
use super::key::Key;
use super::table::{Index, IndexRows, Indexes, StoredRow, Table};
use crate::store::engine::{Read, WriteTx};

/// Length of the value `()` in bytes: a version and MessagePack's nil.
const NO_VALUE: usize = 2;

/// Stored values by stored keys.
pub(super) type StoredRows = BTreeMap<Vec<u8>, Vec<u8>>;

impl<K: Key, V: Serialize + DeserializeOwned> Table<K, V> {
    /// Sets the row at `key` and its index rows.
    ///
    /// # Errors
    /// When the engine fails, the row can't be encoded, or the earlier row at `key` can't be read.
    pub fn put(&self, tx: &mut WriteTx<'_>, key: &K, row: &V) -> Result<(), StoreError> {
        let before = match self.indexes {
            Indexes::None => None,
            Indexes::Own(_) | Indexes::Shared(_) => self.get(tx, key)?,
        };
        self.replace(tx, key, before.as_ref(), Some(row))
    }

    /// Sets the row at a new key and its index rows. Unlike `put`, reads no earlier row.
    ///
    /// # Errors
    /// When the engine fails, or the row can't be encoded.
    pub fn put_new(&self, tx: &mut WriteTx<'_>, key: &K, row: &V) -> Result<(), StoreError> {
        self.replace(tx, key, None, Some(row))
    }

    /// Removes the row at `key` and its index rows. Leaves the index rows of an unreadable row.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn delete(&self, tx: &mut WriteTx<'_>, key: &K) -> Result<(), StoreError> {
        let before = match self.indexes {
            Indexes::None => None,
            Indexes::Own(_) | Indexes::Shared(_) => self.get_readable(tx, key)?,
        };
        self.replace(tx, key, before.as_ref(), None)
    }

    /// Removes the row with this stored key and value. Leaves its index rows. Returns false if there is no
    /// such row.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn delete_stored(
        &self,
        tx: &mut WriteTx<'_>,
        row: StoredRow<'_>,
    ) -> Result<bool, StoreError> {
        let key = [&[self.number], row.key].concat();
        let is_there = is_stored(tx, &key, row.value)?;
        if is_there {
            tx.delete(key);
        }
        Ok(is_there)
    }

    fn replace(
        &self,
        tx: &mut WriteTx<'_>,
        key: &K,
        before: Option<&V>,
        now: Option<&V>,
    ) -> Result<(), StoreError> {
        let index_before = self.index_rows(tx, key, before)?;
        let index_now = self.index_rows(tx, key, now)?;
        for (key, value) in &index_before {
            // An index key that doesn't contain this row's key may now belong to another row.
            if !index_now.contains_key(key)
                && (value.len() <= NO_VALUE || is_stored(tx, key, value)?)
            {
                tx.delete(key.clone());
            }
        }
        for (key, value) in index_now {
            if index_before.get(&key) != Some(&value) {
                tx.put(key, value);
            }
        }
        if let Some(row) = now {
            let (key, value) = self.stored(key, row)?;
            tx.put(key, value);
        } else {
            tx.delete(self.key(key));
        }
        Ok(())
    }
}

impl<K: Key, V: Serialize + DeserializeOwned, const IS_INDEX: bool> Table<K, V, IS_INDEX> {
    /// Returns the index rows derived from a row, or from its absence.
    pub(super) fn index_rows(
        &self,
        tx: &dyn Read,
        key: &K,
        row: Option<&V>,
    ) -> Result<StoredRows, StoreError> {
        let rows = StoredRows::new();
        let mut rows = IndexRows { tx, rows };
        match (&self.indexes, row) {
            (Indexes::Own(by), Some(row)) => by(&mut rows, key, row)?,
            (Indexes::Shared(by), row) => by(&mut rows, key, row)?,
            (Indexes::Own(_), None) | (Indexes::None, _) => {}
        }
        Ok(rows.rows)
    }
}

impl<K: Key, V: Serialize + DeserializeOwned> Index<K, V> {
    /// Removes an index row that no row declares. So the next run over the index does not find this index
    /// row. Correct code leaves no such index row.
    pub fn remove_stray(&self, tx: &mut WriteTx<'_>, key: &K) {
        tx.delete(self.key(key));
    }
}

/// Returns whether the value at `key` is `value`.
pub(super) fn is_stored(
    tx: &(impl Read + ?Sized),
    key: &[u8],
    value: &[u8],
) -> Result<bool, StoreError> {
    let mut is_same = false;
    tx.get(key, &mut |stored| is_same = stored == value)?;
    Ok(is_same)
}
