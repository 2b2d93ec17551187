//! Writing: a batch of writes over one transaction, and what each of them sees.

use std::collections::BTreeMap;
use std::ops::{Bound, ControlFlow};

use super::rows::{Direction, Read, Rows, Visit, engine, get, scan};
use crate::store::StoreError;

/// What is to be set, and what is to be removed.
type Changes = BTreeMap<Vec<u8>, Option<Vec<u8>>>;

/// The transaction a batch of writes shares. What its members change is held beside the table
/// and goes into it once, in order: a row that each of them changes is written once.
pub(in crate::store) struct BatchTx<'txn> {
    rows: Rows<'txn>,
    changes: Changes,
}

impl<'txn> BatchTx<'txn> {
    /// A batch that changes nothing yet.
    pub(super) fn new(rows: Rows<'txn>) -> Self {
        Self {
            rows,
            changes: Changes::new(),
        }
    }

    /// Runs one write of the batch. What it changes joins the batch's changes once it has
    /// succeeded, so that one member of a batch can fail and leave nothing behind.
    pub(in crate::store) fn member<T, E>(
        &mut self,
        run: impl FnOnce(&mut WriteTx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut tx = WriteTx {
            rows: &self.rows,
            batch: &self.changes,
            changes: Changes::new(),
        };
        let outcome = run(&mut tx);
        let changes = tx.changes;
        if outcome.is_ok() {
            self.changes.extend(changes);
        }
        outcome
    }

    /// Writes what has changed; answers how many rows that are.
    pub(super) fn flush(self) -> Result<usize, StoreError> {
        let (mut rows, count) = (self.rows, self.changes.len());
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

/// One write's view: the table, with what the batch has changed so far and its own changes on
/// top.
pub struct WriteTx<'a> {
    rows: &'a Rows<'a>,
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
            None => get(self.rows, key, with),
        }
    }

    fn scan(
        &self,
        from: &[u8],
        to: &[u8],
        direction: Direction,
        visit: Visit<'_>,
    ) -> Result<(), StoreError> {
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
        scan(self.rows, from, to, direction, &mut |key, value| {
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
