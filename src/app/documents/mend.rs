//! Contents that are lost. A document says what was agreed, so it is never replaced by another one: it
//! is printed again, and counts only if its bytes are the same.

use bytes::Bytes;

use crate::app::documents::policy_texts::ToPrint;
use crate::app::{App, AppError};
use crate::domain::document::Document;
use crate::integrations::contents::{ContentError, sha256};
use crate::store::tables::Content;

impl App {
    /// The bytes of a document whose content is in the object store.
    ///
    /// # Errors
    /// [`AppError::DocumentsAway`] when they can't be had now, or are lost.
    pub(in crate::app) async fn content_of(
        &self,
        document: &Document,
        content: &Content,
    ) -> Result<Bytes, AppError> {
        match self.contents.get(&content.sha256).await {
            Ok(bytes) => Ok(bytes),
            Err(error @ ContentError::Away(_)) => {
                let error = AppError::from(error);
                tracing::warn!(error = error.log_text(), "a document can't be read");
                Err(error)
            }
            Err(lost) => self.mend(document, content, lost).await,
        }
    }

    /// Prints a document again whose content is lost, and puts it back if it is the same.
    async fn mend(
        &self,
        document: &Document,
        content: &Content,
        lost: ContentError,
    ) -> Result<Bytes, AppError> {
        let (id, now) = (document.id.to_string(), self.clock.now());
        let (kind, why) = (document.kind.title(), lost.to_string());
        if self.printing.is_failing(&id, now) {
            return Err(lost.into());
        }
        let pdf = self.printed_again(document).await;
        let pdf = pdf.inspect_err(|error| {
            let error = error.log_text();
            tracing::error!(document = id, kind, why, error, "a document is lost");
        })?;
        let is_same = pdf
            .as_ref()
            .is_some_and(|pdf| sha256(pdf) == content.sha256);
        let Some(pdf) = pdf.filter(|_| is_same) else {
            self.printing.note(&id, Some(now));
            tracing::error!(
                document = id,
                kind,
                why,
                "a document is lost, and printed anew it would say something else: \
                 bring its content back from a backup"
            );
            return Err(lost.into());
        };
        self.printing.note(&id, None);
        match self.contents.put(pdf.clone()).await {
            Ok(_) => tracing::warn!(
                document = id,
                kind,
                why,
                "a document was lost; printed again it is the same, and it is kept again"
            ),
            Err(error) => tracing::error!(document = id, kind, why, %error, "a document is lost"),
        }
        Ok(pdf)
    }

    /// A document's bytes as they would be printed now; none where it would not be made at all.
    async fn printed_again(&self, document: &Document) -> Result<Option<Bytes>, AppError> {
        let unmade = Document {
            made: None,
            ..document.clone()
        };
        let to_print = self.store.read(|tx| self.to_print(tx, &unmade)).await?;
        match to_print {
            ToPrint::Data(template, data) => {
                let pdf = self.printing.print(template, data).await?;
                Ok(Some(pdf.into()))
            }
            ToPrint::Made | ToPrint::NotNeeded => Ok(None),
        }
    }
}
