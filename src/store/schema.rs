//! Versions of the store's shape.

/// Version of the store's shape. A store of an older one is upgraded by `layby migrate` first.
pub const SCHEMA: u32 = 2;

/// The first schema that is supported for ever. Stores of before were demonstrations.
pub const FIRST_SCHEMA: u32 = 2;
