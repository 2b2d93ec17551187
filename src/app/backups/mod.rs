//! Backups of a shop: made by a command or each day, and put back.

pub mod backup;
pub mod restore;
pub mod schedule;

pub use crate::store::backup::{RowHash, end_rows, read_row, write_row};
pub use crate::store::{DumpSummary, KeyValue};
