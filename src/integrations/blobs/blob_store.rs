//! Stores, reads, lists and removes blobs.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use chrono::{DateTime, Utc};
use data_encoding::HEXLOWER;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt};
use sha2::{Digest, Sha256};

use crate::integrations::blobs::leftovers::remove_leftovers;
use crate::metrics;

/// Longest time for a read. A waiting customer gets an error within two seconds.
const READ: Duration = Duration::from_millis(1_500);
/// Longest time for a write, a removal or a check. No customer waits for these.
const WRITE: Duration = Duration::from_secs(10);
/// Time after a failed write in which the shop renders no document.
const REST: Duration = Duration::from_secs(2);
/// The number of characters of a blob's name that name its folder. Many folders keep each folder of
/// a large shop small.
const SHARD: usize = 2;

/// The object that names the owning store.
const OWNER: &str = "store-id";

/// Why a blob can't be read or stored.
#[derive(Debug, thiserror::Error)]
pub enum ContentError {
    /// There is no blob of this name.
    #[error("there is no content {0}")]
    Missing(String),
    /// The stored bytes have another SHA-256.
    #[error("the content {0} is damaged: its bytes have another SHA-256")]
    Damaged(String),
    /// The blob store can't be reached, or refused the call.
    #[error("the place of the documents can't be used: {0}")]
    Away(String),
}

/// The name and the time of a blob, from [`BlobStore::list`].
#[derive(Clone, Debug)]
pub struct ListedBlob {
    /// SHA-256 of the blob's bytes, in hexadecimal.
    pub sha256: String,
    /// Time of the write, by the blob store's clock.
    pub written: DateTime<Utc>,
}

/// The blob store: a folder, a bucket or memory.
#[derive(Clone)]
pub struct BlobStore {
    store: Arc<dyn ObjectStore>,
    location: String,
    folder: Option<PathBuf>,
    /// Time of the last failed write, or `None` after a successful write.
    failed: Arc<Mutex<Option<Instant>>>,
    /// Whether the blob store was unavailable at the last call.
    is_away: Arc<AtomicBool>,
}

impl BlobStore {
    /// Builds a blob store over an object store.
    #[must_use]
    pub fn new(store: Arc<dyn ObjectStore>, place: impl Into<String>) -> Self {
        Self {
            store,
            location: place.into(),
            folder: None,
            failed: Arc::default(),
            is_away: Arc::default(),
        }
    }

    /// Builds a blob store in memory, which ends with the process.
    #[must_use]
    pub fn in_memory() -> Self {
        Self::new(Arc::new(InMemory::new()), "memory")
    }

    /// Builds a blob store in a folder of this machine.
    pub(super) fn in_folder(store: Arc<dyn ObjectStore>, folder: PathBuf) -> Self {
        let place = folder.display().to_string();
        Self {
            folder: Some(folder),
            ..Self::new(store, place)
        }
    }

    /// Returns the location, for the log and for reports. It contains no secret.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.location
    }

    /// Stores a blob durably. Returns the SHA-256 of its bytes, in hexadecimal.
    ///
    /// Writes an existing blob again with equal bytes, so readers see no difference. The repeated
    /// write repairs a damaged blob, and makes durable what a killed process wrote.
    ///
    /// # Errors
    /// Returns [`ContentError::Away`] if the blob store is unavailable.
    pub async fn put(&self, bytes: Bytes) -> Result<String, ContentError> {
        let sha256 = sha256(&bytes);
        let put = async {
            let path = path_of(&sha256);
            self.store.put(&path, bytes.into()).await.map(|_| ())
        };
        let done = self.in_time(WRITE, put).await;
        let failed = done.is_err().then(Instant::now);
        *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = failed;
        done?;
        Ok(sha256)
    }

    /// Returns whether a write failed less than [`REST`] ago. The shop then renders no document,
    /// because storing the document would probably fail.
    #[must_use]
    pub fn has_just_failed(&self) -> bool {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.is_some_and(|failed| failed.elapsed() < REST)
    }

    /// Returns the bytes of a blob, after checking their SHA-256.
    ///
    /// # Errors
    /// Returns a [`ContentError`] if the blob is missing or damaged, or the blob store is
    /// unavailable.
    pub async fn get(&self, sha256: &str) -> Result<Bytes, ContentError> {
        let get = async {
            let path = path_of(sha256);
            self.store.get(&path).await?.bytes().await
        };
        match self.find(READ, get).await? {
            Some(bytes) if self::sha256(&bytes) == sha256 => Ok(bytes),
            Some(_) => Err(ContentError::Damaged(sha256.to_string())),
            None => Err(ContentError::Missing(sha256.to_string())),
        }
    }

    /// Returns whether there is a blob of this name. Reads no bytes of it.
    ///
    /// # Errors
    /// Returns [`ContentError::Away`] if the blob store is unavailable.
    pub async fn has(&self, sha256: &str) -> Result<bool, ContentError> {
        let path = path_of(sha256);
        Ok(self.find(READ, self.store.head(&path)).await?.is_some())
    }

    /// Removes a blob. A missing blob is no error.
    ///
    /// # Errors
    /// Returns [`ContentError::Away`] if the blob store is unavailable.
    pub async fn remove(&self, sha256: &str) -> Result<(), ContentError> {
        let path = path_of(sha256);
        self.find(WRITE, self.store.delete(&path)).await?;
        Ok(())
    }

    /// Lists all blobs, in any order. Skips objects that are not blobs.
    #[must_use]
    pub fn list(&self) -> BoxStream<'static, Result<ListedBlob, ContentError>> {
        let found = self.store.list(None).filter_map(|entry| async {
            match entry {
                Ok(entry) => sha256_of(&entry.location).map(|sha256| {
                    Ok(ListedBlob {
                        sha256,
                        written: entry.last_modified,
                    })
                }),
                Err(error) => Some(Err(ContentError::Away(error.to_string()))),
            }
        });
        found.boxed()
    }

    /// Removes the unfinished files of killed processes if the files are older than a day. Returns
    /// the number of removed files. A bucket has no such files, because a bucket drops an
    /// incomplete upload.
    ///
    /// # Errors
    /// Returns [`ContentError::Away`] if the blob store is unavailable.
    pub async fn remove_leftovers(&self) -> Result<u64, ContentError> {
        let Some(folder) = self.folder.clone() else {
            return Ok(0);
        };
        let done = tokio::task::spawn_blocking(move || remove_leftovers(&folder)).await;
        let done = done.unwrap_or_else(|error| Err(std::io::Error::other(error)));
        done.map_err(|error| ContentError::Away(error.to_string()))
    }

    /// Returns whether the blobs belong to the store with this id. The first store that asks
    /// becomes the owner.
    ///
    /// # Errors
    /// Returns [`ContentError::Away`] if the blob store is unavailable.
    pub async fn belongs_to(&self, store: &str) -> Result<bool, ContentError> {
        let path = Path::from(OWNER);
        let owner = async { self.store.get(&path).await?.bytes().await };
        if let Some(owner) = self.find(READ, owner).await? {
            return Ok(owner == store.as_bytes());
        }
        let bytes = Bytes::copy_from_slice(store.as_bytes());
        let put = self.store.put(&path, bytes.into());
        self.in_time(WRITE, put).await?;
        Ok(true)
    }

    /// Checks whether the blob store is available.
    ///
    /// # Errors
    /// Returns [`ContentError::Away`] if the blob store is unavailable.
    pub async fn is_reached(&self) -> Result<(), ContentError> {
        let mut list = self.store.list(None);
        let first = async { list.next().await.transpose().map(|_| ()) };
        self.in_time(WRITE, first).await
    }

    /// Checks the availability for the metric and the log, so that both are right while nobody uses
    /// the blob store.
    pub async fn probe(&self) {
        let path = Path::from(OWNER);
        // The owner is not stored yet, or the location doesn't exist.
        if let Ok(None) = self.find(READ, self.store.head(&path)).await {
            let _ = self.is_reached().await;
        }
    }

    /// Waits for a call as [`Self::in_time`] does. Returns `None` for a missing object. A missing
    /// object does not prove that the blob store is available.
    async fn find<T>(
        &self,
        limit: Duration,
        call: impl Future<Output = Result<T, Error>>,
    ) -> Result<Option<T>, ContentError> {
        let found = async {
            match call.await {
                Err(Error::NotFound { .. }) => Ok(None),
                done => done.map(Some),
            }
        };
        self.record_availability(in_time(limit, found).await, Option::is_some)
    }

    /// Waits for a call up to `limit`, and records the availability.
    async fn in_time<T>(
        &self,
        limit: Duration,
        call: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, ContentError> {
        self.record_availability(in_time(limit, call).await, |_| true)
    }

    /// Records whether the blob store is available. A success counts only if `shows` accepts it. Logs each
    /// change.
    fn record_availability<T>(
        &self,
        done: Result<T, String>,
        shows: impl FnOnce(&T) -> bool,
    ) -> Result<T, ContentError> {
        let is_away = match &done {
            Ok(answer) if shows(answer) => false,
            Ok(_) => return done.map_err(ContentError::Away),
            Err(_) => true,
        };
        metrics::set_blob_store_up(!is_away);
        let was_away = self.is_away.swap(is_away, Relaxed);
        let place = &self.location;
        match &done {
            Err(error) if !was_away => {
                tracing::error!(place, error, "the blob store is unavailable");
            }
            Ok(_) if was_away => tracing::info!(place, "the blob store is available again"),
            _ => {}
        }
        done.map_err(ContentError::Away)
    }
}

/// Waits for a call up to `limit`.
async fn in_time<T>(
    limit: Duration,
    call: impl Future<Output = Result<T, Error>>,
) -> Result<T, String> {
    match tokio::time::timeout(limit, call).await {
        Ok(done) => done.map_err(|error| error.to_string()),
        Err(_) => Err(format!("no answer within {} ms", limit.as_millis())),
    }
}

/// Returns the SHA-256 of bytes, in hexadecimal: the name of a blob.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

fn path_of(sha256: &str) -> Path {
    let folder = sha256.get(..SHARD).unwrap_or(sha256);
    Path::from_iter([folder, sha256])
}

/// Returns the SHA-256 in a path, or `None` if no blob has such a path.
fn sha256_of(path: &Path) -> Option<String> {
    let name = path.filename()?;
    let is_hash = name.len() == 64 && HEXLOWER.decode(name.as_bytes()).is_ok();
    (is_hash && path_of(name) == *path).then(|| name.to_string())
}
