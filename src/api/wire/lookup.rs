//! Look-ups of vehicles and addresses, as they go over the wire.

use chrono::NaiveDate;
use poem_openapi::Enum;
use serde::Serialize;
use uuid::Uuid;

use super::published::{answer, request};
use crate::domain::lookup;

request! {
    /// The vehicle to be looked up.
    pub struct VehicleLookupRequest {
        pub(in crate::api) registration: String,
    }
}

request! {
    /// The addresses to be looked up.
    pub struct AddressLookupRequest {
        pub(in crate::api) postcode: String,
        /// The house's number or name; without it all addresses of the postcode.
        pub(in crate::api) house: Option<String>,
    }
}

/// Who was asked about a vehicle.
#[derive(Clone, Copy, Enum, Serialize)]
#[oai(rename_all = "snake_case", remote = "lookup::Source")]
#[serde(rename_all = "snake_case")]
pub enum LookupSource {
    Sample,
    Dvsa,
    Ves,
}

/// How a vehicle's MOT stands.
#[derive(Clone, Copy, Enum, Serialize)]
#[oai(rename_all = "snake_case", remote = "lookup::MotStatus")]
#[serde(rename_all = "snake_case")]
pub enum MotStatus {
    Valid,
    NotDue,
    Expired,
}

/// How a vehicle's tax stands.
#[derive(Clone, Copy, Enum, Serialize)]
#[oai(rename_all = "snake_case", remote = "lookup::TaxStatus")]
#[serde(rename_all = "snake_case")]
pub enum TaxStatus {
    Taxed,
    Untaxed,
    Sorn,
}

answer! {
    /// A vehicle's MOT.
    pub struct Mot {
        status: MotStatus,
        /// Its last day, or the last day without a first one.
        until: Option<NaiveDate>,
    }
}

answer! {
    /// A vehicle's tax.
    pub struct VehicleTax {
        status: TaxStatus,
        until: Option<NaiveDate>,
    }
}

answer! {
    /// A vehicle as its register describes it; null where the register doesn't say.
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
        mot: Option<Mot>,
        tax: Option<VehicleTax>,
        source: LookupSource,
        /// Whether the vehicle is made up.
        sample: bool,
        /// Names the look-up in a save, for thirty days.
        lookup_id: Uuid,
    }
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
            mot: mot.map(|mot| Mot {
                status: mot.status.into(),
                until: mot.until,
            }),
            tax: tax.map(|tax| VehicleTax {
                status: tax.status.into(),
                until: tax.until,
            }),
            source: source.into(),
            sample: source == lookup::Source::Sample,
            lookup_id,
        }
    }
}

answer! {
    /// An address of a postcode.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, serde::Deserialize)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum LookupAnswer {
    Yes,
    No,
}

request! {
    /// A look-up that answers of a save come from, or were held against.
    pub struct SavedLookup {
        /// The registration that was looked up, by the form's dotted path.
        pub(in crate::api) path: String,
        /// The look-up's id.
        pub(in crate::api) id: Uuid,
        pub(in crate::api) answer: LookupAnswer,
    }
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
