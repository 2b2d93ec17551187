//! Look-ups of vehicles and addresses. Each has a service that is asked over HTTP, or a sample one
//! that makes everything up, or none. An answer comes in time or not at all.

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
