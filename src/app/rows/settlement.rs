//! Lines of payout reports.

use crate::domain::settlement::SettlementLine;
use crate::store::{StoreError, WriteTx, tables};

/// Writes a line. Read again, it may belong to a policy that wasn't known before.
pub(in crate::app) fn put(
    tx: &mut WriteTx<'_>,
    key: [u8; 32],
    line: &SettlementLine,
) -> Result<(), StoreError> {
    if let Some(before) = tables::SETTLEMENT_LINES.get(tx, &key)?
        && let Some(policy) = before.policy
    {
        tables::SETTLEMENT_LINE_BY_POLICY.delete(tx, &(policy, key));
    }
    tables::SETTLEMENT_LINES.put(tx, &key, line)?;
    match line.policy {
        Some(policy) => tables::SETTLEMENT_LINE_BY_POLICY.put(tx, &(policy, key), &()),
        None => Ok(()),
    }
}
