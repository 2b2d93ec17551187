//! Look-ups of vehicles and addresses, as they go over the wire.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::domain::lookup;
use crate::schema::{RequestSchema, ResponseSchema};

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
    /// The house's number or name; without it all addresses of the postcode.
    pub(in crate::api) house: Option<String>,
}

/// A vehicle as its register describes it; null where the register doesn't say.
#[derive(Serialize, ResponseSchema)]
pub struct VehicleFound {
    /// The mark that was asked for, as it is written.
    registration: String,
    make: Option<String>,
    model: Option<String>,
    colour: Option<String>,
    fuel: Option<String>,
    /// The month of its first registration, `yyyy-MM`.
    first_registered: Option<String>,
    /// Null where nothing is known, which doesn't mean that there is none.
    mot: Option<lookup::Mot>,
    tax: Option<lookup::Tax>,
    source: lookup::Source,
    /// Whether the vehicle is made up.
    sample: bool,
    /// Names the look-up in a save, for thirty days.
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

/// An address of a postcode.
#[derive(Serialize, ResponseSchema)]
pub struct AddressFound {
    /// Its name among the others of this answer.
    id: String,
    /// The address in one line, without its postcode.
    label: String,
    line1: String,
    line2: Option<String>,
    line3: Option<String>,
    town: String,
    postcode: String,
    latitude: Option<f64>,
    longitude: Option<f64>,
    /// Whether the address is made up.
    sample: bool,
}

impl From<lookup::Address> for AddressFound {
    fn from(address: lookup::Address) -> Self {
        let label = address.label();
        let lookup::Address {
            id,
            line1,
            line2,
            line3,
            town,
            postcode,
            latitude,
            longitude,
            sample,
        } = address;
        Self {
            id,
            label,
            line1,
            line2,
            line3,
            town,
            postcode,
            latitude,
            longitude,
            sample,
        }
    }
}

/// What the customer said to "Is this your vehicle?".
#[derive(PartialEq, Eq, Deserialize, Serialize, RequestSchema)]
#[serde(rename_all = "snake_case")]
pub enum LookupAnswer {
    Yes,
    No,
}

/// A look-up that answers of a save come from, or were held against.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct SavedLookup {
    /// The registration that was looked up, by the form's dotted path.
    pub(in crate::api) path: String,
    /// The look-up's id.
    pub(in crate::api) id: Uuid,
    pub(in crate::api) answer: LookupAnswer,
}

impl From<SavedLookup> for lookup::NamedLookup {
    fn from(saved: SavedLookup) -> Self {
        Self {
            path: saved.path,
            id: saved.id,
            confirmed: saved.answer == LookupAnswer::Yes,
        }
    }
}

/// The look-ups that a save or a change names.
pub(in crate::api) fn named(lookups: Option<Vec<SavedLookup>>) -> Vec<lookup::NamedLookup> {
    let lookups = lookups.into_iter().flatten();
    lookups.map(lookup::NamedLookup::from).collect()
}
