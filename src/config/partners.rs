//! Aggregator partners: who may send us risks.

use data_encoding::HEXLOWER_PERMISSIVE;

use super::ConfigError;
use super::address::is_own_path;
use super::read::Reader;
use super::value::{Record, Value};

/// A partner that sends us its customers' risks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partner {
    /// Its number on the wire.
    pub id: u32,
    /// Its name, which customers read.
    pub name: String,
    /// Its name for programs: small letters, digits and hyphens.
    pub identifier: String,
    /// Its logo: a path of this website, or a `data:image/` address.
    pub logo_url: String,
    /// SHA-256 of its key.
    pub key_hash: [u8; 32],
    /// The services it may ask for.
    pub services: Vec<String>,
    /// How many risks it may send a minute.
    pub requests_a_minute: u32,
}

const KEY: &str = "partners";

pub(super) fn read(reader: &Reader) -> Result<Vec<Partner>, ConfigError> {
    let mut partners: Vec<Partner> = Vec::new();
    for record in reader.records(KEY)? {
        let partner = partner(&record)?;
        let is_taken = |known: &Partner| {
            known.id == partner.id
                || known.identifier == partner.identifier
                || known.key_hash == partner.key_hash
        };
        if partners.iter().any(is_taken) {
            return Err(record.invalid(
                "identifier",
                "one that no other partner has, as are id and key_sha256",
            ));
        }
        partners.push(partner);
    }
    Ok(partners)
}

fn partner(record: &Record) -> Result<Partner, ConfigError> {
    let known = [
        "id",
        "name",
        "identifier",
        "logo_url",
        "key_sha256",
        "services",
        "requests_a_minute",
    ];
    record.has_nothing_but(&known)?;
    let text = |name: &str, wanted: &str, fits: &dyn Fn(&str) -> bool| match record.get(name) {
        Some(Value::Text(text)) if fits(text) => Ok(text.clone()),
        _ => Err(record.invalid(name, wanted)),
    };
    let number = |name: &str, usual: Option<u32>| match (record.get(name), usual) {
        (Some(Value::Number(number)), _) => u32::try_from(*number)
            .ok()
            .filter(|number| *number > 0)
            .ok_or_else(|| record.invalid(name, "a whole number above 0")),
        (None, Some(usual)) => Ok(usual),
        _ => Err(record.invalid(name, "a whole number above 0")),
    };
    let word = |text: &str| {
        let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        !text.is_empty() && text.len() <= 60 && text.bytes().all(fits)
    };
    let key = text("key_sha256", "64 hexadecimal digits", &|text| {
        text.len() == 64
    })?;
    let key_hash = HEXLOWER_PERMISSIVE.decode(key.as_bytes()).ok();
    let key_hash = key_hash.and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
    Ok(Partner {
        id: number("id", None)?,
        name: text("name", "text that is not empty", &|text| {
            !text.trim().is_empty()
        })?,
        identifier: text("identifier", "small letters, digits and hyphens", &word)?,
        logo_url: text(
            "logo_url",
            "a path of this website such as /badge.svg, or a data:image/ address",
            &|text| is_own_path(text) || text.starts_with("data:image/"),
        )?,
        key_hash: key_hash.ok_or_else(|| record.invalid("key_sha256", "64 hexadecimal digits"))?,
        services: match record.get("services") {
            Some(Value::List(services)) if !services.is_empty() => services.clone(),
            _ => return Err(record.invalid("services", "a list of texts with one at least")),
        },
        requests_a_minute: number("requests_a_minute", Some(600))?,
    })
}
