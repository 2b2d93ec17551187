//! Letters to customers: which there are, and the templates that write them.

mod check;
mod event;
mod samples;
mod templates;

pub use event::{
    CancelledChange, ChangeMoney, Event, FirstPassword, HeldPrice, LateRenewal, Letter, Neighbour,
    PaymentFields, PolicyFields, Refusal, SharedFields, in_ascii, positive_sum, refund_sums, sum,
};
pub use templates::Letters;

#[cfg(test)]
mod tests;
