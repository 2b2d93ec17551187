//! The operator's settings: `config.toml` compiled in, overridden by a file, the environment
//! and flags. What each key means is written there; here is its type and what it may be.

mod address;
mod documents;
mod mail;
mod partners;
mod read;
mod sources;
mod tags;
mod value;

use std::net::SocketAddr;
use std::path::PathBuf;

use chrono::{DateTime, Utc};

pub use self::address::{Network, Origin, client_address, is_own_path};
pub use self::documents::ExternalDocument;
pub use self::mail::{Login, Mail, Security, Sender, Smtp};
pub use self::partners::Partner;
pub use self::sources::{ConfigError, Giver, Sources};
use crate::clock::Clock;
use crate::secret::Secret;

/// Every setting, checked.
#[derive(Clone, Debug)]
pub struct Config {
    /// Whether this is a real shop.
    pub mode: Mode,
    /// Where the server answers and keeps its data.
    pub server: Server,
    /// What is logged, and how.
    pub log: Log,
    /// What the website says about the shop.
    pub site: Site,
    /// The cookie that keeps the visitor's choice about cookies.
    pub cookie_name: String,
    /// The tag manager, if there is one and this is production: nothing else may load it.
    pub tag_manager: Option<TagManager>,
    /// Logging in and passwords.
    pub accounts: Accounts,
    /// Sending letters to customers.
    pub mail: Mail,
    /// Aggregator partners.
    pub partners: Vec<Partner>,
    /// A folder of product files that replace or join the built-in ones.
    pub products_folder: Option<PathBuf>,
    /// A folder of templates that stand in for the built-in ones.
    pub templates_folder: Option<PathBuf>,
    /// Taking payments.
    pub payments: Payments,
    /// When the clock starts, if not now.
    pub clock_start: Option<DateTime<Utc>>,
}

/// Whether this is a real shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Somebody tries it out: plain http and the sandbox gateway are fine.
    Development,
    /// Real customers: https only, no sandbox, no other clock.
    Production,
}

/// Where the server answers and keeps its data.
#[derive(Clone, Debug)]
pub struct Server {
    /// The address to answer on; port 0 picks a free one.
    pub listen: SocketAddr,
    /// Where customers reach the shop, when that isn't the bound loopback address.
    pub public_url: Option<Origin>,
    /// The proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Network>,
    /// Who may read `/metrics`.
    pub operators: Vec<Network>,
    /// The folder of everything the server keeps.
    pub data: PathBuf,
}

impl Server {
    /// What every link, callback and same-origin test is built from, once the port is known.
    #[must_use]
    pub fn public_origin(&self, bound: SocketAddr) -> Origin {
        let given = self.public_url.clone();
        given.unwrap_or_else(|| Origin::of_bound(bound))
    }
}

/// What is logged, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Log {
    /// How a line looks.
    pub format: LogFormat,
    /// The least important level of ours that is still logged.
    pub level: tracing::Level,
}

/// How a line of the log looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// What the website says about the shop.
#[derive(Clone, Debug)]
pub struct Site {
    /// The shop's name.
    pub brand: String,
    /// Who to call.
    pub phone: String,
    /// Who to call after a breakdown, at any hour.
    pub assistance_phone: String,
    /// Who to write to.
    pub email: String,
    /// When the phone is answered.
    pub hours: String,
    /// Regulatory and company-registration sentences.
    pub footer: Vec<String>,
    /// How to complain, and the ombudsman.
    pub complaints: String,
    /// The pages that live outside the shop.
    pub links: Links,
    /// The independent rating, if there is one.
    pub rating_badge: Option<RatingBadge>,
    /// Where letters reach the shop, line by line.
    pub postal_address: Vec<String>,
    /// Documents that live elsewhere and are listed beside every policy's own.
    pub external_documents: Vec<ExternalDocument>,
    /// The address of the frame of customers' reviews, if there is one.
    pub reviews_frame: Option<String>,
}

/// The pages that live outside the shop.
#[derive(Clone, Debug)]
pub struct Links {
    /// Who the shop is.
    pub about_us: String,
    /// Motor insurance.
    pub motor: String,
    /// How to reach the shop.
    pub contact: String,
    /// Terms and conditions.
    pub terms: String,
    /// The privacy notice.
    pub privacy: String,
    /// The cookie notice.
    pub cookies: String,
}

/// An independent rating, as a picture.
#[derive(Clone, Debug)]
pub struct RatingBadge {
    /// A path of this website, or a `data:image/` address.
    pub image: String,
    /// What the picture says.
    pub alt: String,
}

/// A tag manager that runs for visitors who accepted cookies.
#[derive(Clone, Debug)]
pub struct TagManager {
    /// The container's id.
    pub id: String,
    /// The script's address.
    pub src: String,
    /// Every host that it may load from and report to; the script's own comes first.
    pub hosts: Vec<Origin>,
}

/// Logging in and passwords.
#[derive(Clone, Debug)]
pub struct Accounts {
    /// The path of the website where people log in.
    pub sign_on: String,
    /// How long a login lasts, in hours.
    pub session_hours: u32,
    /// How long a login lasts with "remember me", in days.
    pub remember_days: u32,
    /// How many passwords are hashed at once.
    pub hashing_threads: usize,
    /// What a new password must have.
    pub password: PasswordRule,
}

/// What a new password must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PasswordRule {
    /// At least so many characters.
    pub min_length: usize,
    /// At most so many characters.
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

/// Taking payments.
#[derive(Clone, Debug)]
pub struct Payments {
    /// The gateways that are on, the preferred one first.
    pub gateways: Vec<Gateway>,
    /// What the sandbox signs its callbacks with; none means one the store makes and keeps.
    pub sandbox_secret: Option<Secret>,
}

/// A payment gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gateway {
    /// The built-in one, which moves no real money.
    Sandbox,
}

impl Gateway {
    /// Its name in settings and in paths.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sandbox => "sandbox",
        }
    }

    /// The other hosts whose pages it shows in a frame, or that it sends a form to.
    #[must_use]
    pub fn page_hosts(self) -> &'static [&'static str] {
        match self {
            // Its page is served by this very process.
            Self::Sandbox => &[],
        }
    }
}

impl Config {
    /// Merges and checks the settings. Depends on nothing but its argument.
    ///
    /// # Errors
    /// The first setting that is unknown, of the wrong type, or out of its range, or the first
    /// that doesn't go with another.
    pub fn load(sources: &Sources) -> Result<Self, ConfigError> {
        read::config(sources)
    }

    /// Whether real customers use this shop.
    #[must_use]
    pub fn is_production(&self) -> bool {
        self.mode == Mode::Production
    }

    /// The clock that these settings ask for. It starts to run now.
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.clock_start
            .map_or_else(Clock::system, Clock::starting_at)
    }
}
