//! Accounting: compares payout reports with our records and checks the ledger. Lists and resolves
//! money that needs a person.

pub mod check;
mod compare;
mod dispute_line;
mod dispute_result;
mod late;
mod line_payment;
mod message_follow_up;
pub mod reconcile;
mod refund_names;
mod report;
mod resolution;
pub mod resolve;
mod tax;
pub mod unresolved;

pub(in crate::app) use line_payment::payment;
