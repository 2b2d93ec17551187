//! The books: what gateways pay out compared with ours, the ledger checked against the rows it follows
//! from, and what needs a person.

pub mod check;
mod compare;
mod late;
pub mod reconcile;
mod report;
pub mod resolve;
mod tax;
pub mod unresolved;
