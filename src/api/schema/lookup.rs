//! JSON schemas of vehicle and address look-ups.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::domain::quote::lookup;
use crate::json_schema::{RequestSchema, ResponseSchema};

/// The vehicle to be looked up.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct VehicleLookupRequest {
    pub(in crate::api) registration: String,
}

/// The addresses to be looked up.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct AddressLookupRequest {
    pub(in crate::api) postcode: String,
    /// The number or name of the house, at most 60 characters. Without a house, the answer has the addresses
    /// of the whole postcode.
    pub(in crate::api) house: Option<String>,
}

/// A vehicle as the register describes it. A field is null if the register has no value.
#[derive(Serialize, ResponseSchema)]
pub struct VehicleFound {
    /// The requested registration, in its customary form.
    registration: String,
    make: Option<String>,
    model: Option<String>,
    colour: Option<String>,
    fuel: Option<String>,
    /// The month of first registration, `yyyy-MM`.
    first_registered: Option<String>,
    /// The MOT. Null if its status is unknown.
    mot: Option<lookup::Mot>,
    tax: Option<lookup::Tax>,
    source: lookup::Source,
    /// Whether the vehicle is made up.
    sample: bool,
    /// The id of the look-up, for `lookups` of a save. A save accepts the id for 30 days.
    lookup_id: Uuid,
}

impl From<(Uuid, lookup::Vehicle)> for VehicleFound {
    fn from((lookup_id, vehicle): (Uuid, lookup::Vehicle)) -> Self {
        let lookup::Vehicle {
            registration,
            make,
            model,
            colour,
            fuel,
            first_registered,
            mot,
            tax,
            source,
        } = vehicle;
        Self {
            registration,
            make,
            model,
            colour,
            fuel,
            first_registered: first_registered.map(|day| day.format("%Y-%m").to_string()),
            mot,
            tax,
            source,
            sample: source == lookup::Source::Sample,
            lookup_id,
        }
    }
}
