//! Making the documents of a policy: an ordered one is printed and kept.

use uuid::Uuid;

use crate::app::documents::render::policy_texts::{RenderJob, to_print};
use crate::app::documents::storage::contents::{self, Put};
use crate::app::documents::storage::pdf_location::put_again;
use crate::app::documents::{DocumentRenderer, storage};
use crate::app::{App, AppError, BlobStore};
use crate::clock::Clock;
use crate::documents::DocumentTemplate;
use crate::store::{Store, tables};

/// Makes a document that was ordered.
///
/// # Errors
/// When it can't be printed; the log says why. When the object store is away.
pub(in crate::app) async fn make_document(app: &App, id: Uuid) -> Result<(), AppError> {
    let (document, to_print) = app
        .store
        .read(|tx| {
            let document = tables::DOCUMENTS.get(tx, &id)?.ok_or(AppError::NotFound)?;
            let to_print = to_print(app, tx, &document);
            Ok::<_, AppError>((document, to_print))
        })
        .await?;
    let printed = match to_print {
        Ok(RenderJob::Made) => return Ok(()),
        Ok(RenderJob::NotNeeded) => return forget_document(&app.store, document.id).await,
        // Printing is work that would be for nothing.
        Ok(RenderJob::Data(..)) if app.contents.has_just_failed() => {
            let why = "it didn't take a document a moment ago";
            Err(AppError::DocumentsAway(why.to_string()))
        }
        Ok(RenderJob::Data(template, data)) => {
            print_and_keep(&app.clock, &app.contents, &app.printing, template, data).await
        }
        Err(error) => Err(error),
    };
    if let Err(error @ AppError::Internal(_)) = &printed {
        let (kind, error) = (document.kind.title(), error.log_text());
        tracing::error!(kind, error, "a document can't be printed");
    }
    let (content, now) = (printed?, app.clock.now());
    let write = app.store.write(move |tx| {
        let is_written = contents::put_made(tx, &document, &content, now)?;
        Ok::<_, AppError>(is_written)
    });
    if write.await? {
        Ok(())
    } else {
        Err(put_again())
    }
}

/// Prints the data of a document, and puts it where contents are.
async fn print_and_keep(
    clock: &Clock,
    contents: &BlobStore,
    printing: &DocumentRenderer,
    template: DocumentTemplate,
    data: serde_json::Value,
) -> Result<Put, AppError> {
    let made_of = printing.stamp(template, &data.to_string());
    let pdf = printing.print(template, data).await?;
    storage::store_pdf(clock, contents, pdf.into(), made_of).await
}

/// Removes a document that is no longer needed.
async fn forget_document(store: &Store, id: Uuid) -> Result<(), AppError> {
    store
        .write(move |tx| {
            contents::delete_document(tx, &id)?;
            Ok::<_, AppError>(())
        })
        .await
}
