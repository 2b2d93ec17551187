//! Looks up vehicles at the Driver and Vehicle Licensing Agency's vehicle enquiry service. The
//! service has make, colour, fuel, tax and MOT, and no model.
//! shared/reference/vehicle-and-address.md describes the fields of the answer.

use chrono::NaiveDate;
use serde_json::{Value, json};

use super::fault::{self, LookupFault};
use super::service::{call, text};
use super::vehicle::{day, month, same_mark, strip_spaces};
use crate::config::LookupKey;
use crate::domain::quote::lookup::{Mot, MotStatus, Source, Tax, TaxStatus, Vehicle};

#[derive(Debug)]
pub(super) struct Ves {
    pub(super) http: reqwest::Client,
    pub(super) settings: LookupKey,
}

impl Ves {
    pub(super) async fn find(&self, mark: &str, today: NaiveDate) -> Result<Vehicle, LookupFault> {
        let address = format!("{}/vehicle-enquiry/v1/vehicles", self.settings.url);
        let request = self
            .http
            .post(address)
            .header("x-api-key", self.settings.key.expose())
            .json(&json!({ "registrationNumber": strip_spaces(mark) }));
        let (status, found) = call(request)
            .await
            .map_err(|why| fault::failed("ves", &why))?;
        match status {
            200 => {}
            400 | 404 => return Err(LookupFault::Unknown(Vec::new())),
            other => return Err(fault::failed("ves", &format!("it answers {other}"))),
        }
        same_mark(&found, "registrationNumber", mark).map_err(|why| fault::failed("ves", why))?;
        Ok(Vehicle {
            registration: mark.to_owned(),
            make: text(&found, "make", 40),
            model: None,
            colour: text(&found, "colour", 30),
            fuel: text(&found, "fuelType", 40),
            first_registered: month(&found, "monthOfFirstRegistration", today),
            mot: mot(&found),
            tax: tax(&found),
            source: Source::Ves,
        })
    }
}

/// Returns the MOT, or `None` for other statuses. "No details held" and "No results returned" are
/// such statuses: a vehicle may be too new or exempt.
fn mot(found: &Value) -> Option<Mot> {
    let status = match found.get("motStatus")?.as_str()? {
        "Valid" => MotStatus::Valid,
        "Not valid" => MotStatus::Expired,
        _ => return None,
    };
    Some(Mot {
        status,
        until: day(found, "motExpiryDate"),
    })
}

fn tax(found: &Value) -> Option<Tax> {
    let status = match found.get("taxStatus")?.as_str()? {
        "Taxed" => TaxStatus::Taxed,
        "SORN" => TaxStatus::Sorn,
        "Untaxed" | "Not Taxed for on Road Use" => TaxStatus::Untaxed,
        _ => return None,
    };
    Some(Tax {
        status,
        until: day(found, "taxDueDate"),
    })
}
