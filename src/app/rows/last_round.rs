//! The day of the last daily round.

use chrono::NaiveDate;

use crate::store::{StoreError, WriteTx, tables};

/// Writes that the daily round of `day` is done.
pub(in crate::app) fn put(tx: &mut WriteTx<'_>, day: NaiveDate) -> Result<(), StoreError> {
    tables::LAST_ROUND.put(tx, &(), &day)
}
