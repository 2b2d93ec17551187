//! Documents and the object store: a content is put there first, and the row that names it is written
//! then. So no row names what isn't there, and a process that is killed in between leaves a content
//! that nobody names.

use bytes::Bytes;

use crate::app::documents::storage::contents::Put;
use crate::app::{AppError, BlobStore};
use crate::clock::Clock;
use crate::integrations::blobs::ContentError;
use crate::store::tables::Content;

/// Puts a document's bytes into the object store. The row is the caller's to write.
///
/// # Errors
/// [`AppError::DocumentsAway`].
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

/// A content that was just put may be gone again: it was an old one that is being removed.
pub(in crate::app) fn put_again() -> AppError {
    AppError::DocumentsAway("an older content of the same bytes is being removed".to_string())
}

impl From<ContentError> for AppError {
    fn from(error: ContentError) -> Self {
        Self::DocumentsAway(error.to_string())
    }
}
