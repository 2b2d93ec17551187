//! The saved revisions of a quote.

use crate::app::AppError;
use crate::domain::quote::{Quote, Revision};
use crate::store::{Read, tables};

/// Returns the revision `number` of a quote.
///
/// # Errors
/// An internal error if the revision is missing: the store must have every older revision of a quote.
pub(in crate::app) fn revision_of(
    tx: &impl Read,
    quote: &Quote,
    number: u32,
) -> Result<Revision, AppError> {
    if quote.current.number == number {
        return Ok(quote.current.clone());
    }
    tables::REVISIONS
        .get(tx, &(quote.uuid, number))?
        .ok_or_else(|| AppError::Internal("a quote's revision is missing".into()))
}

pub(in crate::app) fn stale() -> AppError {
    AppError::conflict(
        "stale_revision",
        "This quote was changed elsewhere. Reload it to see the newest answers.",
    )
}
