//! The use cases, as plain functions over [`App`]: load, let the domain decide, put,
//! enqueue. Nothing here knows HTTP.
//!
//! A folder holds what is done with one kind of thing; `access` alone says who may do what. Inside the room no files form a circle.

pub mod access;
pub mod accounting;
pub mod accounts;
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
pub mod quotes;
pub mod resume;
pub mod seed;
mod state;

pub use access::Caller;
pub use error::{AppError, Fault, with_causes};
pub use idempotency::IdempotencyKey;
pub use limits::ClientAddress;
pub use state::App;

/// Where the contents of documents are: who opens the shop hands it over.
pub use crate::integrations::blobs::BlobStore;

use ids::new_id;
