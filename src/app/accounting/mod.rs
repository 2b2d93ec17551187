//! Accounting: compares payouts with the ledger, checks the ledger, and lists what needs a person.

pub mod check;
mod compare;
mod late;
pub mod reconcile;
mod report;
pub mod resolve;
mod tax;
pub mod unresolved;
