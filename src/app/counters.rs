//! Counters that never go back.

use crate::store::{Read, StoreError, WriteTx, tables};

/// The number of quotes that were ever saved: the last reference that was given out.
pub(in crate::app) const REFERENCE: &str = "reference";
/// How many of those quotes are demonstration data.
pub(in crate::app) const SEEDED: &str = "seeded";

/// What a counter stands at; 0 before it was first used.
pub(in crate::app) fn get(tx: &impl Read, name: &str) -> Result<u32, StoreError> {
    let value = tables::COUNTERS.get(tx, &name.to_string())?;
    Ok(value.unwrap_or(0))
}

/// Adds to a counter and answers what it stands at then.
pub(in crate::app) fn add(
    tx: &mut WriteTx<'_>,
    name: &str,
    amount: u32,
) -> Result<u32, StoreError> {
    let value = get(tx, name)?.saturating_add(amount);
    tables::COUNTERS.put(tx, &name.to_string(), &value)?;
    Ok(value)
}
