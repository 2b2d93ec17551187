//! Renewals: the quotes for the next terms of policies. Before the sale, the shop lowers a renewal's
//! price to a new customer's price, if this price is lower. The stored card pays for the renewal if
//! the customer chose automatic renewal.

pub(crate) mod auto_charge;
mod compare;
pub(crate) mod preview;
mod queue;
mod quote_renewals;
mod requote;
mod underwrite;

pub use auto_charge::switch_auto_renew;
pub(in crate::app) use auto_charge::{queue_charge, renew_by_card};
pub use compare::{Difference, RenewalComparison, RenewalInfo, compare_renewal};
pub(in crate::app) use compare::{comparison, new_customer_price, renewal_of};
pub use preview::RenewalPreview;
pub(in crate::app) use queue::{
    REMINDER_DAYS, queue_quote_letter, queue_reminder, queue_requote, queue_unclear_letter,
    queue_unpaid_letter, retry_or_refuse, send_renewal_notice,
};
pub(in crate::app) use quote_renewals::quote_due_renewals;
pub(in crate::app) use requote::{match_new_customer, requote_renewal};
