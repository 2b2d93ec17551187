//! The products on sale, and who to call when a product's cover is needed.

pub(in crate::app) mod help_line;
mod registry;

pub use registry::{ProductRegistry, RegisteredProduct, check_versions};
