//! Adjustments of a policy during its term. The shop offers a price that holds for 24 hours. The
//! customer agrees or pays. The adjustment then takes effect at once or on a later effective day.

mod accept;
mod agree;
mod apply;
mod assess;
pub(crate) mod cancel_scheduled;
pub(crate) mod daily_limit;
mod history;
mod offer;
mod withdraw;

pub use accept::{accept_adjustment, pending_adjustment};
pub(in crate::app) use agree::{agree_paid, due};
pub(in crate::app) use apply::apply_adjustment;
pub(in crate::app) use cancel_scheduled::cancel_scheduled;
pub use history::{Offered, changes};
pub(in crate::app) use history::{adjustments, offered_in, premiums, registrations_after};
pub use offer::{
    PricedChange, WishedChange, accept_same_price, offer_adjustment, price_adjustment,
};
pub use withdraw::{is_adjustment, withdraw_adjustment};
