//! What a batch has fetched of the database. Its writes read here and nowhere else: what is not at
//! hand is noted, and fetched for all of them at once before they are run again.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use crate::store::StoreError;
use crate::store::engine::kv::{Direction, Read, Visit};

/// What was read and is not at hand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Missing {
    /// The row at a key, if there is one.
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

/// Rows, and between which keys there are no others.
#[derive(Default)]
pub(in crate::store) struct Fetched {
    rows: BTreeMap<Vec<u8>, Vec<u8>>,
    /// From the first key of a stretch that is known to the one after its last. Stretches never
    /// touch.
    known: BTreeMap<Vec<u8>, Vec<u8>>,
    missing: RefCell<BTreeSet<Missing>>,
}

/// The key that comes next after `key`.
pub(super) fn next_after(key: &[u8]) -> Vec<u8> {
    [key, &[0]].concat()
}

impl Fetched {
    /// Whether something that is not at hand was read since that was last asked for.
    pub(in crate::store) fn lacks(&self) -> bool {
        !self.missing.borrow().is_empty()
    }

    /// What was read and is not at hand.
    pub(super) fn take_missing(&mut self) -> BTreeSet<Missing> {
        std::mem::take(self.missing.get_mut())
    }

    /// The rows at `keys` are at hand now: those among `rows`, and no others.
    pub(super) fn has_keys(&mut self, keys: Vec<Vec<u8>>, rows: Vec<Stored>) {
        for key in keys {
            let end = next_after(&key);
            self.knows(key, end);
        }
        self.rows.extend(rows);
    }

    /// The rows with `from <= key < to` are at hand now: the first of them, by direction, or all
    /// where `is_all`.
    pub(super) fn has_page(
        &mut self,
        (from, to): (Vec<u8>, Vec<u8>),
        direction: Direction,
        rows: Vec<Stored>,
        is_all: bool,
    ) {
        let last = rows.last().map(|(key, _)| key.clone());
        match (last.filter(|_| !is_all), direction) {
            (None, _) => self.knows(from, to),
            (Some(last), Direction::Forward) => self.knows(from, next_after(&last)),
            (Some(last), Direction::Backward) => self.knows(last, to),
        }
        self.rows.extend(rows);
    }

    fn knows(&mut self, mut from: Vec<u8>, mut to: Vec<u8>) {
        let before = (Bound::Unbounded, Bound::Included(from.as_slice()));
        if let Some((start, end)) = self.known.range::<[u8], _>(before).next_back()
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
                .known
                .range::<[u8], _>(within)
                .next()
                .map(|(s, _)| s.clone())
            else {
                break;
            };
            if let Some(end) = self.known.remove(&start) {
                to = to.max(end);
            }
        }
        self.known.insert(from, to);
    }

    /// Where the stretch ends that `key` is in.
    fn end_of(&self, key: &[u8]) -> Option<&[u8]> {
        let upto = (Bound::Unbounded, Bound::Included(key));
        let (_, end) = self.known.range::<[u8], _>(upto).next_back()?;
        Some(end.as_slice()).filter(|end| *end > key)
    }

    /// Where the stretch begins that the keys right before `key` are in.
    fn start_before(&self, key: &[u8]) -> Option<&[u8]> {
        let before = (Bound::Unbounded, Bound::Excluded(key));
        let (start, end) = self.known.range::<[u8], _>(before).next_back()?;
        Some(start.as_slice()).filter(|_| end.as_slice() >= key)
    }

    fn miss<T>(&self, missing: Missing) -> Result<T, StoreError> {
        self.missing.borrow_mut().insert(missing);
        Err(StoreError::NotAtHand)
    }
}

impl Read for Fetched {
    fn get(&self, key: &[u8], with: &mut dyn FnMut(&[u8])) -> Result<bool, StoreError> {
        if self.end_of(key).is_none() {
            return self.miss(Missing::Key(key.to_vec()));
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
                return self.miss(Missing::Page {
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
