//! Settings of look-ups of vehicles and addresses: providers, keys and timeout.

use std::time::Duration;

use serde::Deserialize;

use super::rules::{by_name, is_callable, rules, text_where};
use super::source::Mistakes;
use crate::secret::Secret;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookupSettings {
    #[serde(deserialize_with = "vehicle")]
    pub vehicle: VehicleSource,
    #[serde(deserialize_with = "address")]
    pub address: AddressSource,
    /// Maximum time of a whole look-up.
    #[serde(rename = "timeout_milliseconds", deserialize_with = "milliseconds")]
    pub timeout: Duration,
    /// Settings of the MOT history.
    pub dvsa: DvsaSettings,
    /// Settings of the vehicle enquiry service.
    pub ves: LookupKey,
    pub ideal_postcodes: LookupKey,
    pub os_places: LookupKey,
    /// Whether production mode switched off a sample look-up.
    #[serde(skip)]
    pub sample_left_out: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VehicleSource {
    /// No look-up.
    Off,
    /// Made-up vehicles, without a provider.
    Sample,
    /// The Driver and Vehicle Standards Agency's MOT history.
    Dvsa,
    /// The Driver and Vehicle Licensing Agency's vehicle enquiry service.
    Ves,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AddressSource {
    /// No look-up.
    Off,
    /// Made-up addresses, without a provider.
    Sample,
    IdealPostcodes,
    OsPlaces,
}

/// A provider that needs one key.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookupKey {
    /// Address of the provider, without a slash at the end.
    #[serde(deserialize_with = "url")]
    pub url: String,
    #[serde(rename = "api_key", deserialize_with = "secret")]
    pub key: Secret,
}

/// Settings of the MOT history.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DvsaSettings {
    /// Address of the provider, without a slash at the end.
    #[serde(deserialize_with = "url")]
    pub url: String,
    /// Address for access tokens, as given in the letter of registration.
    #[serde(deserialize_with = "url")]
    pub token_url: String,
    /// Our client id at the provider.
    pub client_id: String,
    /// Secret of the client id.
    #[serde(deserialize_with = "secret")]
    pub client_secret: Secret,
    /// Scope of the access tokens.
    pub scope: String,
    /// Key of each call.
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

impl LookupSettings {
    /// Fills in the default addresses. Rejects a selected provider without its keys. Switches sample look-ups
    /// off in production mode, because their data is invented.
    pub(super) fn complete(&mut self, production: bool, mistakes: &mut Mistakes) {
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
        let dvsa = &self.dvsa;
        let dvsa_lacks = dvsa.token_url.is_empty()
            || dvsa.client_id.is_empty()
            || empty(&dvsa.client_secret)
            || empty(&dvsa.api_key);
        mistakes.refuse_if(
            self.vehicle == VehicleSource::Dvsa && dvsa_lacks,
            "lookup.vehicle is dvsa, and token_url, client_id, client_secret or api_key of \
             lookup.dvsa is empty",
        );
        mistakes.refuse_if(
            self.vehicle == VehicleSource::Ves && empty(&self.ves.key),
            "lookup.vehicle is ves, and lookup.ves.api_key is empty",
        );
        mistakes.refuse_if(
            self.address == AddressSource::IdealPostcodes && empty(&self.ideal_postcodes.key),
            "lookup.address is ideal_postcodes, and lookup.ideal_postcodes.api_key is empty",
        );
        mistakes.refuse_if(
            self.address == AddressSource::OsPlaces && empty(&self.os_places.key),
            "lookup.address is os_places, and lookup.os_places.api_key is empty",
        );
    }
}
