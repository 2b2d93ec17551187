//! The operator's settings: the built-in `config.toml`, overridden by a file, the environment and flags.
//! `config.toml` describes each key. This module defines the type and the allowed values of each key.

mod address;
mod backup;
mod documents;
mod layers;
mod limits;
mod lookup;
mod mail;
mod partners;
mod payments;
mod rules;
mod samples;
mod sections;
mod settings;
mod source;
mod store;

use std::mem;

use chrono::{DateTime, Utc};
use serde::Deserialize;

pub use self::address::{Network, WebOrigin, client_address, client_network, is_own_path};
pub use self::backup::BackupSettings;
pub use self::documents::{Bucket, DocumentPlace, DocumentSettings};
use self::layers::CLOCK;
pub use self::layers::{INSTALLED_FILE, Layers};
pub use self::limits::{LimitSettings, Retention};
pub use self::lookup::{AddressSource, DvsaSettings, LookupKey, LookupSettings, VehicleSource};
pub use self::mail::{MailSettings, Security, Sender, Smtp};
pub use self::partners::Partner;
pub use self::payments::{
    EncryptionCertificate, GatewayName, GlobalPaymentsSettings, PaymentSettings, SandboxSettings,
    SmartpayFuseSettings, StripeSettings,
};
pub use self::sections::{
    AccountSettings, Cookies, CreditGrantor, ExternalDocument, Links, Log, LogFormat, Mode,
    MonthlySettings, PasswordRule, ProductSettings, RatingBadge, ServerSettings, SiteSettings,
    TagManager,
};
use self::settings::Settings;
use self::source::Mistakes;
pub use self::source::{ConfigError, SettingSource};
pub use self::store::{StoreSettings, is_database};
use crate::clock::Clock;

/// Every setting, checked.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Whether the shop is a trial or has real customers.
    #[serde(deserialize_with = "sections::mode")]
    pub mode: Mode,
    /// The server's address, limits and data folder.
    pub server: ServerSettings,
    /// The location and the cache of the store.
    pub store: StoreSettings,
    /// The level and format of the log.
    pub log: Log,
    /// What the website shows about the shop.
    pub site: SiteSettings,
    /// The cookie that stores the visitor's choice about cookies.
    pub cookies: Cookies,
    /// The tag manager. `None` outside production mode, because only a production shop may load a tag
    /// manager.
    pub tag_manager: Option<TagManager>,
    /// Log-ins and passwords.
    pub accounts: AccountSettings,
    /// Look-ups of vehicles and addresses.
    pub lookup: LookupSettings,
    /// Limits of requests, for one client and for all clients together.
    pub limits: LimitSettings,
    /// Retention periods of drafts, of quotes without an account, and of partners' requests.
    pub retention: Retention,
    /// Letters to customers.
    pub mail: MailSettings,
    /// Aggregator partners.
    pub partners: Vec<Partner>,
    /// The operator's own products, and the products on sale.
    pub products: ProductSettings,
    /// Who grants the credit of monthly payment.
    pub monthly: MonthlySettings,
    /// Templates and storage of documents.
    pub documents: DocumentSettings,
    /// The daily backup.
    pub backup: BackupSettings,
    pub payments: PaymentSettings,
    /// Environment variables that a container service set. These variables look like settings and have no
    /// effect.
    #[serde(skip)]
    pub ignored_variables: Vec<String>,
    /// The secrets in a settings file that every user of this machine may read.
    #[serde(skip)]
    pub exposed_secrets: Vec<&'static str>,
    /// The time that the shop's clock shows at the start of the process. `None` for the system's clock.
    #[serde(skip)]
    pub clock_start: Option<DateTime<Utc>>,
}

impl Config {
    /// Merges and checks the settings. Reads the files that contain secrets of gateways.
    ///
    /// # Errors
    /// For all settings together that are unknown, of the wrong type, out of range, or in conflict.
    /// If a settings file is not TOML, or a secret's file can't be read. For sample texts in production
    /// mode.
    pub fn load(layers: &Layers) -> Result<Self, ConfigError> {
        let mut settings = Settings::merge(layers)?;
        let read = settings.read::<Self>();
        let mut mistakes = mem::take(&mut settings.mistakes);
        let Some(mut config) = mistakes.note(read) else {
            mistakes.into_result()?;
            return Err(ConfigError::Conflict("the settings can't be read"));
        };
        config.clock_start = mistakes.note(clock_start(layers)).flatten();
        let production = config.is_production();
        let Self {
            server,
            site,
            mail,
            payments,
            ..
        } = &mut config;
        site.footer = site.footer.iter().map(|text| site.fill(text)).collect();
        site.complaints = site.fill(&site.complaints);
        mistakes.note(mail.complete(site, server.public_url.as_ref(), &settings));
        payments.complete(&settings, &mut mistakes);
        mistakes.note(Partner::check_unique(&config.partners, &settings));
        let tags = config.tag_manager.take().map(TagManager::complete);
        config.tag_manager = mistakes.note(tags.transpose()).flatten().flatten();
        config.lookup.complete(production, &mut mistakes);
        config.check_combinations(&mut mistakes);
        if production {
            let has_badge = config.site.rating_badge.is_some();
            mistakes.note(samples::refuse_samples(&settings, has_badge));
        } else {
            config.tag_manager = None;
        }
        mistakes.into_result()?;
        if layers.is_file_public {
            config.exposed_secrets = settings.secrets_in_file();
        }
        config.ignored_variables = settings.ignored;
        Ok(config)
    }

    /// Returns a line for each setting, with its value and its source. Hides secrets. Checks neither values nor
    /// combinations.
    ///
    /// # Errors
    /// If a settings file is not TOML, has an unknown key or a value of the wrong type, or if a secret's file
    /// can't be read.
    pub fn describe(layers: &Layers) -> Result<Vec<String>, ConfigError> {
        let mut settings = Settings::merge(layers)?;
        mem::take(&mut settings.mistakes).into_result()?;
        Ok(settings.lines())
    }

    /// Checks settings that are valid alone but not together, or not in production mode.
    fn check_combinations(&self, mistakes: &mut Mistakes) {
        self.store.check_combinations(mistakes);
        self.documents
            .check_combinations(self.store.url.is_some(), mistakes);
        let rule = &self.accounts.password;
        mistakes.refuse_if(
            rule.min_length > rule.max_length,
            "accounts.password.min_length must not be above max_length",
        );
        if !self.is_production() {
            return;
        }
        let public_url = self.server.public_url.as_ref();
        mistakes.refuse_if(
            !public_url.is_some_and(WebOrigin::is_https),
            "server.public_url must be an https:// address when mode is production",
        );
        self.payments.check_production(mistakes);
        self.mail.check_production(mistakes);
        self.documents.check_production(mistakes);
        self.server.check_production(mistakes);
        mistakes.refuse_if(
            self.clock_start.is_some(),
            "LAYBY_CLOCK is refused when mode is production",
        );
    }

    /// Returns whether real customers use this shop.
    #[must_use]
    pub fn is_production(&self) -> bool {
        self.mode == Mode::Production
    }

    /// Returns the system's clock. If `LAYBY_CLOCK` is set, returns a clock that shows that time now and
    /// runs from there.
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.clock_start
            .map_or_else(Clock::system, Clock::starting_at)
    }
}

fn clock_start(layers: &Layers) -> Result<Option<DateTime<Utc>>, ConfigError> {
    let value = layers.env.iter().rfind(|(name, _)| name == CLOCK);
    let Some((name, text)) = value.filter(|(_, text)| !text.is_empty()) else {
        return Ok(None);
    };
    let start = DateTime::parse_from_rfc3339(text).map_err(|_| {
        let source = SettingSource::Variable(name.clone());
        ConfigError::invalid(CLOCK, "a time such as 2027-10-30T09:00:00Z", source)
    })?;
    Ok(Some(start.to_utc()))
}
