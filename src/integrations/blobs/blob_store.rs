//! Putting, getting, listing and removing contents.

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

/// How long a content may take to be read: whoever waits for a document hears within two seconds that it
/// can't be had now.
const READ: Duration = Duration::from_millis(1_500);
/// How long a content may take to be written or removed; work waits for it, and nobody else.
const WRITE: Duration = Duration::from_secs(10);
/// How long nothing is printed after the place didn't take a content.
const REST: Duration = Duration::from_secs(2);
/// Characters of a name that its folder is called by: no folder has all of a large shop's files.
const SHARD: usize = 2;

/// What says which store's the contents are.
const OWNER: &str = "store-id";

/// Why a content can't be had or kept.
#[derive(Debug, thiserror::Error)]
pub enum ContentError {
    /// There is none of this name.
    #[error("there is no content {0}")]
    Missing(String),
    /// What lies under this name is something else.
    #[error("the content {0} is damaged: its bytes have another SHA-256")]
    Damaged(String),
    /// The place can't be reached, or refuses.
    #[error("the place of the documents can't be used: {0}")]
    Away(String),
}

/// A content that was met in a list.
#[derive(Clone, Debug)]
pub struct Listed {
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// When it was written, by the clock of where it is.
    pub written: DateTime<Utc>,
}

/// The contents of documents, and where they are.
#[derive(Clone)]
pub struct BlobStore {
    store: Arc<dyn ObjectStore>,
    location: String,
    /// The folder, where they are in one.
    folder: Option<PathBuf>,
    /// When the place last didn't take a content.
    failed: Arc<Mutex<Option<Instant>>>,
    /// Whether it was away when it was last asked for something.
    is_away: Arc<AtomicBool>,
}

impl BlobStore {
    /// Contents in an object store.
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

    /// Contents in memory, which are gone with the process.
    #[must_use]
    pub fn in_memory() -> Self {
        Self::new(Arc::new(InMemory::new()), "memory")
    }

    /// The same in a folder of this machine.
    pub(super) fn in_folder(store: Arc<dyn ObjectStore>, folder: PathBuf) -> Self {
        let place = folder.display().to_string();
        Self {
            folder: Some(folder),
            ..Self::new(store, place)
        }
    }

    /// Where they are, for the log and for reports. It holds no secret.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.location
    }

    /// Keeps a content; answers the SHA-256 of its bytes, in hexadecimal, once they are durable.
    ///
    /// A content that is there already is written again: the same bytes, so nobody who reads it sees a
    /// difference, a damaged one is mended, and what a process that was killed had written is sure to
    /// be on the disk.
    ///
    /// # Errors
    /// [`ContentError::Away`].
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

    /// Whether the place didn't take a content a moment ago: then nothing need be printed for it.
    #[must_use]
    pub fn has_just_failed(&self) -> bool {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.is_some_and(|failed| failed.elapsed() < REST)
    }

    /// The bytes of a content, which have its SHA-256.
    ///
    /// # Errors
    /// [`ContentError`].
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

    /// Removes a content. One that is gone is removed already.
    ///
    /// # Errors
    /// [`ContentError::Away`].
    pub async fn remove(&self, sha256: &str) -> Result<(), ContentError> {
        let path = path_of(sha256);
        self.find(WRITE, self.store.delete(&path)).await?;
        Ok(())
    }

    /// Every content, in no order. What has another name than a content is left out: it isn't ours.
    #[must_use]
    pub fn list(&self) -> BoxStream<'static, Result<Listed, ContentError>> {
        let found = self.store.list(None).filter_map(|entry| async {
            match entry {
                Ok(entry) => sha256_of(&entry.location).map(|sha256| {
                    Ok(Listed {
                        sha256,
                        written: entry.last_modified,
                    })
                }),
                Err(error) => Some(Err(ContentError::Away(error.to_string()))),
            }
        });
        found.boxed()
    }

    /// Removes what processes that were killed had begun to write, a day ago or longer. A bucket has
    /// none of it: what wasn't sent to its end isn't there.
    ///
    /// # Errors
    /// [`ContentError::Away`].
    pub async fn remove_leftovers(&self) -> Result<u64, ContentError> {
        let Some(folder) = self.folder.clone() else {
            return Ok(0);
        };
        let done = tokio::task::spawn_blocking(move || remove_leftovers(&folder)).await;
        let done = done.unwrap_or_else(|error| Err(std::io::Error::other(error)));
        done.map_err(|error| ContentError::Away(error.to_string()))
    }

    /// Whether the contents are those of the store with this id: a place is the store's that says so
    /// first.
    ///
    /// # Errors
    /// [`ContentError::Away`].
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

    /// Whether the place answers, for who wants to know before it is needed.
    ///
    /// # Errors
    /// [`ContentError::Away`].
    pub async fn is_reached(&self) -> Result<(), ContentError> {
        let mut list = self.store.list(None);
        let first = async { list.next().await.transpose().map(|_| ()) };
        self.in_time(WRITE, first).await
    }

    /// Asks whether the place is there, so that the figure and the log say so also where nobody needs it
    /// just now.
    pub async fn probe(&self) {
        let path = Path::from(OWNER);
        // Its first round has not been, or it is no place at all.
        if let Ok(None) = self.find(READ, self.store.head(&path)).await {
            let _ = self.is_reached().await;
        }
    }

    /// The same as [`Self::in_time`], of a name that there may be none of. A place that says so may be none.
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

    /// Waits for a call for so long, and notes whether the place is there.
    async fn in_time<T>(
        &self,
        limit: Duration,
        call: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, ContentError> {
        self.record_availability(in_time(limit, call).await, |_| true)
    }

    /// Notes that the place is away, or there where the answer `shows` it. The log says each change.
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
                tracing::error!(place, error, "the place of the documents is away");
            }
            Ok(_) if was_away => tracing::info!(place, "the place of the documents is back"),
            _ => {}
        }
        done.map_err(ContentError::Away)
    }
}

/// Waits for a call for so long.
async fn in_time<T>(
    limit: Duration,
    call: impl Future<Output = Result<T, Error>>,
) -> Result<T, String> {
    match tokio::time::timeout(limit, call).await {
        Ok(done) => done.map_err(|error| error.to_string()),
        Err(_) => Err(format!("no answer within {} ms", limit.as_millis())),
    }
}

/// The SHA-256 of some bytes, in hexadecimal: the name of a content.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

fn path_of(sha256: &str) -> Path {
    let folder = sha256.get(..SHARD).unwrap_or(sha256);
    Path::from_iter([folder, sha256])
}

/// The SHA-256 that a path stands for, if it is a content's.
fn sha256_of(path: &Path) -> Option<String> {
    let name = path.filename()?;
    let is_hash = name.len() == 64 && HEXLOWER.decode(name.as_bytes()).is_ok();
    (is_hash && path_of(name) == *path).then(|| name.to_string())
}
