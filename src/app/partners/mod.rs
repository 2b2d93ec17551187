//! Quotes from aggregators. A partner sends a risk and gets a price and an address for its customer.

mod click_through;
mod price_notice;
mod requests;

pub use click_through::{click_through, mail_click};
pub use price_notice::partner;
pub(super) use price_notice::price_notice;
pub use requests::{Risk, Sent, partner_risk};
