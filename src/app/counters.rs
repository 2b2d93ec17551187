//! Counters that never go back.

use crate::store::{Read, StoreError, WriteTx, tables};

/// The number of all quotes ever saved. The newest reference contains it.
pub(in crate::app) const REFERENCE: &str = "reference";
/// The number of these quotes that are demonstration data.
pub(in crate::app) const SEEDED: &str = "seeded";

/// Returns a counter's value; 0 before its first use.
pub(in crate::app) fn get(tx: &impl Read, name: &str) -> Result<u32, StoreError> {
    let value = tables::COUNTERS.get(tx, &name.to_string())?;
    Ok(value.unwrap_or(0))
}

/// Adds to a counter and returns its new value.
pub(in crate::app) fn add(
    tx: &mut WriteTx<'_>,
    name: &str,
    amount: u32,
) -> Result<u32, StoreError> {
    let value = get(tx, name)?.saturating_add(amount);
    tables::COUNTERS.put(tx, &name.to_string(), &value)?;
    Ok(value)
}
