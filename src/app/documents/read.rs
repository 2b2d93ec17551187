//! Reads documents for callers who have access.

use bytes::Bytes;
use uuid::Uuid;

use crate::app::documents::{DocumentRenderer, render};
use crate::app::products::ProductRegistry;
use crate::app::{App, AppError, BlobStore, Caller, access};
use crate::clock::Clock;
use crate::domain::document::{Document, ProductDocument};
use crate::domain::quote::Quote;
use crate::integrations::blobs::ContentError;
use crate::store::tables::{self, Content};
use crate::store::{Read, Store, is_first_today};

/// Seconds after which a client asks again for a document that is being rendered.
const MADE_SOON: u64 = 2;

/// A rendered document with the fields of its response.
#[derive(Clone, Debug)]
pub struct RenderedPdf {
    /// The PDF's bytes.
    pub pdf: Bytes,
    pub title: &'static str,
    /// Name of a saved copy.
    pub file_name: String,
    /// The entity tag. It changes with the template, the shared layout or the data.
    pub tag: String,
    /// Whether anybody may read the document.
    pub public: bool,
}

/// Returns a document. A product's document is public. For the document of a quote or policy, the
/// caller must have access.
///
/// # Errors
/// [`AppError::NotFound`] for an identifier that no document can have. For a policy's document,
/// [`AppError::Unauthenticated`] for a caller without valid credentials. [`AppError::NotFound`] if
/// the document is unknown or belongs to somebody else. [`AppError::NotReady`] if the document is
/// not rendered yet, or if a product's document can't be rendered.
/// [`AppError::DocumentsUnavailable`] if the blob store is unavailable or has lost the document.
pub async fn document(
    app: &App,
    caller: &Caller,
    identifier: &str,
) -> Result<RenderedPdf, AppError> {
    if let Some((kind, version)) = ProductDocument::parse(identifier)
        && let Some(hash) = app
            .store
            .read(|tx| render::version_named(&app.clock, &app.products, tx, version))
            .await?
    {
        return product_pdf(app, kind, &hash).await;
    }
    let is_identified = matches!(caller, Caller::Visitor { .. } | Caller::User { .. });
    let absent = || {
        if is_identified {
            AppError::NotFound
        } else {
            AppError::Unauthenticated
        }
    };
    let id = Uuid::parse_str(identifier).map_err(|_| AppError::NotFound)?;
    let found = app.store.read(|tx| {
        let row = tables::DOCUMENTS.get(tx, &id)?.ok_or_else(absent)?;
        let quote = access::documents_of(tx, caller, row.policy, app.clock.now())?;
        document_file(tx, row, &quote)
    });
    read_pdf(&app.contents, found.await?).await
}

/// Returns a document of the product version with this hash.
///
/// # Errors
/// As [`render::product_pages`].
pub(in crate::app) async fn product_pdf(
    app: &App,
    kind: ProductDocument,
    hash: &str,
) -> Result<RenderedPdf, AppError> {
    let product = app.store.read(|tx| app.products.by_hash(tx, hash)).await?;
    let (name, part) = (product.identifier(), file_name_part(kind));
    let pages = render::product_pages(app, kind, hash).await?;
    Ok(RenderedPdf {
        title: kind.title(),
        file_name: format!("{part}-{name}-{}.pdf", product.version()),
        tag: pages.made_of,
        pdf: pages.pdf,
        public: true,
    })
}

/// Reads a policy's document from the blob store. A lost document is not rendered again, because
/// the document records what was agreed. Templates and the shop's texts may have changed after the
/// agreement.
///
/// # Errors
/// [`AppError::DocumentsUnavailable`] if the blob store is unavailable or the document is lost.
pub(in crate::app) async fn read_pdf(
    contents: &BlobStore,
    found: DocumentFile,
) -> Result<RenderedPdf, AppError> {
    let pdf = contents.get(&found.content.sha256).await;
    let pdf = pdf.inspect_err(|error| log(error, &found.document))?;
    Ok(RenderedPdf {
        pdf,
        title: found.document.kind.title(),
        file_name: found.file_name,
        tag: found.content.made_of,
        public: false,
    })
}

/// Checks that the caller may read a policy's documents.
///
/// # Errors
/// The errors of [`access::quote_of`], but a visitor's token of a policy does not expire.
/// [`AppError::NotFound`] for a quote that is not bought.
pub async fn can_read_documents(
    store: &Store,
    clock: &Clock,
    caller: &Caller,
    uuid: Uuid,
) -> Result<(), AppError> {
    store
        .read(|tx| {
            access::documents_of(tx, caller, uuid, clock.now())?;
            if tables::POLICIES.has(tx, &uuid)? {
                Ok(())
            } else {
                Err(AppError::NotFound)
            }
        })
        .await
}

/// Returns for each document whether a client can fetch the document now. Returns false for a
/// document that is unknown or not the caller's.
///
/// # Errors
/// Fails if the store fails.
pub async fn documents_ready(
    app: &App,
    caller: &Caller,
    identifiers: Vec<String>,
) -> Result<Vec<(String, bool)>, AppError> {
    app.store
        .read(|tx| {
            let mut found = Vec::with_capacity(identifiers.len());
            for identifier in identifiers {
                let ready = is_ready_for(
                    &app.clock,
                    &app.products,
                    &app.printing,
                    tx,
                    caller,
                    &identifier,
                )?;
                found.push((identifier, ready));
            }
            Ok(found)
        })
        .await
}

fn is_ready_for(
    clock: &Clock,
    products: &ProductRegistry,
    printing: &DocumentRenderer,
    tx: &impl Read,
    caller: &Caller,
    identifier: &str,
) -> Result<bool, AppError> {
    if let Some((_, version)) = ProductDocument::parse(identifier)
        && render::version_named(clock, products, tx, version)?.is_some()
    {
        let now = clock.now();
        return Ok(!printing.is_failing(identifier, now));
    }
    let Ok(id) = Uuid::parse_str(identifier) else {
        return Ok(false);
    };
    let Some(row) = tables::DOCUMENTS.get(tx, &id)? else {
        return Ok(false);
    };
    match access::documents_of(tx, caller, row.policy, clock.now()) {
        Ok(_) => Ok(row.made.is_some()),
        Err(AppError::NotFound | AppError::Unauthenticated) => Ok(false),
        Err(error) => Err(error),
    }
}

/// A policy's document, with the data to read its PDF from the blob store.
pub(in crate::app) struct DocumentFile {
    document: Document,
    content: Content,
    file_name: String,
}

/// Returns the data to read a policy's document from the blob store.
///
/// # Errors
/// [`AppError::NotReady`] if the document is not rendered yet.
pub(in crate::app) fn document_file(
    tx: &impl Read,
    document: Document,
    quote: &Quote,
) -> Result<DocumentFile, AppError> {
    let content = tables::DOCUMENT_CONTENTS.get(tx, &document.id)?;
    let content = content.filter(|_| document.made.is_some());
    let content = content.ok_or(AppError::NotReady {
        retry_after: MADE_SOON,
    })?;
    let title = document.kind.title().replace(' ', "-");
    Ok(DocumentFile {
        document,
        content,
        file_name: format!("{title}-{}.pdf", quote.reference),
    })
}

/// Logs why a document can't be read. A lost document is logged at most once a day.
fn log(error: &ContentError, document: &Document) {
    let (id, kind) = (document.id, document.kind.title());
    match error {
        ContentError::Away(_) => tracing::warn!(%error, "a document can't be read"),
        lost if is_first_today(id.as_bytes()) => tracing::error!(
            document = %id,
            kind,
            why = %lost,
            "a document is lost: bring its content back from a backup"
        ),
        _ => {}
    }
}

const fn file_name_part(kind: ProductDocument) -> &'static str {
    match kind {
        ProductDocument::Wording => "Policy-Wording",
        ProductDocument::Ipid => "IPID",
    }
}
