//! Look-ups: a vehicle by its registration, addresses by a postcode, and what a save does with them.

mod address;
mod saved;
mod vehicle;

pub(in crate::app) use saved::reuse_lookups;
