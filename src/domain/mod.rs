//! The rules of the trade: products, prices, underwriting and the life cycles of quotes, payments
//! and policies. Nothing here knows the store, HTTP or the time.

pub mod account;
pub mod deterministic_id;
pub mod document;
pub mod money;
pub mod payment;
pub mod policy;
pub mod product;
pub mod quote;
pub mod reference;
pub(crate) mod text;
pub mod time;
pub mod transition;
pub mod uk;
