//! Look-ups: a vehicle by its registration, addresses by a postcode, and the use of look-ups in a
//! save.

mod address;
mod saved;
mod vehicle;

use crate::config::{AddressSource, Config, VehicleSource};
use crate::integrations::http;
use crate::integrations::lookup::{LookupFault, Lookups};

pub use address::look_up_addresses;
pub(in crate::app) use saved::{load_lookups, load_lookups_of_quote, reuse_lookups};
pub use vehicle::look_up_vehicle;

/// A registration for a trial. An answer that nobody has it is an answer too.
const TRIAL_REGISTRATION: &str = "AA19 AAA";
/// A postcode for a trial. Ideal Postcodes does not charge it.
const TRIAL_POSTCODE: &str = "ID1 1QD";

/// Tries the services and keys of the look-ups with one query each.
///
/// # Errors
/// If a service gives no usable answer. The log has the reason.
pub async fn check_lookups(config: &Config) -> Result<(), String> {
    let http = http::client(config.payments.ca_file.as_deref());
    let http = http.map_err(|error| error.to_string())?;
    let (settings, today) = (&config.lookup, config.clock().today());
    let lookups = Lookups::from_settings(settings, &http);
    let mut faults = Vec::new();
    if settings.vehicle != VehicleSource::Off
        && let Err(LookupFault::Unavailable) = lookups.vehicle(TRIAL_REGISTRATION, today).await
    {
        faults.push("lookup.vehicle: its service gave no usable answer, see the log");
    }
    if settings.address != AddressSource::Off
        && let Err(LookupFault::Unavailable) = lookups.addresses(TRIAL_POSTCODE).await
    {
        faults.push("lookup.address: its service gave no usable answer, see the log");
    }
    match faults.as_slice() {
        [] => Ok(()),
        faults => Err(faults.join("\n")),
    }
}
