//! The registry of products, and the phone number for a customer who needs a product's cover.

pub(in crate::app) mod help_line;
mod registry;

pub use registry::{ProductRegistry, RegisteredProduct, check_versions};
