//! Putting, getting, listing and removing contents.

use std::path::PathBuf;
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

use super::leftovers::remove_leftovers;

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
pub struct Contents {
    store: Arc<dyn ObjectStore>,
    place: String,
    /// The folder, where they are in one.
    folder: Option<PathBuf>,
    /// When the place last didn't take a content.
    failed: Arc<Mutex<Option<Instant>>>,
}

impl Contents {
    /// Contents in an object store.
    #[must_use]
    pub fn over(store: Arc<dyn ObjectStore>, place: impl Into<String>) -> Self {
        Self {
            store,
            place: place.into(),
            folder: None,
            failed: Arc::default(),
        }
    }

    /// Contents in memory, which are gone with the process.
    #[must_use]
    pub fn in_memory() -> Self {
        Self::over(Arc::new(InMemory::new()), "memory")
    }

    /// The same in a folder of this machine.
    pub(super) fn in_folder(store: Arc<dyn ObjectStore>, folder: PathBuf) -> Self {
        let place = folder.display().to_string();
        Self {
            folder: Some(folder),
            ..Self::over(store, place)
        }
    }

    /// Where they are, for the log and for reports. It holds no secret.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
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
        let done = in_time(WRITE, put).await;
        let failed = done.is_err().then(Instant::now);
        *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = failed;
        done.map_err(away)?;
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
        match in_time(READ, get).await {
            Ok(bytes) if self::sha256(&bytes) == sha256 => Ok(bytes),
            Ok(_) => Err(ContentError::Damaged(sha256.to_string())),
            Err(Failed::Store(Error::NotFound { .. })) => {
                Err(ContentError::Missing(sha256.to_string()))
            }
            Err(failed) => Err(away(failed)),
        }
    }

    /// Removes a content. One that is gone is removed already.
    ///
    /// # Errors
    /// [`ContentError::Away`].
    pub async fn remove(&self, sha256: &str) -> Result<(), ContentError> {
        let path = path_of(sha256);
        match in_time(WRITE, self.store.delete(&path)).await {
            Ok(()) | Err(Failed::Store(Error::NotFound { .. })) => Ok(()),
            Err(failed) => Err(away(failed)),
        }
    }

    /// Every content, in no order. What has another name than a content is left out: it isn't ours.
    #[must_use]
    pub fn list(&self) -> BoxStream<'static, Result<Listed, ContentError>> {
        let found = self.store.list(None).filter_map(|met| async {
            match met {
                Ok(met) => sha256_of(&met.location).map(|sha256| {
                    Ok(Listed {
                        sha256,
                        written: met.last_modified,
                    })
                }),
                Err(error) => Some(Err(away(Failed::Store(error)))),
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
    pub async fn are_of(&self, store: &str) -> Result<bool, ContentError> {
        let path = Path::from(OWNER);
        let owner = async { self.store.get(&path).await?.bytes().await };
        match in_time(READ, owner).await {
            Ok(owner) => Ok(owner == store.as_bytes()),
            Err(Failed::Store(Error::NotFound { .. })) => {
                let bytes = Bytes::copy_from_slice(store.as_bytes());
                let put = self.store.put(&path, bytes.into());
                in_time(WRITE, put).await.map_err(away)?;
                Ok(true)
            }
            Err(failed) => Err(away(failed)),
        }
    }

    /// Whether the place answers, for who wants to know before it is needed.
    ///
    /// # Errors
    /// [`ContentError::Away`].
    pub async fn is_reached(&self) -> Result<(), ContentError> {
        let mut list = self.store.list(None);
        let first = async { list.next().await.transpose().map(|_| ()) };
        in_time(WRITE, first).await.map_err(away)
    }
}

/// Why nothing came of a call.
enum Failed {
    Store(Error),
    Late(Duration),
}

async fn in_time<T>(
    limit: Duration,
    call: impl Future<Output = Result<T, Error>>,
) -> Result<T, Failed> {
    match tokio::time::timeout(limit, call).await {
        Ok(done) => done.map_err(Failed::Store),
        Err(_) => Err(Failed::Late(limit)),
    }
}

fn away(failed: Failed) -> ContentError {
    ContentError::Away(match failed {
        Failed::Store(error) => error.to_string(),
        Failed::Late(limit) => format!("no answer within {} ms", limit.as_millis()),
    })
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
