//! One type for each section of config.toml, and for `mode`. Some sections, such as `[mail]` and
//! `[[partners]]`, have their own files. A field names a rule if its TOML type does not suffice. The
//! macro `rules!` declares the rules.

use std::net::SocketAddr;
use std::path::PathBuf;

use serde::{Deserialize, Deserializer, Serialize};
use tracing::Level;

use super::address::{Network, WebOrigin};
use super::rules::{
    by_name, each, is_https, link, not_blank, number_between, optional_text, or_empty,
    picture_or_empty, rules, size, text_where,
};
use super::source::{ConfigError, Mistakes};
use crate::json_schema::ResponseSchema;

/// The mode of the shop: trial or real customers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Trial: plain http and the sandbox gateway are allowed.
    Development,
    /// Real customers: https only, no sandbox gateway, no changed clock.
    Production,
}

rules! {
    mode: Mode, "one of development, production", by_name;
}

/// The server's address, limits and data folder.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerSettings {
    /// Address to listen on; port 0 selects a free port.
    #[serde(deserialize_with = "address_and_port")]
    pub listen: SocketAddr,
    /// Public address of the shop. If `None`, the shop uses the address to which it is bound.
    #[serde(deserialize_with = "site_or_empty")]
    pub public_url: Option<WebOrigin>,
    /// Proxies whose `X-Forwarded-For` header is trusted.
    #[serde(deserialize_with = "networks")]
    pub trusted_proxies: Vec<Network>,
    /// Networks that may read `/metrics`.
    #[serde(deserialize_with = "networks")]
    pub metrics_allow: Vec<Network>,
    /// Folder of the data that the server stores on this machine.
    #[serde(deserialize_with = "folder")]
    pub data: PathBuf,
    /// Seconds in which requests are still accepted after the signal to stop.
    #[serde(deserialize_with = "number_between::<0, 600, _, _>")]
    pub drain_seconds: u64,
    /// Maximum memory for the request bodies that the server reads at the same time, in bytes.
    #[serde(deserialize_with = "max_body_memory")]
    pub max_body_memory: usize,
    /// Maximum number of connections; 0 is three quarters of the limit of open files.
    #[serde(deserialize_with = "number_between::<0, 1_000_000, _, _>")]
    pub max_connections: usize,
    /// Maximum number of connections from one client network (an IPv4 address or an IPv6 /56), other than a
    /// trusted proxy's.
    #[serde(deserialize_with = "number_between::<1, 1_000_000, _, _>")]
    pub max_connections_per_address: usize,
    /// Whether browsers must also use https for the subdomains of this host.
    pub hsts_subdomains: bool,
    /// Whether the server accepts HTTP/2 without TLS.
    pub http2: bool,
    /// Bytes that must stay free on the disk of the data folder. With less free space, the server refuses new
    /// quotes, saves of quotes, changes of policies, vehicle look-ups and partners' requests.
    #[serde(deserialize_with = "min_free_disk")]
    pub min_free_disk: u64,
}

impl ServerSettings {
    /// Returns the origin of links, callbacks and same-origin checks. `bound` is the address and port on
    /// which the server listens.
    #[must_use]
    pub fn public_origin(&self, bound: SocketAddr) -> WebOrigin {
        let url = self.public_url.clone();
        url.unwrap_or_else(|| WebOrigin::from_socket(bound))
    }

    /// Rejects a shop behind a proxy that it does not trust: all customers would be one client.
    pub(super) fn check_production(&self, mistakes: &mut Mistakes) {
        mistakes.refuse_if(
            self.listen.ip().is_loopback() && self.trusted_proxies.is_empty(),
            "server.trusted_proxies must name the proxy when mode is production and server.listen is an \
             address of this machine: add trusted_proxies = [\"127.0.0.1\", \"::1\"] to [server]",
        );
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
    // One client may use an eighth of the memory. The largest allowed body must fit into this eighth.
    max_body_memory: usize, "a size from 8 MiB, such as 64 MiB",
        |value| size(value).and_then(|size| size.try_into().ok()).filter(|size| *size >= 8 << 20);
    min_free_disk: u64, "a size, such as 256 MiB", size;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Log {
    #[serde(deserialize_with = "log_format")]
    pub format: LogFormat,
    /// The log contains our own events of this level and of more important levels.
    #[serde(deserialize_with = "log_level")]
    pub level: Level,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Plain text for people.
    Text,
    /// One JSON object per line.
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

/// The shop's details on the website.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteSettings {
    /// Name of the shop.
    #[serde(deserialize_with = "not_blank")]
    pub brand: String,
    /// Telephone number for customers.
    #[serde(deserialize_with = "not_blank")]
    pub phone: String,
    /// Telephone number after a breakdown, at any hour.
    #[serde(deserialize_with = "not_blank")]
    pub assistance_phone: String,
    /// Number for text messages from the roadside, if there is one.
    #[serde(deserialize_with = "text_number")]
    pub assistance_text: Option<String>,
    /// E-mail address for customers.
    #[serde(deserialize_with = "email")]
    pub email: String,
    /// Hours of the telephone line.
    #[serde(deserialize_with = "not_blank")]
    pub hours: String,
    /// Regulatory and company-registration sentences.
    pub footer: Vec<String>,
    /// How to complain, with the ombudsman.
    #[serde(deserialize_with = "not_blank")]
    pub complaints: String,
    /// Pages outside the shop.
    pub links: Links,
    /// Independent rating, if there is one.
    #[serde(deserialize_with = "rating_badge")]
    pub rating_badge: Option<RatingBadge>,
    /// Postal address for letters to the shop, line by line.
    pub postal_address: Vec<String>,
    /// Documents at other addresses, listed beside each policy's own.
    pub external_documents: Vec<ExternalDocument>,
    /// Address of the frame with customers' reviews, if there is one.
    #[serde(deserialize_with = "https_or_empty")]
    pub reviews_frame: Option<String>,
}

impl SiteSettings {
    /// Returns the text with `{brand}`, `{phone}` and `{email}` replaced by the settings.
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
    /// The page about the shop.
    #[serde(deserialize_with = "link")]
    pub about_us: String,
    /// The page about motor insurance.
    #[serde(deserialize_with = "link")]
    pub motor: String,
    /// The page with the ways to reach the shop.
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
    /// The alternative text of the picture.
    #[serde(deserialize_with = "not_blank")]
    pub alt: String,
}

fn rating_badge<'de, D: Deserializer<'de>>(from: D) -> Result<Option<RatingBadge>, D::Error> {
    let badge = RatingBadge::deserialize(from)?;
    Ok((!badge.image.is_empty()).then_some(badge))
}

/// A document at another address.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, ResponseSchema)]
#[serde(deny_unknown_fields, rename = "ExternalItem")]
pub struct ExternalDocument {
    /// The document's name.
    #[serde(deserialize_with = "not_blank")]
    pub title: String,
    /// The document's address: https, or a path of this website.
    #[serde(deserialize_with = "link")]
    pub url: String,
}

/// The cookie that stores the visitor's choice about cookies.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cookies {
    #[serde(deserialize_with = "cookie_name")]
    pub name: String,
}

/// The tag manager. The website loads it only in production and with the visitor's consent.
#[derive(Clone, Debug, Deserialize, Serialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct TagManager {
    /// The container's id.
    pub id: String,
    /// The script's address.
    #[serde(deserialize_with = "script_or_empty")]
    pub src: String,
    /// Every host that the tag manager may load from and report to. The host of `src` comes first.
    #[serde(deserialize_with = "https_hosts", skip_serializing)]
    pub hosts: Vec<WebOrigin>,
}

impl TagManager {
    /// Returns the tag manager of a section, or `None` if `id` and `src` are empty. Fails if only one of `id`
    /// and `src` is given.
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

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccountSettings {
    /// Login page: a path of the website, or an https address of another site.
    #[serde(deserialize_with = "link")]
    pub login_redirect: String,
    /// Lifetime of a session in hours.
    #[serde(deserialize_with = "number_between::<1, 8760, _, _>")]
    pub session_hours: u32,
    /// Lifetime of a session with "remember me", in days.
    #[serde(deserialize_with = "number_between::<1, 365, _, _>")]
    pub remember_days: u32,
    /// Maximum number of passwords that are hashed at the same time.
    #[serde(deserialize_with = "number_between::<1, 64, _, _>")]
    pub hashing_threads: usize,
    pub password: PasswordRule,
}

/// The rule for a new password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordRule {
    /// Fewest characters.
    #[serde(deserialize_with = "number_between::<1, 128, _, _>")]
    pub min_length: usize,
    /// Most characters.
    #[serde(deserialize_with = "number_between::<1, 1024, _, _>")]
    pub max_length: usize,
    /// Whether an upper-case letter is required.
    pub uppercase: bool,
    /// Whether a lower-case letter is required.
    pub lowercase: bool,
    /// Whether a digit is required.
    pub digit: bool,
    /// Whether a character is required that is neither a letter, a digit nor white space.
    pub special: bool,
    /// Whether white space is forbidden.
    pub no_whitespace: bool,
}

/// Monthly payment.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MonthlySettings {
    /// Who grants the credit.
    #[serde(deserialize_with = "grantor_or_empty")]
    pub granted_by: Option<CreditGrantor>,
}

/// A party that grants the credit of monthly payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreditGrantor {
    /// The insurer, who supplies the cover.
    Insurer,
}

rules! {
    grantor_or_empty: Option<CreditGrantor>, "empty, or insurer",
        |value| or_empty(value, |text| (text == "insurer").then_some(CreditGrantor::Insurer));
}

/// The operator's own products.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProductSettings {
    /// Folder of product files that replace or extend the built-in ones.
    #[serde(deserialize_with = "optional_text")]
    pub folder: Option<PathBuf>,
    /// Identifiers of the products on sale; empty means all.
    pub sold: Vec<String>,
}
