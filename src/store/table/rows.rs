//! Iterates over rows.

use std::collections::VecDeque;

use serde::{Serialize, de::DeserializeOwned};

use super::{Index, Table, after, flow};
use crate::store::StoreError;
use crate::store::engine::{Direction, Read};
use crate::store::key::Key;

/// Rows of the first page: few, because some callers want one or two rows. Each later page has twice as
/// many rows, up to [`MAX_PAGE`].
const FIRST_PAGE: usize = 4;
/// Most rows of a page.
const MAX_PAGE: usize = 4096;

impl<K: Key, V: Serialize + DeserializeOwned, const IS_INDEX: bool> Table<K, V, IS_INDEX> {
    /// Iterates over the rows whose key begins with `prefix`, in the order of the keys. An unreadable row is
    /// an error item. If the engine fails, its error is the last item.
    pub fn rows<'a>(
        &'a self,
        tx: &'a impl Read,
        prefix: &'a impl Key,
    ) -> impl Iterator<Item = Result<(K, V), StoreError>> {
        let mut from = self.key(prefix);
        let to = after(&from);
        let mut page = VecDeque::new();
        let (mut page_size, mut is_last) = (FIRST_PAGE, false);
        std::iter::from_fn(move || {
            if page.is_empty() && !is_last {
                let mut last_key = None;
                let read = tx.scan(&from, &to, Direction::Forward, &mut |key, value| {
                    page.push_back(self.read_row(key, value));
                    if page.len() == page_size {
                        last_key = Some(key.to_vec());
                    }
                    flow(last_key.is_none())
                });
                is_last = last_key.is_none() || read.is_err();
                page.extend(read.err().map(Err));
                page_size = (page_size * 2).min(MAX_PAGE);
                // The next page starts at the smallest key after the last key of this page.
                from = last_key.unwrap_or_default();
                from.push(0);
            }
            page.pop_front()
        })
    }

    /// Iterates over the readable rows whose key begins with `prefix`. If the engine fails, its error is
    /// the last item.
    pub fn readable_rows<'a>(
        &'a self,
        tx: &'a impl Read,
        prefix: &'a impl Key,
    ) -> impl Iterator<Item = Result<(K, V), StoreError>> {
        let rows = self.rows(tx, prefix);
        rows.filter(|row| !matches!(row, Err(error) if error.is_unreadable_row()))
    }
}

impl<P: Key, K: Key> Index<(P, K)>
where
    (P, K): Key,
{
    /// Returns the rows of `table` whose index rows begin with `prefix`, in the order of the index.
    ///
    /// # Errors
    /// As [`Table::list`].
    pub fn follow<V: Serialize + DeserializeOwned>(
        &self,
        tx: &impl Read,
        prefix: &P,
        table: &Table<K, V>,
    ) -> Result<Vec<(K, V)>, StoreError> {
        let mut found = Vec::new();
        for ((_, key), ()) in self.list(tx, prefix, Direction::Forward, usize::MAX)? {
            if let Some(row) = table.get(tx, &key)? {
                found.push((key, row));
            }
        }
        Ok(found)
    }
}
