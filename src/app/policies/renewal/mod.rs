//! Renewing: a quote made ahead of a policy's last day, never dearer than a new customer's,
//! and the stored card that pays for it where the customer chose so.

mod by_card;
mod compare;
mod next_year;
mod queue;
mod quote_renewals;
mod requote;
mod underwrite;

pub(in crate::app) use by_card::queue_charge;
pub use compare::{Comparison, Difference, RenewalInfo};
pub use next_year::NextYear;
pub(in crate::app) use queue::{
    queue_quote_letter, queue_requote, queue_unclear_letter, queue_unpaid_letter, tell_renewal,
};
