//! TODO: what  holds.

pub mod json_schema;
