//! How documents are printed, and where they are kept.

use std::path::{Path, PathBuf};

use reqwest::Url;
use serde::Deserialize;

use super::address::WebOrigin;
use super::rules::{optional_text, or_empty, rules};
use super::source::ConfigError;
use crate::secret::Secret;

/// How documents are printed, and where they are kept.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DocumentSettings {
    /// A folder of templates that stand in for the built-in ones.
    #[serde(deserialize_with = "optional_text")]
    pub templates: Option<PathBuf>,
    /// Where documents are kept; none for a folder in the data folder.
    #[serde(deserialize_with = "place_or_empty")]
    pub url: Option<DocumentPlace>,
    /// How a bucket is reached.
    pub s3: Bucket,
}

/// Where documents are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentPlace {
    /// A folder of this machine.
    Folder(PathBuf),
    /// A bucket, and what the names in it begin with, which may be nothing.
    Bucket {
        /// The bucket's name.
        name: String,
        /// Without a slash at either end.
        prefix: String,
    },
}

/// How a bucket of documents is reached, which speaks the protocol of S3.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bucket {
    /// Where; none for Amazon's own.
    #[serde(deserialize_with = "endpoint_or_empty")]
    pub endpoint: Option<WebOrigin>,
    /// Which region it is in.
    #[serde(deserialize_with = "optional_text")]
    pub region: Option<String>,
    /// The name of the key that requests are signed with.
    #[serde(deserialize_with = "optional_text")]
    pub key_id: Option<String>,
    /// The key.
    #[serde(deserialize_with = "optional_text")]
    pub secret: Option<Secret>,
    /// A file that holds the key.
    #[serde(deserialize_with = "optional_text")]
    pub secret_file: Option<PathBuf>,
    /// Certificates to trust beside the usual authorities.
    #[serde(deserialize_with = "optional_text")]
    pub ca_file: Option<PathBuf>,
}

rules! {
    place_or_empty: Option<DocumentPlace>,
        "empty, file:// and the whole path of a folder, or s3:// and a bucket's name, such as \
         s3://bucket/prefix",
        |value| or_empty(value, parse_place);
    endpoint_or_empty: Option<WebOrigin>,
        "empty, or an http:// or https:// address without a path",
        |value| or_empty(value, WebOrigin::parse_site);
}

/// The place that an address names.
fn parse_place(text: &str) -> Option<DocumentPlace> {
    let url = Url::parse(text).ok()?;
    if url.query().is_some() || url.fragment().is_some() || !url.username().is_empty() {
        return None;
    }
    match url.scheme() {
        "file" => {
            let folder = url.to_file_path().ok()?;
            (folder != Path::new("/")).then_some(DocumentPlace::Folder(folder))
        }
        "s3" => {
            let name = url.host_str().filter(|name| !name.is_empty())?.to_string();
            let prefix = url.path().trim_matches('/').to_string();
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
            let fits = url.port().is_none() && prefix.chars().all(plain);
            (fits && !prefix.contains("..")).then_some(DocumentPlace::Bucket { name, prefix })
        }
        _ => None,
    }
}

impl DocumentSettings {
    /// Refuses a place that other shops of the same database couldn't find, and a bucket that can't be
    /// reached.
    pub(super) fn check_combinations(&self, in_database: bool) -> Result<(), ConfigError> {
        let refuse = |why| Err(ConfigError::Conflict(why));
        let s3 = &self.s3;
        if s3.secret.is_some() && s3.secret_file.is_some() {
            return refuse(
                "documents.s3.secret and documents.s3.secret_file must not both be given",
            );
        }
        match &self.url {
            None if in_database => refuse(
                "documents.url must say where documents are kept when store.url is a database: \
                 all shops that serve it need the same place",
            ),
            Some(DocumentPlace::Bucket { .. })
                if s3.key_id.is_none() || (s3.secret.is_none() && s3.secret_file.is_none()) =>
            {
                refuse(
                    "documents.s3.key_id and documents.s3.secret, or a file of it, must be given \
                     when documents.url is a bucket",
                )
            }
            Some(DocumentPlace::Bucket { .. }) if s3.region.is_none() && s3.endpoint.is_none() => {
                refuse(
                    "documents.s3.region must be given when documents.url is a bucket of Amazon's",
                )
            }
            _ => Ok(()),
        }
    }

    /// Refuses what must not happen to a real shop's documents: that they travel readable by others.
    pub(super) fn check_production(&self) -> Result<(), ConfigError> {
        let is_safe = |endpoint: &WebOrigin| endpoint.is_https() || endpoint.is_this_machine();
        if self.s3.endpoint.as_ref().is_none_or(is_safe) {
            return Ok(());
        }
        Err(ConfigError::Conflict(
            "documents.s3.endpoint must be an https:// address, or this machine, when mode is \
             production",
        ))
    }
}
