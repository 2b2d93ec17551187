//! Writing: a batch of writes over one transaction, and what each of them sees.

use std::collections::BTreeMap;
use std::ops::{Bound, ControlFlow};

use crate::store::StoreError;
use crate::store::engine::kv::{Direction, Read, Visit};
use crate::store::postgres::read_cache::Fetched;
use crate::store::redb::rows::{Rows, engine, get, scan};

/// What is to be set, and what is to be removed.
pub(in crate::store) type Changes = BTreeMap<Vec<u8>, Option<Vec<u8>>>;

/// What was there before the batch.
enum Base<'txn> {
    /// The table of a file.
    File(Rows<'txn>),
    /// What was fetched of a database so far.
    Fetched(Fetched),
}

impl Base<'_> {
    /// Whether something was read that is not at hand.
    fn lacks(&self) -> bool {
        match self {
            Self::File(_) => false,
            Self::Fetched(fetched) => fetched.lacks(),
        }
    }
}

impl Read for Base<'_> {
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

/// The transaction a batch of writes shares. What its members change is held beside the table
/// and goes into it once, in order: a row that each of them changes is written once.
pub(in crate::store) struct BatchTx<'txn> {
    base: Base<'txn>,
    changes: Changes,
}

impl<'txn> BatchTx<'txn> {
    /// A batch over a file's table that changes nothing yet.
    pub(in crate::store) fn new(rows: Rows<'txn>) -> Self {
        Self {
            base: Base::File(rows),
            changes: Changes::new(),
        }
    }

    /// Runs one write of the batch. What it changes joins the batch's changes once it has
    /// succeeded, so that one member of a batch can fail and leave nothing behind.
    ///
    /// None where it, or one before it, has read what is not at hand: it then counts for nothing,
    /// and is to be run again, in its place, when the batch is.
    pub(in crate::store) fn member<T, E>(
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

    /// Adds the changes of a write that has succeeded. Returns whether it had read all it asked for.
    fn add(&mut self, changes: Changes, has_succeeded: bool) -> bool {
        if self.base.lacks() {
            return false;
        }
        if has_succeeded {
            self.changes.extend(changes);
        }
        true
    }

    /// Writes what has changed into the file's table; answers how many rows that are.
    pub(in crate::store) fn flush(self) -> Result<usize, StoreError> {
        let count = self.changes.len();
        let Base::File(mut rows) = self.base else {
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
    /// A batch over a database of which nothing was fetched yet.
    pub(in crate::store) fn over_database() -> Self {
        Self {
            base: Base::Fetched(Fetched::default()),
            changes: Changes::new(),
        }
    }

    /// What was fetched of the database; none over a file.
    pub(in crate::store) fn fetched(&mut self) -> Option<&mut Fetched> {
        match &mut self.base {
            Base::File(_) => None,
            Base::Fetched(fetched) => Some(fetched),
        }
    }

    /// What has changed.
    pub(in crate::store) fn into_changes(self) -> Changes {
        self.changes
    }
}

/// One write's view: what was there, with what the batch has changed so far and its own changes on
/// top.
pub struct WriteTx<'a> {
    base: &'a Base<'a>,
    batch: &'a Changes,
    changes: Changes,
}

impl WriteTx<'_> {
    /// Sets the value at `key`.
    pub fn put(&mut self, key: Vec<u8>, value: Vec<u8>) {
        self.changes.insert(key, Some(value));
    }

    /// Removes `key`; removing what isn't there is no error.
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
        // Of the same key, its own change counts.
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
