//! Moving pages that are in the store itself, from before there was an object store, to where contents
//! are. They are read in both places meanwhile, so nobody waits for it, and a process that is killed
//! goes on where it was.

use crate::app::rows::contents::OfProduct;
use crate::app::{App, AppError, rows};
use crate::store::tables::{self, Pages};
use crate::store::{Direction, Read};

/// Documents moved in one transaction. They are in memory at the same time.
const AT_ONCE: usize = 20;
/// What only one shop does at a time.
const MOVE: &str = "moving documents";

impl App {
    /// Moves all pages that are in the store itself.
    ///
    /// # Errors
    /// When the store fails, or the object store is away; what is left is moved by the next call.
    pub async fn move_pages(&self) -> Result<(), AppError> {
        let none_left = self.store.read(|tx| {
            let documents = tables::DOCUMENT_PAGES.list(tx, &(), Direction::Forward, 1)?;
            let products = tables::PRODUCT_PAGES.list(tx, &(), Direction::Forward, 1)?;
            Ok::<_, AppError>(documents.is_empty() && products.is_empty())
        });
        if none_left.await? {
            return Ok(());
        }
        let place = self.contents.place();
        tracing::info!(
            place,
            "documents in the store are moved to where contents are"
        );
        self.alone(MOVE, Box::pin(self.move_all())).await
    }

    async fn move_all(&self) -> Result<(), AppError> {
        let mut moved = 0;
        loop {
            let some = self.move_documents().await?;
            moved += some;
            if some == 0 {
                break;
            }
        }
        moved += self.move_products().await?;
        tracing::info!(moved, "documents were moved out of the store");
        Ok(())
    }

    /// Moves some pages of policies' documents; answers how many.
    async fn move_documents(&self) -> Result<usize, AppError> {
        let some = self
            .store
            .read(|tx| tables::DOCUMENT_PAGES.list(tx, &(), Direction::Forward, AT_ONCE))
            .await?;
        let mut put = Vec::with_capacity(some.len());
        for (id, Pages { pdf, made_of }) in some {
            put.push((id, self.keep(pdf, made_of).await?));
        }
        self.store
            .write(move |tx| {
                let mut moved = 0;
                for (id, put) in &put {
                    // It may have been deleted meanwhile.
                    let is_there = tables::DOCUMENT_PAGES.has(tx, id)?;
                    if is_there && rows::contents::put(tx, *id, put)? {
                        moved += 1;
                    }
                }
                Ok::<_, AppError>(moved)
            })
            .await
    }

    /// Moves the pages of products' documents, of which a shop has few; answers how many.
    async fn move_products(&self) -> Result<usize, AppError> {
        let keys = self.store.read(product_keys).await?;
        let mut moved = 0;
        for key in keys {
            let pages = self
                .store
                .read(|tx| tables::PRODUCT_PAGES.get(tx, &key))
                .await?;
            let Some(Pages { pdf, made_of }) = pages else {
                continue;
            };
            let put = self.keep(pdf, made_of).await?;
            let done = self.store.write(move |tx| {
                let is_there = tables::PRODUCT_PAGES.has(tx, &key)?;
                Ok::<_, AppError>(is_there && rows::contents::put_of_product(tx, &key, &put)?)
            });
            moved += usize::from(done.await?);
        }
        Ok(moved)
    }
}

fn product_keys(tx: &impl Read) -> Result<Vec<OfProduct>, AppError> {
    let mut keys = Vec::new();
    tables::PRODUCT_PAGES.scan(tx, &(), Direction::Forward, |key, _| {
        keys.push(key);
        std::ops::ControlFlow::Continue(())
    })?;
    Ok(keys)
}
