//! Writes and reads the ledger. Entries are only added, never changed. The transaction that moves
//! money also writes the ledger entry of the movement.

use uuid::Uuid;

use crate::app::AppError;
use crate::domain::money::Pence;
use crate::domain::money::ledger::{Account, Entry};
use crate::store::tables::{LEDGER, SHOP_LEDGER};
use crate::store::{Direction, Read, WriteTx};

/// Adds an entry to a policy's ledger.
///
/// # Errors
/// If the store fails, or the ledger has no free entry number.
pub fn post(tx: &mut WriteTx<'_>, policy: Uuid, entry: &Entry) -> Result<(), AppError> {
    let last = LEDGER.list(tx, &policy, Direction::Backward, 1)?;
    let last = last.first().map_or(0, |((_, number), _)| *number);
    let next = last
        .checked_add(1)
        .ok_or_else(|| AppError::Internal("a ledger is full".into()))?;
    Ok(LEDGER.put(tx, &(policy, next), entry)?)
}

/// Adds an entry to the shop's own ledger, which records money that belongs to no policy.
///
/// # Errors
/// If the store fails, or the ledger has no free entry number.
pub(in crate::app) fn post_shop_entry(tx: &mut WriteTx<'_>, entry: &Entry) -> Result<(), AppError> {
    let last = SHOP_LEDGER.list(tx, &(), Direction::Backward, 1)?;
    let next = last.first().map_or(0, |(number, _)| *number).checked_add(1);
    let next = next.ok_or_else(|| AppError::Internal("a ledger is full".into()))?;
    Ok(SHOP_LEDGER.put(tx, &next, entry)?)
}

/// Returns a policy's ledger entries, oldest first.
///
/// # Errors
/// When the store fails.
pub fn entries(tx: &impl Read, policy: Uuid) -> Result<Vec<Entry>, AppError> {
    let rows = LEDGER.list(tx, &policy, Direction::Forward, usize::MAX)?;
    Ok(rows.into_iter().map(|(_, entry)| entry).collect())
}

/// Returns the balance of one of a policy's accounts, in pence. A debit balance is positive.
///
/// # Errors
/// When the store fails.
pub fn balance(tx: &impl Read, policy: Uuid, account: &Account) -> Result<Pence, AppError> {
    let mut sum = Pence::ZERO;
    for row in LEDGER.rows(tx, &policy) {
        sum += row?.1.amount_on(account);
    }
    Ok(sum)
}
