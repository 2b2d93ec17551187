//! Quotes and their saved revisions, with every index of a quote and of its policy.

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use crate::app::rows::contract_indexes::ContractIndexes;
use crate::app::rows::policies;
use crate::domain::quote::{Quote, Revision};
use crate::store::{StoreError, WriteTx, tables};

/// Writes a quote whose id is new: there is nothing before it to read, and no policy.
pub(in crate::app) fn insert(tx: &mut WriteTx<'_>, quote: &Quote) -> Result<(), StoreError> {
    ContractIndexes::of(quote, None).replace(tx, &ContractIndexes::default())?;
    tables::QUOTES.put(tx, &quote.uuid, quote)
}

/// Writes a quote in place of the one that is stored.
pub(in crate::app) fn put(tx: &mut WriteTx<'_>, quote: &Quote) -> Result<(), StoreError> {
    let before = match tables::QUOTES.get(tx, &quote.uuid)? {
        Some(stored) => {
            let policy = policies::of_quote(tx, &stored)?;
            ContractIndexes::of(&stored, policy.as_ref())
        }
        None => ContractIndexes::default(),
    };
    let policy = policies::of_quote(tx, quote)?;
    ContractIndexes::of(quote, policy.as_ref()).replace(tx, &before)?;
    tables::QUOTES.put(tx, &quote.uuid, quote)
}

/// Removes a quote that was never a policy. Its older revisions, and whatever else hangs on it, are
/// removed before.
pub(in crate::app) fn delete(tx: &mut WriteTx<'_>, quote: &Quote) -> Result<(), StoreError> {
    ContractIndexes::default().replace(tx, &ContractIndexes::of(quote, None))?;
    tables::QUOTES.delete(tx, &quote.uuid);
    Ok(())
}

/// Removes an older revision of a quote.
pub(in crate::app) fn delete_revision(tx: &mut WriteTx<'_>, key: &(Uuid, u32)) {
    tables::REVISIONS.delete(tx, key);
}

/// Keeps an older revision of a quote, whose newest is in the quote's own row.
pub(in crate::app) fn keep_revision(
    tx: &mut WriteTx<'_>,
    quote: Uuid,
    older: &Revision,
) -> Result<(), StoreError> {
    tables::REVISIONS.put(tx, &(quote, older.number), older)
}

/// Removes a row of the index of prices that end, whose quote is missing or says another moment.
/// No code here leaves such a row; one that is there all the same would be met in every round.
pub(in crate::app) fn remove_stale_price_end(tx: &mut WriteTx<'_>, key: &(DateTime<Utc>, Uuid)) {
    tables::QUOTE_BY_EXPIRY.delete(tx, key);
}

/// Removes a row of the index of last saves, as [`remove_stale_price_end`].
pub(in crate::app) fn remove_stale_saved(tx: &mut WriteTx<'_>, key: &(NaiveDate, Uuid)) {
    tables::QUOTE_BY_SAVED.delete(tx, key);
}
