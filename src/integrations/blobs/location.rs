//! Opens the blob store of the settings: a folder with durable writes, or a bucket. Requests to a bucket use
//! the client of `integrations::http`.

use std::fs::read_to_string;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use object_store::aws::AmazonS3Builder;
use object_store::client::{HttpClient, HttpConnector};
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::prefix::PrefixStore;
use object_store::{BackoffConfig, ClientOptions, RetryConfig};

use crate::config::{Bucket, Config, DocumentPlace};
use crate::files::make_private_folder;
use crate::integrations::blobs::blob_store::BlobStore;
use crate::integrations::http::{self, HttpError};

/// The folder inside `server.data`, if the settings name no location.
const FOLDER: &str = "documents";

/// Number of retries of a failed call. If a job made the call, the job retries later.
const RETRIES: usize = 2;

/// Why the blob store of the settings can't be used.
#[derive(Debug, thiserror::Error)]
pub enum PlaceError {
    /// The folder can't be created or used.
    #[error("documents.url: the folder {path} can't be used: {why}")]
    Folder {
        /// The folder's path.
        path: String,
        /// The reason.
        why: String,
    },
    /// The file with the secret key can't be read.
    #[error("documents.s3.secret_file: {path} can't be read: {why}")]
    Key {
        /// The file's path.
        path: String,
        /// The reason.
        why: std::io::Error,
    },
    /// The certificates can't be used, or TLS can't be set up.
    #[error("documents.s3.ca_file: {0}")]
    Http(#[from] HttpError),
    /// The bucket's settings are invalid.
    #[error("documents.s3: {0}")]
    Bucket(#[from] object_store::Error),
}

impl BlobStore {
    /// Opens the blob store of the settings. Creates a missing folder, for this user alone. Sends
    /// no request to a bucket, so that an unavailable bucket doesn't prevent the start.
    ///
    /// # Errors
    /// Fails if the folder or the bucket's settings can't be used.
    pub fn from_settings(config: &Config) -> Result<Self, PlaceError> {
        match &config.documents.url {
            None => folder(&config.server.data.join(FOLDER)),
            Some(DocumentPlace::Folder(path)) => folder(path),
            Some(DocumentPlace::Bucket { name, prefix }) => {
                bucket(name, prefix, &config.documents.s3)
            }
        }
    }

    /// Opens a folder as a blob store. Creates a missing folder, for this user alone.
    ///
    /// # Errors
    /// Fails if the folder can't be used.
    pub fn in_named_folder(path: &Path) -> Result<Self, PlaceError> {
        folder(path)
    }

    /// Opens the blob store for reading. Creates no folder: a missing folder counts as empty.
    ///
    /// # Errors
    /// Fails if the folder or the bucket's settings can't be used.
    pub fn to_read(config: &Config) -> Result<Self, PlaceError> {
        let path = match &config.documents.url {
            None => config.server.data.join(FOLDER),
            Some(DocumentPlace::Folder(path)) => path.clone(),
            Some(DocumentPlace::Bucket { .. }) => return Self::from_settings(config),
        };
        if path.exists() {
            return folder(&path);
        }
        let place = path.display().to_string();
        Ok(Self::new(Arc::new(InMemory::new()), place))
    }
}

fn folder(path: &Path) -> Result<BlobStore, PlaceError> {
    let unusable = |why: String| PlaceError::Folder {
        path: path.display().to_string(),
        why,
    };
    make_private_folder(path).map_err(|error| unusable(error.to_string()))?;
    let store = LocalFileSystem::new_with_prefix(path);
    let store = store.map_err(|error| unusable(error.to_string()))?;
    // The caller then writes a row that names the blob, so the blob must be durable before that
    // write.
    let store = Arc::new(store.with_fsync(true));
    Ok(BlobStore::in_folder(store, path.to_path_buf()))
}

fn bucket(name: &str, prefix: &str, settings: &Bucket) -> Result<BlobStore, PlaceError> {
    let client = http::client(settings.ca_file.as_deref())?;
    let (key_id, secret) = (settings.key_id.as_deref(), secret(settings)?);
    let mut builder = AmazonS3Builder::new()
        .with_bucket_name(name)
        .with_access_key_id(key_id.unwrap_or_default())
        .with_secret_access_key(secret)
        .with_http_connector(Connector(client))
        .with_retry(RetryConfig {
            backoff: BackoffConfig {
                init_backoff: Duration::from_millis(50),
                max_backoff: Duration::from_millis(500),
                base: 2.,
            },
            max_retries: RETRIES,
            retry_timeout: Duration::from_secs(5),
        });
    if let Some(region) = &settings.region {
        builder = builder.with_region(region);
    }
    if let Some(endpoint) = &settings.endpoint {
        builder = builder.with_endpoint(endpoint.as_str());
    }
    let (store, place) = (builder.build()?, format!("s3://{name}/{prefix}"));
    Ok(if prefix.is_empty() {
        BlobStore::new(Arc::new(store), place)
    } else {
        BlobStore::new(Arc::new(PrefixStore::new(store, prefix)), place)
    })
}

/// Returns the secret key that signs requests, or an empty text if the settings have none.
fn secret(settings: &Bucket) -> Result<String, PlaceError> {
    if let Some(secret) = &settings.secret {
        return Ok(secret.expose().to_string());
    }
    let Some(path) = &settings.secret_file else {
        return Ok(String::new());
    };
    let text = read_to_string(path).map_err(|why| PlaceError::Key {
        path: path.display().to_string(),
        why,
    })?;
    Ok(text.trim_end_matches(['\r', '\n']).to_string())
}

/// A connector with the client of [`http::client`] instead of the library's own client.
#[derive(Debug)]
struct Connector(reqwest::Client);

impl HttpConnector for Connector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.0.clone()))
    }
}
