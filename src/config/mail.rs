//! How letters reach customers.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use super::read::Reader;
use super::{ConfigError, Site};
use crate::secret::Secret;

/// Sending letters to customers.
#[derive(Clone, Debug)]
pub struct Mail {
    /// Who they come from.
    pub from: Sender,
    /// The host that they are numbered under and that we greet mail servers with: that of
    /// `server.public_url`, or else that of the sender.
    pub host: String,
    /// How long after a quote is saved a link to it is mailed, so that several saves are one
    /// letter.
    pub quote_delay_seconds: u32,
    /// The server that takes them; without one they are written to a folder.
    pub smtp: Option<Smtp>,
}

/// Who letters come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sender {
    /// The name that mail programs show.
    pub name: String,
    /// The address that answers go to.
    pub address: String,
}

/// A mail server.
#[derive(Clone, Debug)]
pub struct Smtp {
    /// Its name or address, which its certificate must be for.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// How the way there is protected.
    pub security: Security,
    /// What to log in with, if it asks for that.
    pub login: Option<Login>,
    /// How long handing over one letter may take.
    pub timeout: Duration,
    /// Certificates to trust beside the usual authorities.
    pub ca_file: Option<PathBuf>,
}

/// How the way to a mail server is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    /// Plain at first, then encrypted; it never goes on without.
    StartTls,
    /// Encrypted from the first byte.
    Tls,
    /// Not at all.
    None,
}

impl Security {
    const fn usual_port(self) -> u16 {
        match self {
            Self::StartTls => 587,
            Self::Tls => 465,
            Self::None => 25,
        }
    }
}

/// What to log in to a mail server with.
#[derive(Clone, Debug)]
pub struct Login {
    /// The user's name there.
    pub username: String,
    /// The password.
    pub password: Secret,
}

pub(super) fn read(reader: &Reader, site: &Site) -> Result<Mail, ConfigError> {
    let from = reader.parsed(
        "mail.from",
        "a name and an address, such as Example Cover <help@cover.example.org>",
        |text| {
            let filled = text.replace("{brand}", &site.brand);
            sender(&filled.replace("{email}", &site.email))
        },
    )?;
    let (_, host) = from.address.rsplit_once('@').unwrap_or_default();
    Ok(Mail {
        host: host.to_owned(),
        quote_delay_seconds: reader.number("mail.quote_delay_seconds", 0..=86_400)?,
        smtp: smtp(reader)?,
        from,
    })
}

fn smtp(reader: &Reader) -> Result<Option<Smtp>, ConfigError> {
    let host = reader.optional(
        "mail.smtp.host",
        "empty, or the name or address of a mail server, without a scheme or a port",
        |text| {
            let plain = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
            let known = text.chars().all(plain) || text.parse::<IpAddr>().is_ok();
            known.then(|| text.to_owned())
        },
    )?;
    let security = reader.one_of(
        "mail.smtp.security",
        &[
            ("starttls", Security::StartTls),
            ("tls", Security::Tls),
            ("none", Security::None),
        ],
    )?;
    let port = match reader.number("mail.smtp.port", 0..=65535)? {
        0 => security.usual_port(),
        port => port,
    };
    let username = reader.filled("mail.smtp.username")?;
    let password = reader.filled("mail.smtp.password")?.map(Secret::from);
    let login = match (username, password) {
        (Some(username), Some(password)) => Some(Login { username, password }),
        (None, None) => None,
        _ => {
            return Err(ConfigError::Conflict(
                "mail.smtp.username and mail.smtp.password must both be given, or neither"
                    .to_owned(),
            ));
        }
    };
    let seconds = reader.number("mail.smtp.timeout_seconds", 1..=600)?;
    let ca_file = reader.filled("mail.smtp.ca_file")?.map(PathBuf::from);
    Ok(host.map(|host| Smtp {
        host,
        port,
        security,
        login,
        timeout: Duration::from_secs(seconds),
        ca_file,
    }))
}

/// Reads `Name <address>`. Plain characters only in the address: not every mail server takes
/// others.
fn sender(text: &str) -> Option<Sender> {
    let (name, address) = text.trim().strip_suffix('>')?.rsplit_once('<')?;
    let name = name.trim().trim_matches('"').trim();
    let usable = !name.is_empty() && !name.contains(char::is_control) && address.is_ascii();
    let known = usable && address.parse::<lettre::Address>().is_ok();
    known.then(|| Sender {
        name: name.to_owned(),
        address: address.to_owned(),
    })
}

/// What a real shop's letters must not do: travel readable by others, or come from nowhere.
pub(super) fn fit_for_production(mail: &Mail) -> Result<(), ConfigError> {
    let refuse = |why: &str| Err(ConfigError::Conflict(why.to_owned()));
    let Some(smtp) = &mail.smtp else {
        return Ok(());
    };
    if smtp.security == Security::None && !is_loopback(&smtp.host) {
        return refuse(
            "mail.smtp.security must not be none when mode is production, except for a mail \
             server on this very machine",
        );
    }
    // Nobody can own a name that ends like this, so no answer would ever arrive.
    if mail.from.address.to_ascii_lowercase().ends_with(".example") {
        return refuse(
            "mail.from (or site.email, which it is made of) must be an address of your own when \
             mode is production: the sample's can't be answered",
        );
    }
    Ok(())
}

fn is_loopback(host: &str) -> bool {
    let numeric = host.parse::<IpAddr>();
    numeric.map_or(host.eq_ignore_ascii_case("localhost"), |ip| {
        ip.is_loopback()
    })
}
