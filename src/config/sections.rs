//! One type for each section of config.toml, and for `mode`; those of `[mail]` and `[[partners]]`
//! have files of their own. A value that needs more than its type in TOML names its rule, declared
//! below.

use std::net::SocketAddr;
use std::path::PathBuf;

use serde::{Deserialize, Deserializer, Serialize};
use tracing::Level;

use super::address::{Network, WebOrigin};
use super::rules::{
    by_name, each, is_https, link, not_blank, number_between, optional_text, or_empty,
    picture_or_empty, rules, size, text_where,
};
use super::source::ConfigError;
use crate::json_schema::ResponseSchema;

/// Whether this is a real shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Somebody tries it out: plain http and the sandbox gateway are fine.
    Development,
    /// Real customers: https only, no sandbox, no other clock.
    Production,
}

rules! {
    mode: Mode, "one of development, production", by_name;
}

/// Where the server answers and keeps its data.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerSettings {
    /// The address to answer on; port 0 picks a free one.
    #[serde(deserialize_with = "address_and_port")]
    pub listen: SocketAddr,
    /// Where customers reach the shop, when that isn't the bound loopback address.
    #[serde(deserialize_with = "site_or_empty")]
    pub public_url: Option<WebOrigin>,
    /// The proxies whose `X-Forwarded-For` is believed.
    #[serde(deserialize_with = "networks")]
    pub trusted_proxies: Vec<Network>,
    /// Who may read `/metrics`.
    #[serde(deserialize_with = "networks")]
    pub metrics_allow: Vec<Network>,
    /// The folder of everything the server keeps.
    #[serde(deserialize_with = "folder")]
    pub data: PathBuf,
    /// How long requests are still taken after the process was told to stop, seconds.
    #[serde(deserialize_with = "number_between::<0, 600, _, _>")]
    pub drain_seconds: u64,
    /// How much of bodies that are being read may be held at once, bytes.
    #[serde(deserialize_with = "max_body_memory")]
    pub max_body_memory: usize,
    /// How many connections there may be; 0 for three quarters of the files that may be open.
    #[serde(deserialize_with = "number_between::<0, 1_000_000, _, _>")]
    pub max_connections: usize,
    /// How many connections an address may have that is no trusted proxy's.
    #[serde(deserialize_with = "number_between::<1, 1_000_000, _, _>")]
    pub max_connections_per_address: usize,
    /// Whether browsers are to reach the subdomains of this host over https alone, too.
    pub hsts_subdomains: bool,
    /// Whether HTTP/2 is spoken in clear text.
    pub http2: bool,
    /// Bytes that are to stay free on the disk of that folder: with less, nothing new is begun.
    #[serde(deserialize_with = "min_free_disk")]
    pub min_free_disk: u64,
}

impl ServerSettings {
    /// What every link, callback and same-origin test is built from, once the port is known.
    #[must_use]
    pub fn public_origin(&self, bound: SocketAddr) -> WebOrigin {
        let url = self.public_url.clone();
        url.unwrap_or_else(|| WebOrigin::from_socket(bound))
    }
}

rules! {
    address_and_port: SocketAddr, "an address and a port, such as 127.0.0.1:8080",
        |value| value.as_str()?.parse().ok();
    site_or_empty: Option<WebOrigin>,
        "empty, or a scheme and a host without a path, such as https://cover.example.org",
        |value| or_empty(value, WebOrigin::parse_site);
    networks: Vec<Network>, "a list of addresses or networks, such as 10.0.0.0/8",
        |value| each(value, |text| text.parse().ok());
    folder: PathBuf, "the name of a folder",
        |value| text_where(value, |text| !text.trim().is_empty()).map(PathBuf::from);
    // An eighth of it is one client's, and holds the largest body there is.
    max_body_memory: usize, "a size from 8 MiB, such as 64 MiB",
        |value| size(value).and_then(|size| size.try_into().ok()).filter(|size| *size >= 8 << 20);
    min_free_disk: u64, "a size, such as 256 MiB", size;
}

/// What is logged, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Log {
    /// How a line looks.
    #[serde(deserialize_with = "log_format")]
    pub format: LogFormat,
    /// The least important level of ours that is still logged.
    #[serde(deserialize_with = "log_level")]
    pub level: Level,
}

/// How a line of the log looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

rules! {
    log_format: LogFormat, "one of text, json", by_name;
    log_level: Level, "one of error, warn, info, debug, trace", |value| {
        let levels = [Level::ERROR, Level::WARN, Level::INFO, Level::DEBUG, Level::TRACE];
        let name = value.as_str()?;
        levels.into_iter().find(|level| level.as_str().to_ascii_lowercase() == name)
    };
}

/// What the website says about the shop.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteSettings {
    /// The shop's name.
    #[serde(deserialize_with = "not_blank")]
    pub brand: String,
    /// Who to call.
    #[serde(deserialize_with = "not_blank")]
    pub phone: String,
    /// Who to call after a breakdown, at any hour.
    #[serde(deserialize_with = "not_blank")]
    pub assistance_phone: String,
    /// Who reads text messages from the roadside, if anybody does.
    #[serde(deserialize_with = "text_number")]
    pub assistance_text: Option<String>,
    /// Who to write to.
    #[serde(deserialize_with = "email")]
    pub email: String,
    /// When the phone is answered.
    #[serde(deserialize_with = "not_blank")]
    pub hours: String,
    /// Regulatory and company-registration sentences.
    pub footer: Vec<String>,
    /// How to complain, and the ombudsman.
    #[serde(deserialize_with = "not_blank")]
    pub complaints: String,
    /// The pages that live outside the shop.
    pub links: Links,
    /// The independent rating, if there is one.
    #[serde(deserialize_with = "rating_badge")]
    pub rating_badge: Option<RatingBadge>,
    /// Where letters reach the shop, line by line.
    pub postal_address: Vec<String>,
    /// Documents that live elsewhere and are listed beside every policy's own.
    pub external_documents: Vec<ExternalDocument>,
    /// The address of the frame of customers' reviews, if there is one.
    #[serde(deserialize_with = "https_or_empty")]
    pub reviews_frame: Option<String>,
}

impl SiteSettings {
    /// Replaces `{brand}`, `{phone}` and `{email}` by what they stand for.
    pub(super) fn fill(&self, text: &str) -> String {
        text.replace("{brand}", &self.brand)
            .replace("{phone}", &self.phone)
            .replace("{email}", &self.email)
    }
}

/// Links that lead out of the shop.
#[derive(Clone, Debug, Deserialize, Serialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct Links {
    /// Who the shop is.
    #[serde(deserialize_with = "link")]
    pub about_us: String,
    /// Motor insurance.
    #[serde(deserialize_with = "link")]
    pub motor: String,
    /// How to reach the shop.
    #[serde(deserialize_with = "link")]
    pub contact: String,
    /// Terms and conditions.
    #[serde(deserialize_with = "link")]
    pub terms: String,
    /// The privacy notice.
    #[serde(deserialize_with = "link")]
    pub privacy: String,
    /// The cookie notice.
    #[serde(deserialize_with = "link")]
    pub cookies: String,
}

/// An independent rating.
#[derive(Clone, Debug, Deserialize, Serialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct RatingBadge {
    /// A path of this website, or a `data:image/` address.
    #[serde(deserialize_with = "picture_or_empty")]
    pub image: String,
    /// What the picture says.
    #[serde(deserialize_with = "not_blank")]
    pub alt: String,
}

fn rating_badge<'de, D: Deserializer<'de>>(from: D) -> Result<Option<RatingBadge>, D::Error> {
    let badge = RatingBadge::deserialize(from)?;
    Ok((!badge.image.is_empty()).then_some(badge))
}

/// A document that lives elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, ResponseSchema)]
#[serde(deny_unknown_fields, rename = "ExternalItem")]
pub struct ExternalDocument {
    /// What it is called.
    #[serde(deserialize_with = "not_blank")]
    pub title: String,
    /// Its address: https, or a path of this website.
    #[serde(deserialize_with = "link")]
    pub url: String,
}

/// The cookie that keeps the visitor's choice about cookies.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cookies {
    /// Its name.
    #[serde(deserialize_with = "cookie_name")]
    pub name: String,
}

/// The tag manager, loaded only in production and with consent.
#[derive(Clone, Debug, Deserialize, Serialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct TagManager {
    /// The container's id.
    pub id: String,
    /// The script's address.
    #[serde(deserialize_with = "script_or_empty")]
    pub src: String,
    /// Every host that it may load from and report to; the script's own comes first.
    #[serde(deserialize_with = "https_hosts", skip_serializing)]
    pub hosts: Vec<WebOrigin>,
}

impl TagManager {
    /// The tag manager that a section describes: none if its texts are empty.
    pub(super) fn complete(mut self) -> Result<Option<Self>, ConfigError> {
        if self.id.is_empty() != self.src.is_empty() {
            return Err(ConfigError::Conflict(
                "tag_manager.id and tag_manager.src must both be given, or neither",
            ));
        }
        self.hosts.splice(0..0, WebOrigin::parse(&self.src));
        Ok((!self.id.is_empty()).then_some(self))
    }
}

rules! {
    text_number: Option<String>, "empty, or a number that takes text messages, such as 07700 900 999",
        |value| or_empty(value, |text| {
            let digits = text.chars().filter(char::is_ascii_digit).count();
            let fits = |c: char| c.is_ascii_digit() || c == ' ' || c == '+';
            ((3..=15).contains(&digits) && text.chars().all(fits)).then(|| text.to_owned())
        });
    email: String, "an e-mail address", |value| text_where(value, |text| {
        let (name, host) = text.split_once('@').unwrap_or_default();
        !name.is_empty() && !host.is_empty() && !text.contains(char::is_whitespace)
    });
    https_or_empty: Option<String>, "empty or an https:// address",
        |value| or_empty(value, |text| is_https(text).then(|| text.to_owned()));
    cookie_name: String, "a name of letters, digits, - and _", |value| text_where(value, |text| {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        !text.is_empty() && text.chars().all(plain)
    });
    script_or_empty: String, "empty or an https:// address",
        |value| text_where(value, |text| text.is_empty() || is_https(text));
    https_hosts: Vec<WebOrigin>, "a list of https:// hosts without a path",
        |value| each(value, |text| WebOrigin::parse_site(text).filter(WebOrigin::is_https));
}

/// Logging in and passwords.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccountSettings {
    /// Where people log in: a path of the website, or an https address elsewhere.
    #[serde(deserialize_with = "link")]
    pub login_redirect: String,
    /// How long a login lasts, in hours.
    #[serde(deserialize_with = "number_between::<1, 8760, _, _>")]
    pub session_hours: u32,
    /// How long a login lasts with "remember me", in days.
    #[serde(deserialize_with = "number_between::<1, 365, _, _>")]
    pub remember_days: u32,
    /// How many passwords are hashed at once.
    #[serde(deserialize_with = "number_between::<1, 64, _, _>")]
    pub hashing_threads: usize,
    /// What a new password must have.
    pub password: PasswordRule,
}

/// What a new password must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordRule {
    /// At least so many characters.
    #[serde(deserialize_with = "number_between::<1, 128, _, _>")]
    pub min_length: usize,
    /// At most so many characters.
    #[serde(deserialize_with = "number_between::<1, 1024, _, _>")]
    pub max_length: usize,
    /// An upper-case letter.
    pub uppercase: bool,
    /// A lower-case letter.
    pub lowercase: bool,
    /// A digit.
    pub digit: bool,
    /// A character that is neither a letter, a digit nor white space.
    pub special: bool,
    /// No white space anywhere.
    pub no_whitespace: bool,
}

/// Products of the operator's own.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProductSettings {
    /// A folder of product files that replace or join the built-in ones.
    #[serde(deserialize_with = "optional_text")]
    pub folder: Option<PathBuf>,
    /// Identifiers of the products that are sold; empty means all of them.
    pub sold: Vec<String>,
}
