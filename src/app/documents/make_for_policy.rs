//! Making the documents of a policy: an ordered one is printed and kept.

use uuid::Uuid;

use crate::app::documents::policy_texts::ToPrint;
use crate::app::{App, AppError, rows};
use crate::documents::Template;
use crate::domain::document::Document;
use crate::store::tables::{self, Pages};

impl App {
    /// Makes a document that was ordered.
    ///
    /// # Errors
    /// When it can't be printed; the log says why.
    pub(in crate::app) async fn make_document(&self, id: Uuid) -> Result<(), AppError> {
        let (document, to_print) = self
            .store
            .read(|tx| {
                let document = tables::DOCUMENTS.get(tx, &id)?.ok_or(AppError::NotFound)?;
                let to_print = self.to_print(tx, &document);
                Ok::<_, AppError>((document, to_print))
            })
            .await?;
        let printed = match to_print {
            Ok(ToPrint::Made) => return Ok(()),
            Ok(ToPrint::NotNeeded) => return self.forget_document(document).await,
            Ok(ToPrint::Data(template, data)) => self.print_for(template, data).await,
            Err(error) => Err(error),
        };
        if let Err(error @ AppError::Internal(_)) = &printed {
            let (kind, error) = (document.kind.title(), error.log_text());
            tracing::error!(kind, error, "a document can't be printed");
        }
        let (pages, now) = (printed?, self.clock.now());
        self.store
            .write(move |tx| {
                rows::documents::put_made(tx, &document, &pages, now)?;
                Ok::<_, AppError>(())
            })
            .await
    }

    /// Prints the data of a document.
    async fn print_for(
        &self,
        template: Template,
        data: serde_json::Value,
    ) -> Result<Pages, AppError> {
        let made_of = self.printing.stamp(template, &data.to_string());
        let pdf = self.printing.print(template, data).await?.into();
        Ok(Pages { pdf, made_of })
    }

    /// Removes a document that is no longer needed.
    async fn forget_document(&self, document: Document) -> Result<(), AppError> {
        self.store
            .write(move |tx| {
                rows::documents::delete(tx, &document);
                Ok::<_, AppError>(())
            })
            .await
    }
}
