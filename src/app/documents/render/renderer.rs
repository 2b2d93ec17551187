//! Renders documents to PDF, a limited number at the same time.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex as PlainMutex, PoisonError};

use bytes::Bytes;
use chrono::{DateTime, Duration, Utc};
use moka::sync::Cache;
use serde::Serialize;
use tokio::sync::{Mutex, Semaphore};

use crate::app::AppError;
use crate::documents::{DocumentTemplate, PdfRenderer, RenderError};

/// The maximum number of documents rendered at the same time. Each rendering uses one processor.
const MAX_CONCURRENT_RENDERS: usize = 2;

/// Seconds between a failed rendering of a product's document and the next try. Requests within this time
/// cause no rendering.
pub(in crate::app) const TRIED_AGAIN: i64 = 60;

/// The maximum number of cached product documents. A cached document is returned without a read of the blob
/// store.
const REMEMBERED: u64 = 64;
/// The lifetime of a cached document. After this time, a request renders and stores a document whose upload
/// failed.
const REMEMBERED_FOR: std::time::Duration = std::time::Duration::from_secs(600);

/// Returns a text for each template in a folder whose syntax has a mistake, with file and line.
#[must_use]
pub fn template_errors(folder: &Path) -> Vec<String> {
    let errors = PdfRenderer::new(Some(folder.to_owned())).syntax_errors();
    errors.iter().map(RenderError::to_string).collect()
}

/// The PDF renderer, and the limits on its use.
pub struct DocumentRenderer {
    pub(in crate::app) renderer: Arc<PdfRenderer>,
    pub(in crate::app) permits: Arc<Semaphore>,
    /// Locked while a product's document is rendered, so that concurrent requests render the document once.
    pub(in crate::app) printing_for_all: Mutex<()>,
    /// Documents of products, by the SHA-256 of template, shared layout and data.
    pub(in crate::app) for_all: Cache<String, Bytes>,
    /// The identifiers of product documents that could not be rendered, with the time of the failure.
    pub(in crate::app) failing: PlainMutex<HashMap<String, DateTime<Utc>>>,
}

impl DocumentRenderer {
    /// Creates a renderer. Files in `templates` replace the compiled-in templates.
    #[must_use]
    pub fn new(templates: Option<PathBuf>) -> Self {
        Self {
            renderer: Arc::new(PdfRenderer::new(templates)),
            permits: Arc::new(Semaphore::new(MAX_CONCURRENT_RENDERS)),
            printing_for_all: Mutex::default(),
            for_all: Cache::builder()
                .max_capacity(REMEMBERED)
                .time_to_live(REMEMBERED_FOR)
                .build(),
            failing: PlainMutex::default(),
        }
    }

    /// Returns whether rendering a product's document failed within the last [`TRIED_AGAIN`] seconds.
    pub(in crate::app) fn is_failing(&self, identifier: &str, now: DateTime<Utc>) -> bool {
        let failing = self.failing.lock().unwrap_or_else(PoisonError::into_inner);
        let failed_at = failing.get(identifier);
        failed_at.is_some_and(|failed_at| now - *failed_at < Duration::seconds(TRIED_AGAIN))
    }

    /// Stores or clears the time when rendering a document failed.
    pub(in crate::app) fn note(&self, identifier: &str, failed: Option<DateTime<Utc>>) {
        let mut failing = self.failing.lock().unwrap_or_else(PoisonError::into_inner);
        match failed {
            Some(now) => {
                failing.retain(|_, failed_at| now - *failed_at < Duration::seconds(TRIED_AGAIN));
                failing.insert(identifier.to_string(), now)
            }
            None => failing.remove(identifier),
        };
    }

    /// Returns the SHA-256 of the template, its shared layout and the data, in hexadecimal.
    pub(in crate::app) fn stamp(&self, template: DocumentTemplate, data: &str) -> String {
        digest(&[self.renderer.text(template).as_bytes(), data.as_bytes()])
    }
}

/// Returns the SHA-256 of some parts, in hexadecimal. The length before each part distinguishes `ab`, `c`
/// from `a`, `bc`.
fn digest(parts: &[&[u8]]) -> String {
    use sha2::{Digest, Sha256};
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(u64::try_from(part.len()).unwrap_or_default().to_le_bytes());
        digest.update(part);
    }
    data_encoding::HEXLOWER.encode(&digest.finalize())
}

impl DocumentRenderer {
    /// Renders a document on a separate thread as soon as a permit is free.
    ///
    /// # Errors
    /// [`AppError::Internal`] if the thread fails or the template has a mistake. The error's text has the
    /// template's file, the line and the mistake, for the log.
    pub(in crate::app) async fn print(
        &self,
        template: DocumentTemplate,
        data: impl Serialize + Send + 'static,
    ) -> Result<Vec<u8>, AppError> {
        let permit = self.permits.clone().acquire_owned().await;
        let permit = permit.map_err(|_| AppError::Unavailable)?;
        let renderer = self.renderer.clone();
        let printed = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            renderer.print(template, &data)
        });
        let printed = printed
            .await
            .map_err(|error| AppError::internal("the thread that prints failed", error))?;
        printed.map_err(|error: RenderError| AppError::internal("a template has a mistake", error))
    }
}
