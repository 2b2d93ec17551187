//! Counters that only increase.

use crate::store::{Read, StoreError, WriteTx, tables};

/// The name of the counter of all quotes that were ever created. A new quote's reference contains
/// the counter's value.
pub(in crate::app) const REFERENCE: &str = "reference";
/// The name of the counter of demonstration quotes, which [`REFERENCE`] counts too.
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
