//! The day whose work was done last.

use chrono::NaiveDate;

use crate::store::{StoreError, WriteTx, tables};

/// Writes that the daily work of `day` is done.
pub(in crate::app) fn put(tx: &mut WriteTx<'_>, day: NaiveDate) -> Result<(), StoreError> {
    tables::LAST_DAY.put(tx, &(), &day)
}
