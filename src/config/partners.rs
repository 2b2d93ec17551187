//! Settings of partners: aggregators that send us risks.

use data_encoding::HEXLOWER_PERMISSIVE;
use serde::Deserialize;

use super::rules::{each, not_blank, picture, rules, text_where};
use super::settings::Settings;
use super::source::ConfigError;

/// A partner that sends us the risks of its customers.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Partner {
    /// Number in requests and responses.
    #[serde(deserialize_with = "above_zero")]
    pub id: u32,
    /// Name for customers.
    #[serde(deserialize_with = "not_blank")]
    pub name: String,
    /// Name for programs: small letters, digits and hyphens.
    #[serde(deserialize_with = "identifier")]
    pub identifier: String,
    /// Logo: a path of this website, or a `data:image/` address.
    #[serde(deserialize_with = "picture")]
    pub logo_url: String,
    /// SHA-256 of the partner's key.
    #[serde(rename = "key_sha256", deserialize_with = "sha256")]
    pub key_hash: [u8; 32],
    /// Services that the partner may request.
    #[serde(deserialize_with = "services")]
    pub services: Vec<String>,
    /// Maximum number of risks per minute.
    #[serde(default = "usual_rate", deserialize_with = "above_zero")]
    pub requests_per_minute: u32,
}

const fn usual_rate() -> u32 {
    600
}

impl Partner {
    /// Rejects partners with an equal id, identifier or key.
    pub(super) fn check_unique(partners: &[Self], settings: &Settings) -> Result<(), ConfigError> {
        for (number, partner) in partners.iter().enumerate() {
            let is_taken = |other: &Self| {
                other.id == partner.id
                    || other.identifier == partner.identifier
                    || other.key_hash == partner.key_hash
            };
            if partners.iter().take(number).any(is_taken) {
                return Err(settings.invalid(
                    &format!("partners[{number}].identifier"),
                    "one that no other partner has, as are id and key_sha256",
                ));
            }
        }
        Ok(())
    }
}

rules! {
    above_zero: u32, "a whole number above 0",
        |value| u32::try_from(value.as_integer()?).ok().filter(|number| *number > 0);
    identifier: String, "small letters, digits and hyphens",
        |value| text_where(value, |text| {
            let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
            (1..=60).contains(&text.len()) && text.bytes().all(plain)
        });
    sha256: [u8; 32], "64 hexadecimal digits",
        |value| HEXLOWER_PERMISSIVE.decode(value.as_str()?.as_bytes()).ok()?.try_into().ok();
    services: Vec<String>, "a list of texts with one at least",
        |value| each(value, |text| Some(text.to_owned())).filter(|names| !names.is_empty());
}
