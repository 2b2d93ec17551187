//! The narrow waist: the few operations on ordered byte keys and values that an engine offers.

use std::ops::ControlFlow;

use crate::store::StoreError;

/// Which way a scan walks the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// Smallest key first.
    Forward,
    /// Largest key first.
    Backward,
}

/// What a scan hands each row to: key, value, and whether to go on.
pub type Visit<'a> = &'a mut dyn FnMut(&[u8], &[u8]) -> ControlFlow<()>;

/// Reading, inside a read or a write transaction.
pub trait Read {
    /// Hands the value at `key` to `with`, without copying it; `None` when there is none.
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
