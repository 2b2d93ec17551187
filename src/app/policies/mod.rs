//! Issues, reads, adjusts, cancels and renews policies.

mod actions;
pub mod adjustments;
pub mod cancellations;
mod context;
pub mod cover;
pub(crate) mod due_actions;
pub(in crate::app) mod issue;
pub mod plans;
mod queue_letters;
mod read;
pub mod renewals;
pub mod stop_charging;

pub use actions::PermittedActions;
pub(super) use actions::refuse;
pub use context::PolicyContext;
pub(in crate::app) use context::{has_card_consent, own_policy, policy_unchecked};
pub use cover::cover_check::{CoverAnswer, CoverQuestion};
pub use cover::rescue_card::RescueCard;
pub(in crate::app) use due_actions::apply_due_actions;
pub(super) use queue_letters::queue_letter;
pub use read::{PolicyInfo, read_policy};
