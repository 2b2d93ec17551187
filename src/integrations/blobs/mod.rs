//! The blob store: a folder, or a bucket with the protocol of Amazon S3. A blob is the bytes of a document.
//! Its name is the SHA-256 of these bytes.

pub(crate) mod blob_store;
mod leftovers;
pub(crate) mod location;

pub use blob_store::{BlobStore, ContentError, ListedBlob, sha256};
pub use location::PlaceError;
