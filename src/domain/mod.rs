//! The business rules: products, prices, underwriting, and the lifecycles of quotes, payments and
//! policies. No module here reads the store, HTTP or the clock.

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
