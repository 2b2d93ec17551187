//! Printing documents, a limited number at the same time.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex as PlainMutex, PoisonError};

use bytes::Bytes;
use chrono::{DateTime, Duration, Utc};
use moka::sync::Cache;
use serde::Serialize;
use tokio::sync::{Mutex, Semaphore};

use crate::app::AppError;
use crate::documents::{DocumentTemplate, PdfRenderer, RenderError};

/// Documents printed at the same time: each keeps one processor busy.
const MAX_CONCURRENT_RENDERS: usize = 2;

/// Seconds before a product's document is tried again whose template has a mistake, so that
/// requests until then cost nothing.
pub(in crate::app) const TRIED_AGAIN: i64 = 60;

/// Documents of products that are remembered, so that what anybody may read isn't fetched for each.
const REMEMBERED: u64 = 64;
/// How long. One that couldn't be kept is printed and tried to be kept again after it.
const REMEMBERED_FOR: std::time::Duration = std::time::Duration::from_secs(600);

/// The PDF renderer, and the limits on its use.
pub struct DocumentRenderer {
    pub(in crate::app) renderer: Arc<PdfRenderer>,
    pub(in crate::app) permits: Arc<Semaphore>,
    /// Held while a product's document is printed, so that two who ask at once get one.
    pub(in crate::app) printing_for_all: Mutex<()>,
    /// Documents of products by what they were made of.
    pub(in crate::app) for_all: Cache<String, Bytes>,
    /// Documents of products whose template has a mistake, and when that was met.
    pub(in crate::app) failing: PlainMutex<HashMap<String, DateTime<Utc>>>,
}

impl DocumentRenderer {
    /// A renderer with the templates compiled in, and those of the folder.
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

    /// Whether a product's document was tried just now, and its template has a mistake.
    pub(in crate::app) fn is_failing(&self, identifier: &str, now: DateTime<Utc>) -> bool {
        let failing = self.failing.lock().unwrap_or_else(PoisonError::into_inner);
        let failed_at = failing.get(identifier);
        failed_at.is_some_and(|failed_at| now - *failed_at < Duration::seconds(TRIED_AGAIN))
    }

    /// Notes whether a document could be printed.
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

    /// SHA-256 of the template, the layout it shares with others and the data, in hexadecimal.
    pub(in crate::app) fn stamp(&self, template: DocumentTemplate, data: &str) -> String {
        digest(&[self.renderer.text(template).as_bytes(), data.as_bytes()])
    }
}

/// SHA-256 of some parts, in hexadecimal.
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
    /// Prints on a thread of its own, once one is free.
    ///
    /// # Errors
    /// Internal, with the template's file, line and mistake for the log.
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
