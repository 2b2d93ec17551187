//! Renders and stores a product version's documents on the first request. Every customer gets the
//! same documents.

use bytes::Bytes;

use crate::app::documents::render::product_texts;
use crate::app::documents::render::renderer::TRIED_AGAIN;
use crate::app::documents::storage::{self, contents};
use crate::app::products::ProductRegistry;
use crate::app::{App, AppError, BlobStore};
use crate::clock::Clock;
use crate::documents::DocumentTemplate;
use crate::domain::document::ProductDocument;
use crate::store::tables::{self, Content};
use crate::store::{Direction, Read};

/// A rendered document of a product.
pub(in crate::app) struct ProductPdf {
    /// The PDF's bytes.
    pub pdf: Bytes,
    /// SHA-256 of the template, its shared layout and the data, in hexadecimal.
    pub made_of: String,
}

/// Returns the hash of the product version `named`, such as `breakdown-2026.8`. Returns `None` for
/// an unknown version, and before the version's first day of sale.
pub(in crate::app) fn version_named(
    clock: &Clock,
    products: &ProductRegistry,
    tx: &impl Read,
    named: &str,
) -> Result<Option<String>, AppError> {
    // A shop has few products with a few versions each, so reading all versions is fast.
    let versions = tables::PRODUCT_VERSIONS.list(tx, &(), Direction::Forward, usize::MAX)?;
    let mut fitting = versions.into_iter().filter(|((product, version), _)| {
        named
            .strip_prefix(product.as_str())
            .and_then(|rest| rest.strip_prefix('-'))
            .is_some_and(|rest| rest == version)
    });
    let Some((_, hash)) = fitting.next() else {
        return Ok(None);
    };
    let is_effective = products.by_hash(tx, &hash)?.effective_from() <= clock.today();
    Ok(is_effective.then_some(hash))
}

/// Returns a product's document. Renders the document if there is none, its blob can't be read, or
/// its template or data changed. If the template has a mistake, returns the previous document.
///
/// # Errors
/// [`AppError::NotReady`] if the template has a mistake and no previous document can be read.
pub(in crate::app) async fn product_pages(
    app: &App,
    kind: ProductDocument,
    hash: &str,
) -> Result<ProductPdf, AppError> {
    let key = (hash.to_string(), kind.name().to_string());
    let product = app.store.read(|tx| app.products.by_hash(tx, hash)).await?;
    let (template, data) = match kind {
        ProductDocument::Wording => (
            DocumentTemplate::Wording,
            json(&product_texts::wording(app, &product)),
        ),
        ProductDocument::Ipid => (
            DocumentTemplate::Ipid,
            json(&product_texts::ipid(app, &product)),
        ),
    };
    let data = data?;
    let made_of = app.printing.stamp(template, &data.to_string());
    let remembered = || {
        let pdf = app.printing.for_all.get(&made_of)?;
        let made_of = made_of.clone();
        Some(ProductPdf { pdf, made_of })
    };
    if let Some(pages) = remembered() {
        return Ok(pages);
    }
    let _alone = app.printing.printing_for_all.lock().await;
    if let Some(pages) = remembered() {
        return Ok(pages);
    }
    let content = app
        .store
        .read(|tx| tables::PRODUCT_CONTENTS.get(tx, &key))
        .await?;
    let (current, older) = match content {
        Some(content) if content.made_of == made_of => (Some(content), None),
        older => (None, older),
    };
    if let Some(pages) = product_content(&app.contents, kind, current).await {
        app.printing.for_all.insert(made_of, pages.pdf.clone());
        return Ok(pages);
    }
    let identifier = kind.identifier(product.identifier(), product.version());
    let now = app.clock.now();
    let not_ready = AppError::NotReady {
        retry_after: TRIED_AGAIN.unsigned_abs(),
    };
    if app.printing.is_failing(&identifier, now) {
        return product_content(&app.contents, kind, older)
            .await
            .ok_or(not_ready);
    }
    let printed = app.printing.print(template, data).await;
    let failed = matches!(printed, Err(AppError::Internal(_))).then_some(now);
    app.printing.note(&identifier, failed);
    let pdf = match printed {
        Ok(pdf) => Bytes::from(pdf),
        Err(error @ AppError::Internal(_)) => {
            let (title, error) = (kind.title(), error.log_text());
            tracing::error!(title, error, "a product's document can't be rendered");
            return product_content(&app.contents, kind, older)
                .await
                .ok_or(not_ready);
        }
        Err(other) => return Err(other),
    };
    app.printing.for_all.insert(made_of.clone(), pdf.clone());
    match storage::store_pdf(&app.clock, &app.contents, pdf.clone(), made_of.clone()).await {
        Ok(put) => {
            let write = app.store.write(move |tx| {
                let is_written = contents::put_of_product(tx, &key, &put)?;
                Ok::<_, AppError>(is_written)
            });
            write.await?;
        }
        // A failed upload does not fail the request, because a later request can render the
        // document again.
        Err(error) => {
            let (title, error) = (kind.title(), error.log_text());
            tracing::warn!(title, error, "a product's document can't be stored");
        }
    }
    Ok(ProductPdf { pdf, made_of })
}

/// Reads a product's document from the blob store. Returns `None` if there is no `content` or its
/// blob can't be read.
async fn product_content(
    contents: &BlobStore,
    kind: ProductDocument,
    content: Option<Content>,
) -> Option<ProductPdf> {
    let content = content?;
    match contents.get(&content.sha256).await {
        Ok(pdf) => Some(ProductPdf {
            pdf,
            made_of: content.made_of,
        }),
        Err(error) => {
            let title = kind.title();
            tracing::warn!(title, %error, "a product's document can't be read: it is rendered again");
            None
        }
    }
}

fn json(data: &impl serde::Serialize) -> Result<serde_json::Value, AppError> {
    serde_json::to_value(data)
        .map_err(|error| AppError::internal("a document's data could not be written", error))
}
