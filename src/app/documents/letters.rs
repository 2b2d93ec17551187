//! What the letters about a policy's later life say. Each is filled in by whoever brings what it
//! is about; until then it can't be called for.

use super::gather::Case;
use crate::app::{App, AppError};
use crate::documents::data::{Adjustment, Cancellation, Renewal};
use crate::domain::document::Document;

impl App {
    /// The letter about the change `document.about`.
    pub(super) fn adjustment_letter(&self, _: &Document, _: &Case) -> Result<Adjustment, AppError> {
        Err(nothing_yet("a change"))
    }

    /// The letter about the end of a policy.
    pub(super) fn cancellation_letter(
        &self,
        _: &Document,
        _: &Case,
    ) -> Result<Cancellation, AppError> {
        Err(nothing_yet("a cancellation"))
    }

    /// The notice of a renewal.
    pub(super) fn renewal_notice(&self, _: &Document, _: &Case) -> Result<Renewal, AppError> {
        Err(nothing_yet("a renewal"))
    }
}

fn nothing_yet(what: &str) -> AppError {
    AppError::Internal(format!("{what} has nothing to write a letter from"))
}
