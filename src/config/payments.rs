//! Settings of payments: the gateways of new sales, and the keys of each serviced gateway.

use std::path::PathBuf;

use serde::Deserialize;

use super::address::WebOrigin;
use super::rules::{each, optional_text, or_empty, rules, text_where};
use super::settings::Settings;
use super::source::ConfigError;
use crate::secret::Secret;

/// Settings of payments. A gateway is serviced if its section has keys. Then the shop accepts its callbacks,
/// follows open attempts, makes refunds and charges renewals. A gateway can be serviced without new sales.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaymentSettings {
    /// Gateways for new sales, in order of preference.
    #[serde(deserialize_with = "gateways")]
    pub gateways: Vec<GatewayName>,
    /// Certificates to trust for calls to gateways, beside the usual authorities.
    #[serde(deserialize_with = "optional_text")]
    pub ca_file: Option<PathBuf>,
    /// Settings of the sandbox gateway.
    pub sandbox: SandboxSettings,
    /// Settings of Stripe; `None` without a key.
    pub stripe: Option<StripeSettings>,
}

/// Settings of the sandbox gateway.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SandboxSettings {
    /// Secret that signs callbacks. With `None` the store makes and keeps one.
    #[serde(deserialize_with = "optional_text")]
    pub secret: Option<Secret>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StripeSettings {
    /// Secret or restricted key for the shop's calls.
    #[serde(deserialize_with = "key_or_empty")]
    pub secret_key: Secret,
    /// Secrets that may sign webhooks: two while one replaces the other.
    #[serde(deserialize_with = "webhook_secrets")]
    pub webhook_secrets: Vec<Secret>,
    /// Address of Stripe's API.
    #[serde(deserialize_with = "api_url")]
    pub api_url: WebOrigin,
    /// Whether the key belongs to Stripe's test mode, which moves no money.
    pub test: bool,
}

/// Address of Stripe's API, in both of its modes.
const STRIPE: &str = "https://api.stripe.com";

/// A payment gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GatewayName {
    /// The built-in gateway, which moves no real money.
    Sandbox,
    Stripe,
}

impl GatewayName {
    /// Every gateway.
    pub const ALL: [Self; 2] = [Self::Sandbox, Self::Stripe];

    /// Returns the gateway's name in paths, stored rows and settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sandbox => "sandbox",
            Self::Stripe => "stripe",
        }
    }

    /// Returns the gateway with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }

    /// Returns the other hosts of a gateway: of its pages in a frame, or of the target of a form.
    #[must_use]
    pub fn page_hosts(self) -> &'static [&'static str] {
        match self {
            // This process serves the sandbox's page. Stripe's page replaces ours.
            Self::Sandbox | Self::Stripe => &[],
        }
    }
}

rules! {
    gateways: Vec<GatewayName>, "a list of gateways, each once: sandbox, stripe",
        |value| {
            let all = each(value, GatewayName::parse)?;
            let once = |one: &GatewayName| all.iter().filter(|other| *other == one).count() == 1;
            all.iter().all(once).then_some(all)
        };
    key_or_empty: Secret,
        "empty, or a secret or restricted key: it begins with sk_live_, rk_live_, sk_test_ or rk_test_",
        |value| text_where(value, |text| text.is_empty() || is_key(text)).map(Secret::from);
    webhook_secrets: Vec<Secret>, "a list of signing secrets, each of which begins with whsec_",
        |value| each(value, |text| {
            let fits = text.starts_with("whsec_") && text.chars().all(|c| c.is_ascii_graphic());
            fits.then(|| Secret::from(text.to_owned()))
        });
    api_url: WebOrigin, "empty, or an https:// address without a path (or http:// on this machine)",
        |value| {
            let url = or_empty(value, |text| WebOrigin::parse_site(text).filter(is_private))?;
            url.or_else(|| WebOrigin::parse(STRIPE))
        };
}

/// Returns whether nobody on the network can read the data sent to this origin.
pub(super) fn is_private(origin: &WebOrigin) -> bool {
    origin.is_https() || origin.is_this_machine()
}

fn is_key(text: &str) -> bool {
    let begins = ["sk_live_", "rk_live_", "sk_test_", "rk_test_"];
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    begins.iter().any(|begin| text.starts_with(begin)) && text.chars().all(plain)
}

impl StripeSettings {
    fn has_test_key(&self) -> bool {
        self.secret_key
            .expose()
            .get(2..)
            .is_some_and(|rest| rest.starts_with("_test_"))
    }
}

impl PaymentSettings {
    /// Removes the gateways without keys. Checks rules across several settings.
    pub(super) fn complete(&mut self, settings: &Settings) -> Result<(), ConfigError> {
        self.stripe
            .take_if(|stripe| stripe.secret_key.expose().is_empty());
        match &self.stripe {
            Some(stripe) if stripe.test != stripe.has_test_key() => Err(settings.invalid(
                "payments.stripe.test",
                "true with a key of Stripe's test mode, and false with a live one",
            )),
            None if self.gateways.contains(&GatewayName::Stripe) => Err(ConfigError::Conflict(
                "payments.gateways names stripe, and payments.stripe.secret_key is empty",
            )),
            _ => Ok(()),
        }
    }

    /// Rejects settings that take no real money. Rejects Stripe without a webhook secret, because its
    /// webhooks could not be verified.
    pub(super) fn check_production(&self) -> Result<(), ConfigError> {
        let refuse = |why| Err(ConfigError::Conflict(why));
        if self.gateways.contains(&GatewayName::Sandbox) {
            return refuse(
                "payments.gateways must not name sandbox when mode is production: it takes no \
                 money",
            );
        }
        if self.gateways.is_empty() {
            return refuse(
                "payments.gateways must name a gateway that takes money, such as stripe, when mode is \
                 production",
            );
        }
        let Some(stripe) = &self.stripe else {
            return Ok(());
        };
        if stripe.test {
            return refuse(
                "payments.stripe.secret_key must not be a key of Stripe's test mode when mode is \
                 production: it takes no money",
            );
        }
        if WebOrigin::parse(STRIPE).is_none_or(|live| live != stripe.api_url) {
            return refuse(
                "payments.stripe.api_url must be empty when mode is production: money is taken at \
                 https://api.stripe.com alone",
            );
        }
        if stripe.webhook_secrets.is_empty() {
            return refuse(
                "payments.stripe.webhook_secrets must have a secret when mode is production: \
                 without one no message of Stripe's can be believed",
            );
        }
        Ok(())
    }
}
