//! Settings of letters, which are e-mails to customers.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;

use super::address::WebOrigin;
use super::rules::{by_name, number_between, optional_text, rules, text_where};
use super::sections::SiteSettings;
use super::settings::Settings;
use super::source::{ConfigError, Mistakes};
use crate::secret::Secret;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MailSettings {
    #[serde(deserialize_with = "sender")]
    pub from: Sender,
    /// Domain in Message-IDs and in the greeting to mail servers. The domain is the host of
    /// `server.public_url`, or the host of the sender's address if `public_url` is empty.
    #[serde(skip)]
    pub host: String,
    /// Seconds from the save of a quote to the letter with its link. Several saves in this time cause one
    /// letter.
    #[serde(deserialize_with = "number_between::<0, 86_400, _, _>")]
    pub quote_delay_seconds: u32,
    /// Whether letters about policies carry their documents.
    pub attach_documents: bool,
    /// Folder of templates that replace the built-in ones.
    #[serde(deserialize_with = "optional_text")]
    pub templates: Option<PathBuf>,
    /// Whether a shop in production mode may have no mail server.
    pub none: bool,
    /// Mail server. Without one, letters are written to a folder.
    pub smtp: Option<Smtp>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sender {
    /// Name that mail programs show.
    pub name: String,
    /// Address for replies.
    pub address: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Smtp {
    /// Name or IP address of the server. With TLS, the server's certificate must have this name or address.
    #[serde(deserialize_with = "server_or_empty")]
    pub host: String,
    /// Port; 0 is the usual port of `security`.
    #[serde(deserialize_with = "number_between::<0, 65_535, _, _>")]
    pub port: u16,
    #[serde(deserialize_with = "security")]
    pub security: Security,
    /// User name, if the server requires a login.
    #[serde(deserialize_with = "optional_text")]
    pub username: Option<String>,
    #[serde(deserialize_with = "optional_text")]
    pub password: Option<Secret>,
    /// Maximum time to hand over one letter.
    #[serde(rename = "timeout_seconds", deserialize_with = "seconds")]
    pub timeout: Duration,
    /// File of certificates to trust beside the usual authorities.
    #[serde(deserialize_with = "optional_text")]
    pub ca_file: Option<PathBuf>,
}

/// The encryption of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Security {
    /// The connection starts in plain text and switches to TLS. It never continues without TLS.
    StartTls,
    /// Encrypted from the first byte.
    Tls,
    /// Not encrypted.
    None,
}

rules! {
    sender: Sender, SENDER, |value| {
        let (name, address) = value.as_str()?.trim().strip_suffix('>')?.rsplit_once('<')?;
        let name = name.trim().trim_matches('"').trim().to_owned();
        (!name.is_empty()).then(|| Sender { name, address: address.to_owned() })
    };
    server_or_empty: String,
        "empty, or the name or address of a mail server, without a scheme or a port",
        |value| text_where(value, |text| {
            let plain = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
            text.chars().all(plain) || text.parse::<IpAddr>().is_ok()
        });
    seconds: Duration, "a whole number from 1 to 600", |value| {
        let seconds = u64::try_from(value.as_integer()?).ok()?;
        (1..=600).contains(&seconds).then(|| Duration::from_secs(seconds))
    };
    security: Security, "one of starttls, tls, none", by_name;
}

const SENDER: &str = "a name and an address, such as Example Cover <help@cover.example.org>";

impl MailSettings {
    /// Fills in values from other sections and the default port, and checks the result.
    pub(super) fn complete(
        &mut self,
        site: &SiteSettings,
        public_url: Option<&WebOrigin>,
        settings: &Settings,
    ) -> Result<(), ConfigError> {
        self.from.name = site.fill(&self.from.name);
        self.from.address = site.fill(&self.from.address);
        if !self.from.is_usable() {
            return Err(settings.invalid("mail.from", SENDER));
        }
        let (_, sender_host) = self.from.address.rsplit_once('@').unwrap_or_default();
        self.host = public_url.map_or(sender_host, WebOrigin::host).to_owned();
        if let Some(smtp) = &mut self.smtp {
            if smtp.username.is_some() != smtp.password.is_some() {
                return Err(ConfigError::Conflict(
                    "mail.smtp.username and mail.smtp.password must both be given, or neither",
                ));
            }
            if smtp.port == 0 {
                smtp.port = smtp.security.usual_port();
            }
        }
        self.smtp.take_if(|smtp| smtp.host.is_empty());
        Ok(())
    }

    /// Rejects settings of a mail server that production mode forbids. Letters must be encrypted on the
    /// network, and customers must be able to reply to the sender.
    pub(super) fn check_production(&self, mistakes: &mut Mistakes) {
        let Some(smtp) = &self.smtp else {
            return mistakes.refuse_if(
                !self.none,
                "mail.smtp.host must name a mail server when mode is production: with mail.none = true \
                 customers get no letters, not even links",
            );
        };
        mistakes.refuse_if(
            smtp.security == Security::None && !is_loopback(&smtp.host),
            "mail.smtp.security must not be none when mode is production, except for a mail \
             server on this very machine",
        );
        // Nobody can own a domain under `.example` (RFC 2606), so no reply would arrive.
        mistakes.refuse_if(
            self.from.address.to_ascii_lowercase().ends_with(".example"),
            "mail.from (or site.email, which it is made of) must be an address of your own \
             when mode is production: the sample's can't be answered",
        );
    }
}

impl Sender {
    /// Returns whether the name and the address can be used. The address must be ASCII, because some mail
    /// servers accept no other characters.
    fn is_usable(&self) -> bool {
        !self.name.contains(char::is_control)
            && self.address.is_ascii()
            && self.address.parse::<lettre::Address>().is_ok()
    }
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

fn is_loopback(host: &str) -> bool {
    let numeric = host.parse::<IpAddr>();
    numeric.map_or(host.eq_ignore_ascii_case("localhost"), |ip| {
        ip.is_loopback()
    })
}
