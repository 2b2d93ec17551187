//! The interface of an engine: a few operations on ordered byte keys and values.

use std::ops::ControlFlow;

use crate::store::StoreError;

/// Order in which a scan visits the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// Smallest key first.
    Forward,
    /// Largest key first.
    Backward,
}

/// A scan's visitor. It receives key and value, and returns whether to continue.
pub type Visit<'a> = &'a mut dyn FnMut(&[u8], &[u8]) -> ControlFlow<()>;

/// Reads in a read or a write transaction.
pub trait Read {
    /// Passes the value at `key` to `with`, without a copy. Returns false if the key is missing.
    fn get(&self, key: &[u8], with: &mut dyn FnMut(&[u8])) -> Result<bool, StoreError>;
    /// Visits the rows with `from <= key < to` until the visitor breaks.
    fn scan(
        &self,
        from: &[u8],
        to: &[u8],
        direction: Direction,
        visit: Visit<'_>,
    ) -> Result<(), StoreError>;
}
