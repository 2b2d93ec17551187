//! Looking up vehicles and addresses: who is asked, with which keys, and for how long.

use std::time::Duration;

use serde::Deserialize;

use super::address::Origin;
use super::payments::is_private;
use super::rules::{by_name, rules, text_if};
use super::source::ConfigError;
use crate::secret::Secret;

/// Looking up vehicles and addresses.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lookup {
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
    pub dvsa: Dvsa,
    /// The vehicle enquiry service.
    #[serde(deserialize_with = "ves")]
    pub ves: LookupKey,
    /// Ideal Postcodes.
    #[serde(deserialize_with = "ideal_postcodes")]
    pub ideal_postcodes: LookupKey,
    /// OS Places.
    #[serde(deserialize_with = "os_places")]
    pub os_places: LookupKey,
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
#[derive(Clone, Debug)]
pub struct LookupKey {
    /// Where it is called, without a slash at the end.
    pub url: String,
    /// The key.
    pub key: Secret,
}

/// The MOT history's settings.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dvsa {
    /// Where it is called, without a slash at the end.
    #[serde(deserialize_with = "dvsa_url")]
    pub url: String,
    /// Where its tokens are asked for, as its letter of registration says.
    #[serde(deserialize_with = "token_url")]
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawKey {
    url: String,
    api_key: String,
}

const ADDRESS: &str = "empty, or an https:// address (or http:// on this machine)";

rules! {
    vehicle: VehicleSource, "one of off, sample, dvsa, ves", by_name;
    address: AddressSource, "one of off, sample, ideal_postcodes, os_places", by_name;
    milliseconds: Duration, "a whole number from 100 to 2000", |value| {
        let number = u64::try_from(value.as_integer()?).ok()?;
        (100..=2000).contains(&number).then(|| Duration::from_millis(number))
    };
    secret: Secret, "text", |value| text_if(value, |_| true).map(Secret::from);
    dvsa_url: String, ADDRESS, |value| {
        url(&text_if(value, |_| true)?, "https://history.mot.api.gov.uk")
    };
    token_url: String, ADDRESS, |value| url(&text_if(value, |_| true)?, "");
    ves: LookupKey, KEYED, |value| keyed(value, "https://driver-vehicle-licensing.api.gov.uk");
    ideal_postcodes: LookupKey, KEYED, |value| keyed(value, "https://api.ideal-postcodes.co.uk");
    os_places: LookupKey, KEYED, |value| keyed(value, "https://api.os.uk");
}

const KEYED: &str = "a section with url, empty or an https:// address, and api_key";

/// The address, or the usual one where it is empty; none where somebody on the way could read what is
/// sent there.
fn url(text: &str, usual: &str) -> Option<String> {
    if text.is_empty() {
        return Some(usual.to_owned());
    }
    let origin = Origin::of(text)?;
    is_private(&origin).then(|| text.trim_end_matches('/').to_owned())
}

fn keyed(value: &toml::Value, usual: &str) -> Option<LookupKey> {
    let raw: RawKey = by_name(value)?;
    let key = Secret::from(raw.api_key);
    url(&raw.url, usual).map(|url| LookupKey { url, key })
}

impl Lookup {
    /// Refuses a service whose keys are missing. Production makes nothing up: there a sample look-up is
    /// none.
    pub(super) fn complete(&mut self, production: bool) -> Result<(), ConfigError> {
        if production && self.vehicle == VehicleSource::Sample {
            self.vehicle = VehicleSource::Off;
        }
        if production && self.address == AddressSource::Sample {
            self.address = AddressSource::Off;
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
