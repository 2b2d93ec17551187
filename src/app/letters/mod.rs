//! Letters to customers: their events, their templates and their delivery.

mod account;
mod attachments;
mod change_events;
pub mod delivery;
mod event;
mod fields;
mod money;
mod plan_events;
mod policy;
mod policy_events;
mod quote;
mod renewal_events;
mod samples;
mod template;
mod template_check;
#[cfg(test)]
mod tests;

pub(in crate::app) use account::{mail_confirmation, mail_notice, mail_password};
pub(in crate::app) use event::{
    Letter, LetterEvent, SharedFields, format_amount, format_positive, format_refunds, in_ascii,
};
pub(in crate::app) use fields::{
    AdjacentPolicy, CancelledChange, ChangeMoney, DocumentFields, EarlierEnd, FirstPassword,
    HeldPrice, LateRenewal, PaidFor, PaymentFields, PolicyFields, Refusal, StoppedPaymentFields,
};
pub(in crate::app) use policy::mail_policy;
pub(in crate::app) use quote::mail_quote;
pub(in crate::app) use template::Letters;
