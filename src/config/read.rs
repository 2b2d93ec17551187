//! Reads the merged settings into types, key by key.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use chrono::{DateTime, Utc};

use super::address::{Network, Origin, is_own_path};
use super::sources::{CLOCK, ConfigError, Giver, Merged, Sources};
use super::value::{Record, Value};
use super::{
    Accounts, Config, Gateway, Links, Log, LogFormat, Mode, PasswordRule, Payments, RatingBadge,
    Server, Site,
};
use super::{documents, mail, partners, tags};
use crate::secret::Secret;

pub(super) fn config(sources: &Sources) -> Result<Config, ConfigError> {
    let reader = Reader {
        merged: Merged::new(sources)?,
        read: RefCell::default(),
    };
    let site = site(&reader)?;
    let config = Config {
        mode: reader.one_of(
            "mode",
            &[
                ("development", Mode::Development),
                ("production", Mode::Production),
            ],
        )?,
        server: server(&reader)?,
        log: log(&reader)?,
        mail: mail::read(&reader, &site)?,
        site,
        cookie_name: tags::cookie_name(&reader)?,
        tag_manager: tags::tag_manager(&reader)?,
        accounts: accounts(&reader)?,
        partners: partners::read(&reader)?,
        products_folder: reader.filled("products.folder")?.map(PathBuf::from),
        templates_folder: reader.filled("documents.templates")?.map(PathBuf::from),
        payments: payments(&reader)?,
        clock_start: clock_start(sources)?,
    };
    reader.nothing_left()?;
    fit(config)
}

/// Checks what only shows when settings are seen together.
fn fit(mut config: Config) -> Result<Config, ConfigError> {
    let refuse = |why: &str| Err(ConfigError::Conflict(why.to_owned()));
    let rule = &config.accounts.password;
    if rule.min_length > rule.max_length {
        return refuse("accounts.password.min_length must not be above max_length");
    }
    if let Some(origin) = &config.server.public_url {
        config.mail.host = origin.host().to_owned();
    }
    if !config.is_production() {
        config.tag_manager = None;
        return Ok(config);
    }
    if !config
        .server
        .public_url
        .as_ref()
        .is_some_and(Origin::is_https)
    {
        return refuse("server.public_url must be an https:// address when mode is production");
    }
    if config.payments.gateways.contains(&Gateway::Sandbox) {
        return refuse(
            "payments.gateways must not name sandbox when mode is production: it takes no money",
        );
    }
    mail::fit_for_production(&config.mail)?;
    if config.clock_start.is_some() {
        return refuse("LAYBY_CLOCK is refused when mode is production");
    }
    Ok(config)
}

fn server(reader: &Reader) -> Result<Server, ConfigError> {
    Ok(Server {
        listen: reader.parsed(
            "server.listen",
            "an address and a port, such as 127.0.0.1:8080",
            |text| text.parse::<SocketAddr>().ok(),
        )?,
        public_url: reader.optional(
            "server.public_url",
            "empty, or a scheme and a host without a path, such as https://cover.example.org",
            Origin::of_site,
        )?,
        trusted_proxies: networks(reader, "server.trusted_proxies")?,
        operators: networks(reader, "server.operators")?,
        data: reader.parsed("server.data", "the name of a folder", |text| {
            (!text.trim().is_empty()).then(|| PathBuf::from(text))
        })?,
    })
}

fn networks(reader: &Reader, key: &'static str) -> Result<Vec<Network>, ConfigError> {
    let invalid = |()| reader.invalid(key, "a list of addresses or networks, such as 10.0.0.0/8");
    let list = reader.list(key)?;
    let networks = list.iter().map(|text| text.parse().map_err(invalid));
    networks.collect()
}

fn log(reader: &Reader) -> Result<Log, ConfigError> {
    use tracing::Level;
    Ok(Log {
        format: reader.one_of(
            "log.format",
            &[("text", LogFormat::Text), ("json", LogFormat::Json)],
        )?,
        level: reader.one_of(
            "log.level",
            &[
                ("error", Level::ERROR),
                ("warn", Level::WARN),
                ("info", Level::INFO),
                ("debug", Level::DEBUG),
                ("trace", Level::TRACE),
            ],
        )?,
    })
}

fn site(reader: &Reader) -> Result<Site, ConfigError> {
    let words = |key| reader.parsed(key, "text that is not empty", not_blank);
    let brand = words("site.brand")?;
    let phone = words("site.phone")?;
    let email = reader.parsed("site.email", "an e-mail address", |text| {
        let (name, host) = text.split_once('@')?;
        let plain = !name.is_empty() && !host.is_empty() && !text.contains(char::is_whitespace);
        plain.then(|| text.to_owned())
    })?;
    let fill = |text: &str| {
        text.replace("{brand}", &brand)
            .replace("{phone}", &phone)
            .replace("{email}", &email)
    };
    let image = reader.optional(
        "site.rating_badge.image",
        "empty, a path of this website such as /badge.svg, or a data:image/ address",
        |text| (is_own_path(text) || text.starts_with("data:image/")).then(|| text.to_owned()),
    )?;
    let alt = words("site.rating_badge.alt")?;
    Ok(Site {
        footer: reader
            .list("site.footer")?
            .iter()
            .map(|text| fill(text))
            .collect(),
        complaints: fill(&words("site.complaints")?),
        assistance_phone: words("site.assistance_phone")?,
        hours: words("site.hours")?,
        links: links(reader)?,
        rating_badge: image.map(|image| RatingBadge { image, alt }),
        postal_address: reader.list("site.postal_address")?,
        external_documents: documents::external(reader)?,
        reviews_frame: reader.optional(
            "site.reviews_frame",
            "empty or an https:// address",
            https_address,
        )?,
        brand,
        phone,
        email,
    })
}

fn links(reader: &Reader) -> Result<Links, ConfigError> {
    let link = |key| {
        reader.parsed(
            key,
            "an https:// address, or a path of this website",
            |text| {
                if is_own_path(text) {
                    return Some(text.to_owned());
                }
                https_address(text)
            },
        )
    };
    Ok(Links {
        about_us: link("site.links.about_us")?,
        motor: link("site.links.motor")?,
        contact: link("site.links.contact")?,
        terms: link("site.links.terms")?,
        privacy: link("site.links.privacy")?,
        cookies: link("site.links.cookies")?,
    })
}

fn accounts(reader: &Reader) -> Result<Accounts, ConfigError> {
    Ok(Accounts {
        sign_on: reader.parsed("accounts.sign_on", "a path of this website", |text| {
            is_own_path(text).then(|| text.to_owned())
        })?,
        session_hours: reader.number("accounts.session_hours", 1..=24 * 365)?,
        remember_days: reader.number("accounts.remember_days", 1..=365)?,
        hashing_threads: reader.number("accounts.hashing_threads", 1..=64)?,
        password: PasswordRule {
            min_length: reader.number("accounts.password.min_length", 1..=128)?,
            max_length: reader.number("accounts.password.max_length", 1..=1024)?,
            uppercase: reader.switch("accounts.password.uppercase")?,
            lowercase: reader.switch("accounts.password.lowercase")?,
            digit: reader.switch("accounts.password.digit")?,
            special: reader.switch("accounts.password.special")?,
            no_whitespace: reader.switch("accounts.password.no_whitespace")?,
        },
    })
}

fn payments(reader: &Reader) -> Result<Payments, ConfigError> {
    let mut gateways = Vec::new();
    for name in reader.list("payments.gateways")? {
        match name.as_str() {
            "sandbox" if !gateways.contains(&Gateway::Sandbox) => gateways.push(Gateway::Sandbox),
            _ => {
                let wanted = "a list of gateways, each once: sandbox is the only one there is";
                return Err(reader.invalid("payments.gateways", wanted));
            }
        }
    }
    Ok(Payments {
        gateways,
        sandbox_secret: reader.filled("payments.sandbox.secret")?.map(Secret::from),
    })
}

fn clock_start(sources: &Sources) -> Result<Option<DateTime<Utc>>, ConfigError> {
    let Some(text) = sources.variable(CLOCK).filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    match DateTime::parse_from_rfc3339(text) {
        Ok(start) => Ok(Some(start.to_utc())),
        Err(_) => Err(ConfigError::Invalid {
            key: CLOCK.to_owned(),
            wanted: "a time such as 2027-10-30T09:00:00Z".to_owned(),
            by: Giver::Variable(CLOCK.to_owned()),
        }),
    }
}

fn not_blank(text: &str) -> Option<String> {
    (!text.trim().is_empty()).then(|| text.to_owned())
}

pub(super) fn https_address(text: &str) -> Option<String> {
    let origin = Origin::of(text)?;
    origin.is_https().then(|| text.to_owned())
}

/// Hands out the merged settings, and notices those that nobody asked for.
pub(super) struct Reader {
    merged: Merged,
    read: RefCell<BTreeSet<&'static str>>,
}

impl Reader {
    fn value(&self, key: &'static str) -> Result<&Value, ConfigError> {
        self.read.borrow_mut().insert(key);
        match self.merged.get(key) {
            Some((value, _)) => Ok(value),
            None => Err(self.invalid(key, "in config.toml")),
        }
    }

    fn text(&self, key: &'static str) -> Result<&str, ConfigError> {
        match self.value(key)? {
            Value::Text(text) => Ok(text),
            _ => Err(self.invalid(key, "text")),
        }
    }

    pub(super) fn list(&self, key: &'static str) -> Result<Vec<String>, ConfigError> {
        match self.value(key)? {
            Value::List(items) => Ok(items.clone()),
            _ => Err(self.invalid(key, "a list of texts")),
        }
    }

    pub(super) fn records(&self, key: &'static str) -> Result<Vec<Record>, ConfigError> {
        match self.value(key)? {
            Value::Records(records) => Ok(records.clone()),
            _ => Err(self.invalid(key, "sections with two brackets")),
        }
    }

    fn switch(&self, key: &'static str) -> Result<bool, ConfigError> {
        match self.value(key)? {
            Value::Switch(on) => Ok(*on),
            _ => Err(self.invalid(key, "true or false")),
        }
    }

    pub(super) fn number<T: TryFrom<i64>>(
        &self,
        key: &'static str,
        range: RangeInclusive<i64>,
    ) -> Result<T, ConfigError> {
        let found = match self.value(key)? {
            Value::Number(number) if range.contains(number) => T::try_from(*number).ok(),
            _ => None,
        };
        let (from, to) = (range.start(), range.end());
        found.ok_or_else(|| self.invalid(key, &format!("a whole number from {from} to {to}")))
    }

    /// A text that `parse` understands.
    pub(super) fn parsed<T>(
        &self,
        key: &'static str,
        wanted: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<T, ConfigError> {
        parse(self.text(key)?).ok_or_else(|| self.invalid(key, wanted))
    }

    /// The same, where the empty text means none.
    pub(super) fn optional<T>(
        &self,
        key: &'static str,
        wanted: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, ConfigError> {
        if self.text(key)?.is_empty() {
            return Ok(None);
        }
        self.parsed(key, wanted, parse).map(Some)
    }

    pub(super) fn filled(&self, key: &'static str) -> Result<Option<String>, ConfigError> {
        let text = self.text(key)?;
        Ok((!text.is_empty()).then(|| text.to_owned()))
    }

    pub(super) fn one_of<T: Copy>(
        &self,
        key: &'static str,
        known: &[(&str, T)],
    ) -> Result<T, ConfigError> {
        let text = self.text(key)?;
        let found = known.iter().find(|(name, _)| *name == text);
        found.map(|(_, value)| *value).ok_or_else(|| {
            let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
            self.invalid(key, &format!("one of {}", names.join(", ")))
        })
    }

    pub(super) fn invalid(&self, key: &str, wanted: &str) -> ConfigError {
        let given = self.merged.get(key);
        ConfigError::Invalid {
            key: key.to_owned(),
            wanted: wanted.to_owned(),
            by: given.map_or(Giver::Default, |(_, by)| by.clone()),
        }
    }

    /// A key in config.toml that no line above reads would be a promise nobody keeps.
    fn nothing_left(&self) -> Result<(), ConfigError> {
        let read = self.read.borrow();
        match self.merged.keys().find(|key| !read.contains(key)) {
            None => Ok(()),
            Some(key) => Err(self.invalid(key, "read by something")),
        }
    }
}
