//! Settings of Stripe.

use serde::Deserialize;

use crate::config::address::WebOrigin;
use crate::config::rules::{each, number_between, or_empty, rules, text_where};
use crate::config::settings::Settings;
use crate::config::source::{ConfigError, Mistakes};
use crate::secret::Secret;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StripeSettings {
    /// Secret or restricted key for the shop's calls.
    #[serde(deserialize_with = "key_or_empty")]
    pub secret_key: Secret,
    /// Secrets that may sign webhooks: two secrets while a new secret replaces the old secret.
    #[serde(deserialize_with = "webhook_secrets")]
    pub webhook_secrets: Vec<Secret>,
    #[serde(deserialize_with = "api_url")]
    pub api_url: WebOrigin,
    /// Whether the key belongs to Stripe's test mode, which moves no money.
    pub test: bool,
    /// Working days within which a payout settles a payment. Later it is listed as late.
    #[serde(deserialize_with = "number_between::<1, 30, _, _>")]
    pub payout_working_days: u32,
}

/// Address of Stripe's API, in live mode and in test mode.
const STRIPE: &str = "https://api.stripe.com";

rules! {
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
            let url = or_empty(value, |text| WebOrigin::parse_site(text).filter(WebOrigin::is_private))?;
            url.or_else(|| WebOrigin::parse(STRIPE))
        };
}

fn is_key(text: &str) -> bool {
    let begins = ["sk_live_", "rk_live_", "sk_test_", "rk_test_"];
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    begins.iter().any(|begin| text.starts_with(begin)) && text.chars().all(plain)
}

impl StripeSettings {
    pub(super) fn has_keys(&self) -> bool {
        !self.secret_key.expose().is_empty()
    }

    /// Checks that `test` matches the mode of the key.
    pub(super) fn complete(&mut self, settings: &Settings) -> Result<(), ConfigError> {
        let key = self.secret_key.expose().get(2..);
        let is_test = key.is_some_and(|rest| rest.starts_with("_test_"));
        if self.test == is_test {
            return Ok(());
        }
        Err(settings.invalid(
            "payments.stripe.test",
            "true with a key of Stripe's test mode, and false with a live one",
        ))
    }

    /// Rejects test mode, another API address than Stripe's, and a section without a webhook secret.
    pub(super) fn check_production(&self, mistakes: &mut Mistakes) {
        mistakes.refuse_if(
            self.test,
            "payments.stripe.secret_key must not be a key of Stripe's test mode when mode is \
             production: it takes no money",
        );
        mistakes.refuse_if(
            WebOrigin::parse(STRIPE).is_none_or(|live| live != self.api_url),
            "payments.stripe.api_url must be empty when mode is production: money is taken at \
             https://api.stripe.com alone",
        );
        mistakes.refuse_if(
            self.webhook_secrets.is_empty(),
            "payments.stripe.webhook_secrets must have a secret when mode is production: \
             without one no message of Stripe's can be believed",
        );
    }
}
