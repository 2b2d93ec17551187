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

/// The register of a vehicle look-up. `dvsa`: the MOT history of the Driver and Vehicle Standards Agency.
/// `ves`: the vehicle enquiry service of the Driver and Vehicle Licensing Agency. `sample`: no register,
/// because the vehicle is made up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
#[serde(rename = "LookupSource", rename_all = "snake_case")]
pub enum Source {
    /// No register: the vehicle is made up.
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
    /// The last day of the MOT, or the last day on which a new vehicle needs none. Null if the day is
    /// unknown.
    pub until: Option<NaiveDate>,
}

/// The status of a vehicle's MOT. `not_due`: the vehicle is too new to need an MOT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
#[serde(rename_all = "snake_case")]
pub enum MotStatus {
    /// The vehicle has a valid MOT.
    Valid,
    /// The vehicle is too new to need an MOT.
    NotDue,
    /// The MOT has expired, or the first MOT is overdue.
    Expired,
}

/// A vehicle's tax.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
#[serde(rename = "VehicleTax")]
pub struct Tax {
    /// The status.
    pub status: TaxStatus,
    /// The day on which the tax is due. Null if the day is unknown.
    pub until: Option<NaiveDate>,
}

/// The status of a vehicle's tax. `taxed`: the tax is paid, or nothing is due. `sorn`: the vehicle is
/// declared off the road.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
#[serde(rename_all = "snake_case")]
pub enum TaxStatus {
    /// The tax is paid, or nothing is due.
    Taxed,
    /// The tax is not paid.
    Untaxed,
    /// The vehicle is declared off the road.
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

/// A vehicle look-up whose vehicle the customer confirmed or rejected.
#[derive(Clone, Debug, Deserialize, RequestSchema)]
#[serde(remote = "Self", rename = "SavedLookup")]
pub struct LookupRef {
    /// The form's dotted path of the registration that was looked up.
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
    /// An id that is unique among the addresses of one answer.
    pub id: String,
    /// The address in one line, without its postcode.
    pub label: String,
    pub line1: String,
    /// The second line. Null if there is none.
    pub line2: Option<String>,
    /// The third line. Null if there is none.
    pub line3: Option<String>,
    /// The post town.
    pub town: String,
    pub postcode: String,
    /// Degrees north. Null if unknown.
    pub latitude: Option<f64>,
    /// Degrees east. Null if unknown.
    pub longitude: Option<f64>,
    /// Whether the address is made up.
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
