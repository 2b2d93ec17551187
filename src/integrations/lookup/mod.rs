//! Look-ups of vehicles and addresses. Each look-up uses an HTTP service, invented sample data, or
//! nothing. A late answer counts as a failure.

mod dvsa;
mod fault;
mod ideal_postcodes;
mod lookups;
mod os_places;
mod sample;
mod service;
mod vehicle;
mod ves;

pub use fault::LookupFault;
pub use lookups::Lookups;
