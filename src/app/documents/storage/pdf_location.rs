//! Uploads documents to the blob store. The caller writes the row of a blob after the upload, so
//! that no row names a missing blob. A process killed between both steps leaves a blob without a
//! row.

use bytes::Bytes;

use crate::app::documents::storage::contents::Put;
use crate::app::{AppError, BlobStore};
use crate::clock::Clock;
use crate::integrations::blobs::ContentError;
use crate::store::tables::Content;

/// Puts a document's bytes into the blob store. The caller must write the row that names the blob.
///
/// # Errors
/// [`AppError::DocumentsUnavailable`] if the blob store is unavailable.
pub(in crate::app) async fn store_pdf(
    clock: &Clock,
    contents: &BlobStore,
    pdf: Bytes,
    made_of: String,
) -> Result<Put, AppError> {
    let started = clock.now();
    let size = u64::try_from(pdf.len()).unwrap_or(u64::MAX);
    let sha256 = contents.put(pdf).await?;
    let content = Content {
        sha256,
        size,
        made_of,
    };
    Ok(Put { content, started })
}

/// Returns the error for a blob that must be put again. An older blob of the same bytes may be in
/// removal.
pub(in crate::app) fn requeue() -> AppError {
    AppError::DocumentsUnavailable(
        "an older content of the same bytes is being removed".to_string(),
    )
}

impl From<ContentError> for AppError {
    fn from(error: ContentError) -> Self {
        Self::DocumentsUnavailable(error.to_string())
    }
}
