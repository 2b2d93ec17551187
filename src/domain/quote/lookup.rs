//! Look-ups of vehicles and addresses, from any provider.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::json_schema::{RequestSchema, ResponseSchema};

/// A vehicle as its register describes it. `None` means that the register has no value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vehicle {
    /// The registration mark, in the usual spelling.
    pub registration: String,
    pub make: Option<String>,
    pub model: Option<String>,
    pub colour: Option<String>,
    pub fuel: Option<String>,
    /// The first day of the month in which the vehicle was first registered.
    pub first_registered: Option<NaiveDate>,
    pub mot: Option<Mot>,
    pub tax: Option<Tax>,
    /// The register that was asked.
    pub source: Source,
}

/// Who was asked about a vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
#[serde(rename = "LookupSource", rename_all = "snake_case")]
pub enum Source {
    /// Nobody: the vehicle is made up.
    Sample,
    /// The Driver and Vehicle Standards Agency's MOT history.
    Dvsa,
    /// The Driver and Vehicle Licensing Agency's vehicle enquiry service.
    Ves,
}

/// A vehicle's MOT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
pub struct Mot {
    /// The status.
    pub status: MotStatus,
    /// Its last day, or the last day without a first one.
    pub until: Option<NaiveDate>,
}

/// The status of a vehicle's MOT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
#[serde(rename_all = "snake_case")]
pub enum MotStatus {
    /// It has a valid one.
    Valid,
    /// It is too new to need one.
    NotDue,
    /// It has run out.
    Expired,
}

/// A vehicle's tax.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
#[serde(rename = "VehicleTax")]
pub struct Tax {
    /// The status.
    pub status: TaxStatus,
    /// The day it is due.
    pub until: Option<NaiveDate>,
}

/// The status of a vehicle's tax.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
#[serde(rename_all = "snake_case")]
pub enum TaxStatus {
    /// Paid, or nothing to pay.
    Taxed,
    /// Not paid.
    Untaxed,
    /// Declared off the road.
    Sorn,
}

/// The result of a vehicle look-up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LookupResult {
    /// The register's data.
    pub vehicle: Vehicle,
    /// When the vehicle was looked up.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub at: DateTime<Utc>,
}

impl LookupResult {
    /// How long a look-up is stored.
    const RETENTION: TimeDelta = TimeDelta::days(30);

    /// Returns whether the retention of the look-up has ended.
    #[must_use]
    pub fn is_over(&self, now: DateTime<Utc>) -> bool {
        self.at + Self::RETENTION <= now
    }
}

/// A look-up with the customer's answer to "Is this your vehicle?", stored with a revision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredLookup {
    /// The look-up's id.
    pub id: Uuid,
    /// The result.
    pub looked_up: LookupResult,
    /// Whether the customer answered yes.
    pub confirmed: bool,
}

/// The customer's answer to "Is this your vehicle?".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, RequestSchema)]
#[serde(rename_all = "snake_case")]
pub enum LookupAnswer {
    Yes,
    No,
}

/// A look-up that answers of a save come from, or were held against.
#[derive(Clone, Debug, Deserialize, RequestSchema)]
#[serde(remote = "Self", rename = "SavedLookup")]
pub struct LookupRef {
    /// The registration that was looked up, by the form's dotted path.
    pub path: String,
    /// The look-up's id.
    pub id: Uuid,
    /// The customer's answer.
    pub answer: LookupAnswer,
}

/// An address of a postcode.
#[derive(Clone, Debug, PartialEq, Serialize, ResponseSchema)]
#[serde(rename = "AddressFound")]
pub struct Address {
    /// Its name among the others of one answer.
    pub id: String,
    /// The address in one line, without its postcode.
    pub label: String,
    pub line1: String,
    pub line2: Option<String>,
    pub line3: Option<String>,
    /// The post town.
    pub town: String,
    pub postcode: String,
    /// Degrees north.
    pub latitude: Option<f64>,
    /// Degrees east.
    pub longitude: Option<f64>,
    /// Whether it is made up.
    pub sample: bool,
}

impl Address {
    /// Returns the address with a label: its lines and town, joined by commas.
    #[must_use]
    pub fn labelled(self) -> Self {
        let lines = [Some(&self.line1), self.line2.as_ref(), self.line3.as_ref()];
        let lines = lines.into_iter().flatten().chain([&self.town]);
        let lines: Vec<_> = lines.filter(|line| !line.is_empty()).cloned().collect();
        Self {
            label: lines.join(", "),
            ..self
        }
    }
}
