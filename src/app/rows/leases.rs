//! What only one of several shops may do at a time.

use crate::store::tables::{self, Lease};
use crate::store::{StoreError, WriteTx};

/// Writes who does it.
pub(in crate::app) fn put(
    tx: &mut WriteTx<'_>,
    name: &str,
    lease: &Lease,
) -> Result<(), StoreError> {
    tables::LEASES.put(tx, &name.to_string(), lease)
}

/// Leaves it to whoever comes.
pub(in crate::app) fn delete(tx: &mut WriteTx<'_>, name: &str) {
    tables::LEASES.delete(tx, &name.to_string());
}
