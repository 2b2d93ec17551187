//! Where the contents of documents are: a folder, or a bucket that speaks the protocol of Amazon S3.
//! A content is what a document's bytes are called there; its name is the SHA-256 of those bytes.

pub(crate) mod blob_store;
mod leftovers;
pub(crate) mod location;

pub use blob_store::{ContentError, Contents, Listed, sha256};
pub use location::PlaceError;
