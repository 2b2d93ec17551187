//! What is true of quotes and policies whatever they are stored in or asked by.

pub mod account;
pub mod answers;
pub mod campaign;
pub mod condition;
pub mod dates;
pub mod document;
pub mod errors;
pub mod form;
pub mod marks;
pub mod money;
pub mod password;
pub mod payment;
pub mod person;
pub mod policy;
pub mod product;
pub mod quote;
pub mod rating;
pub mod readable;
pub mod reference;
pub mod sandbox;
pub(crate) mod sheet;
pub mod summary;
pub mod term;
pub(crate) mod text;
pub mod uk;
pub mod underwriting;
