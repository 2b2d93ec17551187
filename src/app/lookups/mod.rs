//! Look-ups: a vehicle by its registration, addresses by a postcode, and the use of look-ups in a
//! save.

mod address;
mod saved;
mod vehicle;

pub use address::look_up_addresses;
pub(in crate::app) use saved::{load_lookups, load_lookups_of_quote, reuse_lookups};
pub use vehicle::look_up_vehicle;
