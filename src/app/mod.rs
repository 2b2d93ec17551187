//! The use cases, as functions over [`App`] or some of its parts. A use case loads rows, lets the domain
//! decide, stores rows and adds jobs. It does not depend on HTTP.
//!
//! A folder has the use cases of one part of the business. `access` decides which caller may read or change a
//! quote or policy. The files have no import cycles.

pub mod access;
pub mod accounting;
pub mod accounts;
pub mod backups;
pub mod check;
pub mod commands;
mod counters;
pub(crate) mod disk_space;
pub mod documents;
mod error;
pub mod export;
mod idempotency;
mod ids;
pub mod jobs;
pub mod letters;
pub mod limits;
pub mod lookups;
mod page_addresses;
pub mod partners;
pub mod payments;
pub mod policies;
pub mod products;
pub mod public_address;
pub mod quotes;
pub mod resume;
pub mod seed;
mod state;
pub mod status;

pub use access::Caller;
pub use error::{AppError, Fault, with_causes};
pub use idempotency::IdempotencyKey;
pub use limits::ClientAddress;
pub use state::App;

/// The blob store for documents' contents.
pub use crate::integrations::blobs::BlobStore;

use ids::new_id;
