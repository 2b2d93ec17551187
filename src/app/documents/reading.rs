//! Reading documents, for callers who may.

use bytes::Bytes;
use uuid::Uuid;

use crate::app::{App, AppError, Caller, access};
use crate::domain::document::ProductDocument;
use crate::store::tables;

/// Seconds after which a document that is being made is asked for again.
const MADE_SOON: u64 = 2;

/// A document as it is handed out.
#[derive(Clone, Debug)]
pub struct Printed {
    /// PDF.
    pub pdf: Bytes,
    /// What a saved copy is called.
    pub file_name: String,
    /// Changes when the pages do.
    pub tag: String,
    /// Whether anybody may read it.
    pub public: bool,
}

impl App {
    /// A document: a product's for anybody, a policy's for those who may read it.
    ///
    /// # Errors
    /// [`AppError::Unauthenticated`] for somebody unknown, [`AppError::NotFound`] for what isn't
    /// there or isn't theirs, [`AppError::NotReady`] while it is being made.
    pub async fn document(&self, caller: &Caller, identifier: &str) -> Result<Printed, AppError> {
        if let Some((kind, version)) = ProductDocument::named(identifier)
            && let Some(hash) = self.version_named(version)?
        {
            let pages = self.product_pages(kind, &hash).await?;
            return Ok(Printed {
                tag: pages.made_of,
                pdf: pages.pdf,
                file_name: format!("{}-{version}.pdf", file_word(kind)),
                public: true,
            });
        }
        let known = matches!(caller, Caller::Visitor { .. } | Caller::User { .. });
        let absent = || {
            if known {
                AppError::NotFound
            } else {
                AppError::Unauthenticated
            }
        };
        let id = Uuid::parse_str(identifier).map_err(|_| AppError::NotFound)?;
        let tx = self.store.read()?;
        let row = tables::DOCUMENTS.get(&tx, &id)?.ok_or_else(absent)?;
        let quote = access::documents_of(&tx, caller, row.policy, self.clock.now())?;
        let pages = tables::DOCUMENT_PAGES.get(&tx, &id)?;
        let pages = pages.filter(|_| row.made.is_some());
        let pages = pages.ok_or(AppError::NotReady {
            retry_after: MADE_SOON,
        })?;
        let title = row.kind.title().replace(' ', "-");
        Ok(Printed {
            pdf: pages.pdf,
            file_name: format!("{title}-{}.pdf", quote.reference),
            tag: pages.made_of,
            public: false,
        })
    }

    /// Checks that the caller may read a policy's documents.
    ///
    /// # Errors
    /// As [`App::policy_documents`].
    pub fn may_read_documents(&self, caller: &Caller, uuid: Uuid) -> Result<(), AppError> {
        let tx = self.store.read()?;
        access::documents_of(&tx, caller, uuid, self.clock.now())?;
        if tables::POLICIES.has(&tx, &uuid)? {
            Ok(())
        } else {
            Err(AppError::NotFound)
        }
    }

    /// Whether each of some documents can be fetched now; false for what isn't the caller's.
    ///
    /// # Errors
    /// When the store fails.
    pub fn documents_ready(
        &self,
        caller: &Caller,
        identifiers: Vec<String>,
    ) -> Result<Vec<(String, bool)>, AppError> {
        let mut found = Vec::with_capacity(identifiers.len());
        for identifier in identifiers {
            let ready = self.is_ready_for(caller, &identifier)?;
            found.push((identifier, ready));
        }
        Ok(found)
    }

    fn is_ready_for(&self, caller: &Caller, identifier: &str) -> Result<bool, AppError> {
        if let Some((_, version)) = ProductDocument::named(identifier)
            && self.version_named(version)?.is_some()
        {
            let now = self.clock.now();
            return Ok(!self.printing.is_failing(identifier, now));
        }
        let Ok(id) = Uuid::parse_str(identifier) else {
            return Ok(false);
        };
        let tx = self.store.read()?;
        let Some(row) = tables::DOCUMENTS.get(&tx, &id)? else {
            return Ok(false);
        };
        match access::documents_of(&tx, caller, row.policy, self.clock.now()) {
            Ok(_) => Ok(row.made.is_some()),
            Err(AppError::NotFound | AppError::Unauthenticated) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

const fn file_word(kind: ProductDocument) -> &'static str {
    match kind {
        ProductDocument::Wording => "Policy-Wording",
        ProductDocument::Ipid => "IPID",
    }
}
