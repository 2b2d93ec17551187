//! Accounting: compares payout reports with our records and checks the ledger. Lists and resolves
//! money that needs a person.

pub mod check;
mod compare;
mod late;
pub mod reconcile;
mod refund_names;
mod report;
pub mod resolve;
mod tax;
pub mod unresolved;
