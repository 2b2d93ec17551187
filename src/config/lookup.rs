//! Looking up vehicles and addresses: who is asked, with which keys, and for how long.

use std::time::Duration;

use serde::Deserialize;

use super::address::WebOrigin;
use super::payments::is_private;
use super::rules::{by_name, rules, text_where};
use super::source::ConfigError;
use crate::secret::Secret;

/// Looking up vehicles and addresses.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookupSettings {
    /// Who is asked about a vehicle.
    #[serde(deserialize_with = "vehicle")]
    pub vehicle: VehicleSource,
    /// Who is asked about addresses.
    #[serde(deserialize_with = "address")]
    pub address: AddressSource,
    /// How long a look-up may take, everything included.
    #[serde(rename = "timeout_milliseconds", deserialize_with = "milliseconds")]
    pub timeout: Duration,
    /// The MOT history.
    pub dvsa: DvsaSettings,
    /// The vehicle enquiry service.
    pub ves: LookupKey,
    /// Ideal Postcodes.
    pub ideal_postcodes: LookupKey,
    /// OS Places.
    pub os_places: LookupKey,
    /// Whether a sample look-up is named that production leaves out.
    #[serde(skip)]
    pub sample_left_out: bool,
}

/// Who is asked about a vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VehicleSource {
    /// Nobody.
    Off,
    /// Nobody: the vehicle is made up.
    Sample,
    /// The Driver and Vehicle Standards Agency's MOT history.
    Dvsa,
    /// The Driver and Vehicle Licensing Agency's vehicle enquiry service.
    Ves,
}

/// Who is asked about addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AddressSource {
    /// Nobody.
    Off,
    /// Nobody: the addresses are made up.
    Sample,
    /// Ideal Postcodes.
    IdealPostcodes,
    /// OS Places.
    OsPlaces,
}

/// A service that is called with one key.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookupKey {
    /// Where it is called, without a slash at the end.
    #[serde(deserialize_with = "url")]
    pub url: String,
    /// The key.
    #[serde(rename = "api_key", deserialize_with = "secret")]
    pub key: Secret,
}

/// The MOT history's settings.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DvsaSettings {
    /// Where it is called, without a slash at the end.
    #[serde(deserialize_with = "url")]
    pub url: String,
    /// Where its tokens are asked for, as its letter of registration says.
    #[serde(deserialize_with = "url")]
    pub token_url: String,
    /// Our name there.
    pub client_id: String,
    /// What proves it.
    #[serde(deserialize_with = "secret")]
    pub client_secret: Secret,
    /// What the tokens are for.
    pub scope: String,
    /// The key of each call.
    #[serde(deserialize_with = "secret")]
    pub api_key: Secret,
}

rules! {
    vehicle: VehicleSource, "one of off, sample, dvsa, ves", by_name;
    address: AddressSource, "one of off, sample, ideal_postcodes, os_places", by_name;
    milliseconds: Duration, "a whole number from 100 to 2000", |value| {
        let number = u64::try_from(value.as_integer()?).ok()?;
        (100..=2000).contains(&number).then(|| Duration::from_millis(number))
    };
    secret: Secret, "text without blanks", |value| {
        let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic());
        text_where(value, plain).map(Secret::from)
    };
    url: String, "empty, or an https:// address (or http:// on this machine)", |value| {
        let text = text_where(value, |text| text.is_empty() || is_callable(text))?;
        Some(text.trim_end_matches('/').to_owned())
    };
}

/// Whether nobody on the way can read what is sent to an address.
fn is_callable(text: &str) -> bool {
    let private = WebOrigin::parse(text).is_some_and(|origin| is_private(&origin));
    private && !text.contains(['?', '#'])
}

impl LookupSettings {
    /// Fills in the usual addresses, and refuses a service whose keys are missing. Production makes
    /// nothing up: there a sample look-up is none.
    pub(super) fn complete(&mut self, production: bool) -> Result<(), ConfigError> {
        for (url, usual) in [
            (&mut self.dvsa.url, "https://history.mot.api.gov.uk"),
            (
                &mut self.ves.url,
                "https://driver-vehicle-licensing.api.gov.uk",
            ),
            (
                &mut self.ideal_postcodes.url,
                "https://api.ideal-postcodes.co.uk",
            ),
            (&mut self.os_places.url, "https://api.os.uk"),
        ] {
            if url.is_empty() {
                usual.clone_into(url);
            }
        }
        if production && self.vehicle == VehicleSource::Sample {
            self.vehicle = VehicleSource::Off;
            self.sample_left_out = true;
        }
        if production && self.address == AddressSource::Sample {
            self.address = AddressSource::Off;
            self.sample_left_out = true;
        }
        let empty = |secret: &Secret| secret.expose().is_empty();
        let refuse = |why| Err(ConfigError::Conflict(why));
        let dvsa = &self.dvsa;
        let dvsa_lacks = dvsa.token_url.is_empty()
            || dvsa.client_id.is_empty()
            || empty(&dvsa.client_secret)
            || empty(&dvsa.api_key);
        match self.vehicle {
            VehicleSource::Dvsa if dvsa_lacks => {
                return refuse(
                    "lookup.vehicle is dvsa, and token_url, client_id, client_secret or api_key of \
                     lookup.dvsa is empty",
                );
            }
            VehicleSource::Ves if empty(&self.ves.key) => {
                return refuse("lookup.vehicle is ves, and lookup.ves.api_key is empty");
            }
            _ => {}
        }
        match self.address {
            AddressSource::IdealPostcodes if empty(&self.ideal_postcodes.key) => refuse(
                "lookup.address is ideal_postcodes, and lookup.ideal_postcodes.api_key is empty",
            ),
            AddressSource::OsPlaces if empty(&self.os_places.key) => {
                refuse("lookup.address is os_places, and lookup.os_places.api_key is empty")
            }
            _ => Ok(()),
        }
    }
}
