//! Cancellations of a policy. A preview shows the refund. A cancellation takes effect at once or on a
//! later day. Before inception, the customer can also decline the policy. The shop can also end a policy.

mod activity;
mod cancel;
mod end;
pub mod end_cover;
mod end_unpaid;
mod progress;
mod refund_basis;
mod request;
pub(crate) mod scheduled;

pub use activity::ActivityInfo;
pub use cancel::{cancel, decline_policy, preview_cancellation, withdraw_cancellation};
pub(in crate::app) use end_unpaid::end_unpaid;
pub use progress::{CancellationProgress, CancellationStage, DroppedChange, cancellations};
pub(in crate::app) use progress::{completed_progress, dropped_change, pending_of};
pub(in crate::app) use refund_basis::RefundBasis;
pub use request::CancellationRequest;
pub(in crate::app) use scheduled::{DueCancellation, apply_scheduled};
