//! Quotes: create, update, read, price, accept.

mod accept;
mod create;
pub mod first_prices;
pub mod list;
mod newer_price;
pub(in crate::app) mod ownership;
pub mod price;
pub mod read;
pub(in crate::app) mod revisions;
pub(in crate::app) mod save;
pub(in crate::app) mod underwrite;
mod update;
mod waiting;

pub use accept::Agreed;
pub(super) use accept::not_buyable;
pub use create::Created;
pub(super) use revisions::revision_of;
pub use save::SaveOutcome;
pub use underwrite::Submission;
pub use update::SavedFrom;
