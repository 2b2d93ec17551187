//! The rows that a batch has fetched from the database. The batch's writes read only from this cache. The
//! cache records each missed read. All missed reads are fetched at once before the batch runs again.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use crate::store::StoreError;
use crate::store::engine::kv::{Direction, Read, Visit};

/// A read that missed the cache.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MissingRead {
    /// The row at a key, if it exists.
    Key(Vec<u8>),
    /// The first rows with `from <= key < to`, by direction.
    Page {
        from: Vec<u8>,
        to: Vec<u8>,
        direction: Direction,
    },
}

/// A key and its value.
pub(super) type Stored = (Vec<u8>, Vec<u8>);

/// Cached rows, and the key ranges that are cached completely.
#[derive(Default)]
pub(in crate::store) struct ReadCache {
    rows: BTreeMap<Vec<u8>, Vec<u8>>,
    /// The complete ranges: the smallest key after each range, by the range's first key. Ranges that
    /// touch are merged.
    cached_ranges: BTreeMap<Vec<u8>, Vec<u8>>,
    missing: RefCell<BTreeSet<MissingRead>>,
}

/// Returns the smallest key after `key`.
pub(super) fn next_after(key: &[u8]) -> Vec<u8> {
    [key, &[0]].concat()
}

impl ReadCache {
    /// Returns whether a read missed the cache since the last [`ReadCache::take_missing`].
    pub(in crate::store) fn has_missing_reads(&self) -> bool {
        !self.missing.borrow().is_empty()
    }

    /// Returns the missing reads and clears them.
    pub(super) fn take_missing(&mut self) -> BTreeSet<MissingRead> {
        std::mem::take(self.missing.get_mut())
    }

    /// Stores the result of reading `keys`: the existing rows are `rows`.
    pub(super) fn insert_keys(&mut self, keys: Vec<Vec<u8>>, rows: Vec<Stored>) {
        for key in keys {
            let end = next_after(&key);
            self.insert_range(key, end);
        }
        self.rows.extend(rows);
    }

    /// Stores the rows with `from <= key < to`. `rows` has the first of these rows by direction, or all
    /// of them if `is_all`.
    pub(super) fn insert_page(
        &mut self,
        (from, to): (Vec<u8>, Vec<u8>),
        direction: Direction,
        rows: Vec<Stored>,
        is_all: bool,
    ) {
        let last = rows.last().map(|(key, _)| key.clone());
        match (last.filter(|_| !is_all), direction) {
            (None, _) => self.insert_range(from, to),
            (Some(last), Direction::Forward) => self.insert_range(from, next_after(&last)),
            (Some(last), Direction::Backward) => self.insert_range(last, to),
        }
        self.rows.extend(rows);
    }

    fn insert_range(&mut self, mut from: Vec<u8>, mut to: Vec<u8>) {
        let before = (Bound::Unbounded, Bound::Included(from.as_slice()));
        if let Some((start, end)) = self.cached_ranges.range::<[u8], _>(before).next_back()
            && *end >= from
        {
            from = start.clone();
        }
        loop {
            let within = (
                Bound::Included(from.as_slice()),
                Bound::Included(to.as_slice()),
            );
            let Some(start) = self
                .cached_ranges
                .range::<[u8], _>(within)
                .next()
                .map(|(s, _)| s.clone())
            else {
                break;
            };
            if let Some(end) = self.cached_ranges.remove(&start) {
                to = to.max(end);
            }
        }
        self.cached_ranges.insert(from, to);
    }

    /// Returns the end of the range that contains `key`.
    fn end_of(&self, key: &[u8]) -> Option<&[u8]> {
        let upto = (Bound::Unbounded, Bound::Included(key));
        let (_, end) = self.cached_ranges.range::<[u8], _>(upto).next_back()?;
        Some(end.as_slice()).filter(|end| *end > key)
    }

    /// Returns the start of the range that contains the keys right before `key`.
    fn start_before(&self, key: &[u8]) -> Option<&[u8]> {
        let before = (Bound::Unbounded, Bound::Excluded(key));
        let (start, end) = self.cached_ranges.range::<[u8], _>(before).next_back()?;
        Some(start.as_slice()).filter(|_| end.as_slice() >= key)
    }

    fn record_miss<T>(&self, missing: MissingRead) -> Result<T, StoreError> {
        self.missing.borrow_mut().insert(missing);
        Err(StoreError::NotAtHand)
    }
}

impl Read for ReadCache {
    fn get(&self, key: &[u8], with: &mut dyn FnMut(&[u8])) -> Result<bool, StoreError> {
        if self.end_of(key).is_none() {
            return self.record_miss(MissingRead::Key(key.to_vec()));
        }
        let row = self.rows.get(key);
        if let Some(row) = row {
            with(row);
        }
        Ok(row.is_some())
    }

    fn scan(
        &self,
        from: &[u8],
        to: &[u8],
        direction: Direction,
        visit: Visit<'_>,
    ) -> Result<(), StoreError> {
        let (mut from, mut to) = (from, to);
        while from < to {
            let stretch = match direction {
                Direction::Forward => self.end_of(from).map(|end| (from, end.min(to))),
                Direction::Backward => self.start_before(to).map(|start| (start.max(from), to)),
            };
            let Some((first, end)) = stretch else {
                return self.record_miss(MissingRead::Page {
                    from: from.to_vec(),
                    to: to.to_vec(),
                    direction,
                });
            };
            let bounds = (Bound::Included(first), Bound::Excluded(end));
            let mut rows = self.rows.range::<[u8], _>(bounds);
            while let Some((key, row)) = match direction {
                Direction::Forward => rows.next(),
                Direction::Backward => rows.next_back(),
            } {
                if visit(key, row).is_break() {
                    return Ok(());
                }
            }
            match direction {
                Direction::Forward => from = end,
                Direction::Backward => to = first,
            }
        }
        Ok(())
    }
}
