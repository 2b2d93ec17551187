//! Creates, updates, reads, prices and accepts quotes.

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

pub(super) use accept::not_buyable;
pub use accept::{Agreed, accept_quote};
pub use create::{Created, create_quote};
pub use first_prices::first_prices;
pub use list::{list, list_page};
pub(in crate::app) use ownership::claim_rest;
pub use ownership::{claim_own_quote, resume_quote};
pub(in crate::app) use price::monthly_not_offered;
pub use price::{count_price, count_prices, describe, monthly_price, shown_price};
pub use read::{read_quote, show_quote};
pub(in crate::app) use read::{view, view_for};
pub(super) use revisions::revision_of;
pub use save::SaveOutcome;
pub use underwrite::Submission;
pub(in crate::app) use underwrite::underwrite;
pub(in crate::app) use update::renewed_by;
pub use update::{SavedFrom, update_quote};
pub(in crate::app) use waiting::release_older;
pub use waiting::{claim_waiting, waiting_quotes};
