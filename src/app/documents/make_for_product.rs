//! The documents of a product's version: printed when first asked for, kept, the same for all.

use bytes::Bytes;

use crate::app::documents::keeping::Kept;
use crate::app::documents::printing::TRIED_AGAIN;
use crate::app::documents::product_texts;
use crate::app::rows::contents::OfProduct;
use crate::app::{App, AppError, rows};
use crate::documents::Template;
use crate::domain::document::ProductDocument;
use crate::store::tables::{self, Pages};
use crate::store::{Direction, Read};

impl App {
    /// The hash of the product's version that is called `named`, such as `breakdown-2026.8`,
    /// once it is or was on sale.
    pub(in crate::app) fn version_named(
        &self,
        tx: &impl Read,
        named: &str,
    ) -> Result<Option<String>, AppError> {
        // A shop has few products, and of each a few versions.
        let known = tables::PRODUCT_VERSIONS.list(tx, &(), Direction::Forward, usize::MAX)?;
        let mut fitting = known.into_iter().filter(|((product, version), _)| {
            named
                .strip_prefix(product.as_str())
                .and_then(|rest| rest.strip_prefix('-'))
                .is_some_and(|rest| rest == version)
        });
        let Some((_, hash)) = fitting.next() else {
            return Ok(None);
        };
        let begun = self.products.by_hash(tx, &hash)?.effective_from() <= self.today();
        Ok(begun.then_some(hash))
    }

    /// A product's document. It is printed again when the template or the shop's texts have
    /// changed, or its content can't be had; while that fails, the one before is returned.
    ///
    /// # Errors
    /// [`AppError::NotReady`] while there is none and the template has a mistake.
    pub(in crate::app) async fn product_pages(
        &self,
        kind: ProductDocument,
        hash: &str,
    ) -> Result<Pages, AppError> {
        let key = (hash.to_string(), kind.name().to_string());
        let product = self
            .store
            .read(|tx| self.products.by_hash(tx, hash))
            .await?;
        let (template, data) = match kind {
            ProductDocument::Wording => (
                Template::Wording,
                json(&product_texts::wording(self, &product)),
            ),
            ProductDocument::Ipid => (Template::Ipid, json(&product_texts::ipid(self, &product))),
        };
        let data = data?;
        let made_of = self.printing.stamp(template, &data.to_string());
        let remembered = || {
            let pdf = self.printing.for_all.get(&made_of)?;
            let made_of = made_of.clone();
            Some(Pages { pdf, made_of })
        };
        if let Some(pages) = remembered() {
            return Ok(pages);
        }
        let _alone = self.printing.printing_for_all.lock().await;
        if let Some(pages) = remembered() {
            return Ok(pages);
        }
        let kept = self.store.read(|tx| kept_of_product(tx, &key)).await?;
        let is_current = |kept: &Kept| kept.made_of() == made_of;
        let (current, older) = match kept {
            Some(kept) if is_current(&kept) => (Some(kept), None),
            older => (None, older),
        };
        if let Some(pages) = self.product_content(kind, current).await {
            self.printing.for_all.insert(made_of, pages.pdf.clone());
            return Ok(pages);
        }
        let identifier = kind.identifier(product.identifier(), product.version());
        let now = self.clock.now();
        let later = AppError::NotReady {
            retry_after: TRIED_AGAIN.unsigned_abs(),
        };
        if self.printing.is_failing(&identifier, now) {
            return self.product_content(kind, older).await.ok_or(later);
        }
        let printed = self.printing.print(template, data).await;
        let failed = matches!(printed, Err(AppError::Internal(_))).then_some(now);
        self.printing.note(&identifier, failed);
        let pdf = match printed {
            Ok(pdf) => Bytes::from(pdf),
            Err(error @ AppError::Internal(_)) => {
                let (title, error) = (kind.title(), error.log_text());
                tracing::error!(title, error, "a product's document can't be printed");
                return self.product_content(kind, older).await.ok_or(later);
            }
            Err(other) => return Err(other),
        };
        self.printing.for_all.insert(made_of.clone(), pdf.clone());
        match self.keep(pdf.clone(), made_of.clone()).await {
            Ok(put) => {
                let write = self.store.write(move |tx| {
                    let is_written = rows::contents::put_of_product(tx, &key, &put)?;
                    Ok::<_, AppError>(is_written)
                });
                write.await?;
            }
            // It can be printed whenever it is asked for, so nobody has to wait for it.
            Err(error) => {
                let (title, error) = (kind.title(), error.log_text());
                tracing::warn!(title, error, "a product's document can't be kept");
            }
        }
        Ok(Pages { pdf, made_of })
    }

    /// The pages of a product's document that is kept, if they can be had.
    async fn product_content(&self, kind: ProductDocument, kept: Option<Kept>) -> Option<Pages> {
        let content = match kept? {
            Kept::InRow(pages) => return Some(pages),
            Kept::There(content) => content,
        };
        match self.contents.get(&content.sha256).await {
            Ok(pdf) => Some(Pages {
                pdf,
                made_of: content.made_of,
            }),
            Err(error) => {
                let title = kind.title();
                tracing::warn!(title, %error, "a product's document can't be read: it is printed again");
                None
            }
        }
    }
}

/// Where a product's document is.
fn kept_of_product(tx: &impl Read, key: &OfProduct) -> Result<Option<Kept>, AppError> {
    if let Some(content) = tables::PRODUCT_CONTENTS.get(tx, key)? {
        return Ok(Some(Kept::There(content)));
    }
    Ok(tables::PRODUCT_PAGES.get(tx, key)?.map(Kept::InRow))
}

fn json(data: &impl serde::Serialize) -> Result<serde_json::Value, AppError> {
    serde_json::to_value(data)
        .map_err(|error| AppError::internal("a document's data could not be written", error))
}
