//! Renders and stores the ordered documents of a policy or quote.

use uuid::Uuid;

use crate::app::documents::render::policy_texts::{RenderJob, build_render_job};
use crate::app::documents::storage::contents::{self, Put};
use crate::app::documents::storage::pdf_location::requeue;
use crate::app::documents::{DocumentRenderer, storage};
use crate::app::{App, AppError, BlobStore};
use crate::clock::Clock;
use crate::documents::DocumentTemplate;
use crate::store::{Store, tables};

/// Renders and stores an ordered document. Does nothing if the document is already stored. Deletes
/// a renewal notice if the notice's revision of the renewal quote has no price, and a plan that has ended.
///
/// # Errors
/// [`AppError::NotFound`] if the document or a row that it needs does not exist.
/// [`AppError::Internal`] if the document can't be rendered; the log has the reason.
/// [`AppError::DocumentsUnavailable`] if the blob store is unavailable, or if an older blob of the
/// same bytes may be in removal.
pub(in crate::app) async fn make_document(app: &App, id: Uuid) -> Result<(), AppError> {
    let found = app.store.read(|tx| {
        let document = tables::DOCUMENTS.get(tx, &id)?;
        let found = document.map(|document| (build_render_job(app, tx, &document), document));
        Ok::<_, AppError>(found)
    });
    // The document may have been deleted with its quote.
    let Some((render_job, document)) = found.await? else {
        return Ok(());
    };
    let printed = match render_job {
        Ok(RenderJob::Made) => return Ok(()),
        Ok(RenderJob::NotNeeded) => return forget_document(&app.store, document.id).await,
        // The upload would probably fail, so rendering would be wasted work.
        Ok(RenderJob::Data(..)) if app.contents.has_just_failed() => {
            let why = "it didn't take a document a moment ago";
            Err(AppError::DocumentsUnavailable(why.to_string()))
        }
        Ok(RenderJob::Data(template, data)) => {
            render_and_store(&app.clock, &app.contents, &app.printing, template, data).await
        }
        Err(error) => Err(error),
    };
    if let Err(error @ AppError::Internal(_)) = &printed {
        let (kind, error) = (document.kind.title(), error.log_text());
        tracing::error!(kind, error, "a document can't be rendered");
    }
    let (content, now) = (printed?, app.clock.now());
    let write = app.store.write(move |tx| {
        let is_written = contents::put_made(tx, &document, &content, now)?;
        Ok::<_, AppError>(is_written)
    });
    if write.await? { Ok(()) } else { Err(requeue()) }
}

/// Renders a document and puts it into the blob store.
async fn render_and_store(
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

async fn forget_document(store: &Store, id: Uuid) -> Result<(), AppError> {
    store
        .write(move |tx| {
            contents::delete_document(tx, &id)?;
            Ok::<_, AppError>(())
        })
        .await
}
