//! What the document about a cancellation says.

use crate::app::documents::money_lines::sum;
use crate::app::documents::subject::{DocumentSubject, addressee};
use crate::app::{App, AppError};
use crate::documents::data::{CancellationDocument, in_words};
use crate::domain::cancellation;
use crate::domain::document::Document;
use crate::domain::money::Pence;

impl App {
    /// What the document about the cancellation of a policy says.
    pub(in crate::app) fn cancellation_document(
        &self,
        document: &Document,
        subject: &DocumentSubject,
    ) -> Result<CancellationDocument, AppError> {
        let policy = subject.policy.as_ref();
        let ended = policy.and_then(|policy| policy.cancellation.as_ref());
        let ended = ended.ok_or(AppError::NotFound)?;
        let reason = ended.reason.and_then(cancellation::reason);
        Ok(CancellationDocument {
            head: self.head(document.kind.title(), subject, ended.effective),
            to: addressee(subject),
            effective: in_words(ended.effective),
            reason: reason.unwrap_or_default().to_string(),
            not_taken_up: ended.reason.is_none(),
            refund: sum(&ended.refund.lines, 1, ended.refund.amount),
            refunded: ended.refund.amount > Pence::ZERO,
        })
    }
}
