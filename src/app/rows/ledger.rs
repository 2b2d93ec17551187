//! The ledgers of policies and of the shop. Entries are only ever added.

use uuid::Uuid;

use crate::domain::ledger::Entry;
use crate::store::{StoreError, WriteTx, tables};

/// Writes the entry that is `number` in a policy's ledger, counted from 1.
pub(in crate::app) fn append(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    number: u32,
    entry: &Entry,
) -> Result<(), StoreError> {
    tables::LEDGER.put(tx, &(policy, number), entry)
}

/// Writes the entry that is `number` in the shop's own ledger, counted from 1.
pub(in crate::app) fn append_of_shop(
    tx: &mut WriteTx<'_>,
    number: u32,
    entry: &Entry,
) -> Result<(), StoreError> {
    tables::SHOP_LEDGER.put(tx, &number, entry)
}
