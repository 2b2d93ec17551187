//! Settings of documents: their templates and their blob store.

use std::path::{Path, PathBuf};

use reqwest::Url;
use serde::Deserialize;

use super::address::WebOrigin;
use super::rules::{optional_text, or_empty, rules};
use super::source::Mistakes;
use crate::secret::Secret;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DocumentSettings {
    /// Folder of templates that replace the built-in ones.
    #[serde(deserialize_with = "optional_text")]
    pub templates: Option<PathBuf>,
    /// Location of the blob store; `None` is a folder in the data folder.
    #[serde(deserialize_with = "place_or_empty")]
    pub url: Option<DocumentPlace>,
    pub s3: Bucket,
}

/// The location of the blob store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentPlace {
    /// A folder on this machine.
    Folder(PathBuf),
    /// A bucket, and a prefix of the names of its objects. The prefix may be empty.
    Bucket {
        /// Name of the bucket.
        name: String,
        /// Prefix without a slash at either end.
        prefix: String,
    },
}

/// Access to a bucket of documents, by the S3 protocol.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bucket {
    /// Address of the service; `None` is Amazon's service.
    #[serde(deserialize_with = "endpoint_or_empty")]
    pub endpoint: Option<WebOrigin>,
    #[serde(deserialize_with = "optional_text")]
    pub region: Option<String>,
    /// Id of the key that signs requests.
    #[serde(deserialize_with = "optional_text")]
    pub key_id: Option<String>,
    #[serde(deserialize_with = "optional_text")]
    pub secret: Option<Secret>,
    /// File that contains the secret key.
    #[serde(deserialize_with = "optional_text")]
    pub secret_file: Option<PathBuf>,
    /// File of certificates to trust beside the usual authorities.
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

/// Returns the location that the address `text` names. Returns `None` if `text` is not a `file://` or
/// `s3://` address in the form that `place_or_empty` requires.
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
    /// Rejects a store in a database without `url`, because all shops of a database need the same blob store.
    /// Rejects a bucket without complete access settings, and two sources of the secret key.
    pub(super) fn check_combinations(&self, in_database: bool, mistakes: &mut Mistakes) {
        let s3 = &self.s3;
        mistakes.refuse_if(
            s3.secret.is_some() && s3.secret_file.is_some(),
            "documents.s3.secret and documents.s3.secret_file must not both be given",
        );
        mistakes.refuse_if(
            self.url.is_none() && in_database,
            "documents.url must say where documents are stored when store.url is a database: \
             all shops that serve it need the same place",
        );
        if !matches!(self.url, Some(DocumentPlace::Bucket { .. })) {
            return;
        }
        mistakes.refuse_if(
            s3.key_id.is_none() || (s3.secret.is_none() && s3.secret_file.is_none()),
            "documents.s3.key_id and documents.s3.secret, or a file of it, must be given \
             when documents.url is a bucket",
        );
        mistakes.refuse_if(
            s3.region.is_none() && s3.endpoint.is_none(),
            "documents.s3.region must be given when documents.url is a bucket of Amazon's",
        );
    }

    /// Rejects an S3 service at an address where other people could read the documents on the network.
    pub(super) fn check_production(&self, mistakes: &mut Mistakes) {
        let is_safe = |endpoint: &WebOrigin| endpoint.is_https() || endpoint.is_this_machine();
        mistakes.refuse_if(
            !self.s3.endpoint.as_ref().is_none_or(is_safe),
            "documents.s3.endpoint must be an https:// address, or this machine, when mode is \
             production",
        );
    }
}
