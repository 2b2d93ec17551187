//! Policies: issuing one, and what its owner does with it: adjust, cancel, renew.

mod actions;
pub mod adjustment;
pub mod cancellation;
mod coming;
mod context;
mod cover_check;
pub(in crate::app) mod issue;
pub(in crate::app) mod live_cover;
mod queue_letters;
mod read;
pub mod renewal;
mod rescue_card;

pub use actions::PermittedActions;
pub(super) use actions::refuse;
pub use context::PolicyContext;
pub use cover_check::{CoverAnswer, CoverQuestion};
pub(super) use queue_letters::queue_letter;
pub use read::PolicyInfo;
pub use rescue_card::RescueCard;
