//! Adjusting a policy in the middle of its term: a price first, held for 24 hours, then the
//! customer's agreement or payment, then the adjustment: at once, or on the later day it was priced
//! for.

mod accept;
mod agree;
mod apply;
mod assess;
pub(crate) mod cancel_scheduled;
pub(crate) mod daily_limit;
mod history;
mod offer;
mod withdraw;

pub(in crate::app) use agree::{agree_paid, due};
pub(in crate::app) use apply::come_into_force;
pub(in crate::app) use cancel_scheduled::drop_coming;
pub use history::Offered;
pub(in crate::app) use history::{adjustments, premiums};
pub use offer::{PricedChange, WishedChange};
