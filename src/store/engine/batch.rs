//! Runs a batch of writes over one transaction.

use std::collections::BTreeMap;
use std::ops::{Bound, ControlFlow};

use crate::store::StoreError;
use crate::store::engine::kv::{Direction, Read, Visit};
use crate::store::postgres::read_cache::ReadCache;
use crate::store::redb::rows::{Rows, engine, get, scan};

/// Changes by key: `Some` sets a value, `None` removes the key.
pub(in crate::store) type Changes = BTreeMap<Vec<u8>, Option<Vec<u8>>>;

/// The rows before the batch.
enum Source<'txn> {
    /// The table of a file.
    File(Rows<'txn>),
    /// Rows cached from a database.
    Fetched(ReadCache),
}

impl Source<'_> {
    /// Returns whether a read of a write missed the cache. A file has no cache.
    fn has_missing_reads(&self) -> bool {
        match self {
            Self::File(_) => false,
            Self::Fetched(fetched) => fetched.has_missing_reads(),
        }
    }
}

impl Read for Source<'_> {
    fn get(&self, key: &[u8], with: &mut dyn FnMut(&[u8])) -> Result<bool, StoreError> {
        match self {
            Self::File(rows) => get(rows, key, with),
            Self::Fetched(fetched) => fetched.get(key, with),
        }
    }

    fn scan(
        &self,
        from: &[u8],
        to: &[u8],
        direction: Direction,
        visit: Visit<'_>,
    ) -> Result<(), StoreError> {
        match self {
            Self::File(rows) => scan(rows, from, to, direction, visit),
            Self::Fetched(fetched) => fetched.scan(from, to, direction, visit),
        }
    }
}

/// The transaction that a batch of writes shares. The changes are only written into the table at the end.
/// So a row that several writes change is written once.
pub(in crate::store) struct BatchTx<'txn> {
    base: Source<'txn>,
    changes: Changes,
}

impl<'txn> BatchTx<'txn> {
    /// Returns an empty batch over a file's table.
    pub(in crate::store) fn new(rows: Rows<'txn>) -> Self {
        Self {
            base: Source::File(rows),
            changes: Changes::new(),
        }
    }

    /// Runs one write of the batch. Adds its changes to the batch only if the write succeeds. So one write
    /// can fail without an effect on the others.
    ///
    /// Returns `None` if this write or an earlier one missed the cache. The batch is then run again.
    pub(in crate::store) fn run_write<T, E>(
        &mut self,
        run: impl FnOnce(&mut WriteTx<'_>) -> Result<T, E>,
    ) -> Option<Result<T, E>> {
        let mut tx = WriteTx {
            base: &self.base,
            batch: &self.changes,
            changes: Changes::new(),
        };
        let outcome = run(&mut tx);
        let changes = tx.changes;
        self.add(changes, outcome.is_ok()).then_some(outcome)
    }

    /// Adds the changes of a successful write. If a read missed the cache, adds nothing and returns
    /// `false`.
    fn add(&mut self, changes: Changes, has_succeeded: bool) -> bool {
        if self.base.has_missing_reads() {
            return false;
        }
        if has_succeeded {
            self.changes.extend(changes);
        }
        true
    }

    /// Writes the changes into the file's table. Returns the number of changed rows. Over a database,
    /// only counts the rows.
    pub(in crate::store) fn flush(self) -> Result<usize, StoreError> {
        let count = self.changes.len();
        let Source::File(mut rows) = self.base else {
            return Ok(count);
        };
        for (key, change) in self.changes {
            match change {
                Some(value) => {
                    rows.insert(key.as_slice(), value.as_slice())
                        .map_err(engine)?;
                }
                None => {
                    rows.remove(key.as_slice()).map_err(engine)?;
                }
            }
        }
        Ok(count)
    }
}

impl BatchTx<'static> {
    /// Returns an empty batch over a database, with an empty cache.
    pub(in crate::store) fn over_database() -> Self {
        Self {
            base: Source::Fetched(ReadCache::default()),
            changes: Changes::new(),
        }
    }

    /// Returns the cache of rows from the database. `None` over a file.
    pub(in crate::store) fn fetched(&mut self) -> Option<&mut ReadCache> {
        match &mut self.base {
            Source::File(_) => None,
            Source::Fetched(fetched) => Some(fetched),
        }
    }

    pub(in crate::store) fn into_changes(self) -> Changes {
        self.changes
    }
}

/// One write's view of the rows. The batch's changes override the stored rows. The write's own changes
/// override the batch's changes and the stored rows.
pub struct WriteTx<'a> {
    base: &'a Source<'a>,
    batch: &'a Changes,
    changes: Changes,
}

impl WriteTx<'_> {
    /// Sets the value at `key`.
    pub fn put(&mut self, key: Vec<u8>, value: Vec<u8>) {
        self.changes.insert(key, Some(value));
    }

    /// Removes `key`. A missing key is no error.
    pub fn delete(&mut self, key: Vec<u8>) {
        self.changes.insert(key, None);
    }
}

impl Read for WriteTx<'_> {
    fn get(&self, key: &[u8], with: &mut dyn FnMut(&[u8])) -> Result<bool, StoreError> {
        match self.changes.get(key).or_else(|| self.batch.get(key)) {
            Some(Some(value)) => {
                with(value);
                Ok(true)
            }
            Some(None) => Ok(false),
            None => self.base.get(key, with),
        }
    }

    fn scan(
        &self,
        from: &[u8],
        to: &[u8],
        direction: Direction,
        visit: Visit<'_>,
    ) -> Result<(), StoreError> {
        if from >= to {
            return Ok(());
        }
        let bounds = (Bound::Included(from), Bound::Excluded(to));
        let batch = self.batch.range::<[u8], _>(bounds);
        let own = self.changes.range::<[u8], _>(bounds);
        // The write's own change overrides the batch's change of the same key.
        let own: BTreeMap<_, _> = batch.chain(own).collect();
        let mut own: Vec<_> = own.into_iter().collect();
        if direction == Direction::Backward {
            own.reverse();
        }
        let mut own = own.into_iter().peekable();
        let comes_first = |own: &[u8], stored: &[u8]| match direction {
            Direction::Forward => own < stored,
            Direction::Backward => own > stored,
        };
        let mut stopped = false;
        self.base.scan(from, to, direction, &mut |key, value| {
            while let Some((own_key, change)) = own.next_if(|(k, _)| comes_first(k, key)) {
                if let Some(value) = change
                    && visit(own_key, value).is_break()
                {
                    stopped = true;
                    return ControlFlow::Break(());
                }
            }
            let flow = match own.next_if(|(k, _)| k.as_slice() == key) {
                Some((_, Some(value))) => visit(key, value),
                Some((_, None)) => ControlFlow::Continue(()),
                None => visit(key, value),
            };
            stopped = flow.is_break();
            flow
        })?;
        if !stopped {
            for (key, change) in own {
                if let Some(value) = change
                    && visit(key, value).is_break()
                {
                    break;
                }
            }
        }
        Ok(())
    }
}
