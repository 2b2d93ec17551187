//! Adjusting a policy in the middle of its term: a price first, held for 24 hours, then the
//! customer's agreement or payment, then the adjustment.

mod accept;
mod apply;
mod assess;
mod history;
mod offer;

pub(in crate::app) use apply::{apply_paid, due};
pub use history::Offered;
pub(in crate::app) use history::premiums;
