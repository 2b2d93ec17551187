//! Letters to customers: which there are, and the templates that write them.

mod check;
mod event;
mod samples;
mod templates;

pub use event::{
    AdjacentPolicy, CancelledChange, ChangeMoney, Event, FirstPassword, HeldPrice, LateRenewal,
    Letter, PaymentFields, PolicyFields, Refusal, SharedFields, format_amount, format_positive,
    format_refunds, in_ascii,
};
pub use templates::Letters;

#[cfg(test)]
mod tests;
