//! Settings of Global Payments (GP API).

use serde::Deserialize;

use crate::config::address::WebOrigin;
use crate::config::rules::{
    api_url_or_empty, number_between, rules, secret_or_empty, text_where, word_or_empty,
};
use crate::config::settings::Settings;
use crate::config::source::Mistakes;
use crate::secret::Secret;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GlobalPaymentsSettings {
    #[serde(deserialize_with = "word_or_empty")]
    pub app_id: String,
    /// The app's key, which signs our calls and the gateway's messages.
    #[serde(deserialize_with = "secret_or_empty")]
    pub app_key: Secret,
    /// The name of the account for payments on the hosted page.
    #[serde(deserialize_with = "word_or_empty")]
    pub account_name: String,
    /// The country of the account, two capital letters.
    #[serde(deserialize_with = "country")]
    pub country: String,
    /// The address of the GP API, without a slash at its end.
    #[serde(deserialize_with = "api_url_or_empty")]
    pub api_url: String,
    /// Whether the app belongs to the sandbox, which moves no money.
    pub test: bool,
    /// Working days within which a payout settles a payment. Later it is listed as late.
    #[serde(deserialize_with = "number_between::<1, 30, _, _>")]
    pub payout_working_days: u32,
}

/// Addresses of the GP API: live, sandbox, and live for accounts whose data stays in the EU.
const LIVE: &str = "https://apis.globalpay.com/ucp";
const SANDBOX: &str = "https://apis.sandbox.globalpay.com/ucp";
const LIVE_EU: &str = "https://apis.eu.globalpay.com/ucp";

rules! {
    country: String, "two capital letters, such as GB",
        |value| text_where(value, |text| {
            text.len() == 2 && text.chars().all(|c| c.is_ascii_uppercase())
        });
}

impl GlobalPaymentsSettings {
    pub(super) fn has_keys(&self) -> bool {
        !self.app_id.is_empty()
    }

    /// Fills in the default address. Rejects a section without the app's key or the account's name.
    pub(super) fn complete(&mut self, settings: &Settings, mistakes: &mut Mistakes) {
        for (name, is_missing) in [
            ("app_key", self.app_key.expose().is_empty()),
            ("account_name", self.account_name.is_empty()),
        ] {
            if is_missing {
                let key = format!("payments.globalpayments.{name}");
                let rule = "given when payments.globalpayments.app_id is";
                mistakes.note::<()>(Err(settings.invalid(&key, rule)));
            }
        }
        if self.api_url.is_empty() {
            self.api_url = if self.test { SANDBOX } else { LIVE }.to_owned();
        }
    }

    /// Rejects the sandbox, and every address other than the two live addresses.
    pub(super) fn check_production(&self, mistakes: &mut Mistakes) {
        mistakes.refuse_if(
            self.test,
            "payments.globalpayments.test must be false when mode is production: the sandbox \
             takes no money",
        );
        mistakes.refuse_if(
            !self.test && ![LIVE, LIVE_EU].contains(&self.api_url.as_str()),
            "payments.globalpayments.api_url must be empty when mode is production, or \
             https://apis.eu.globalpay.com/ucp",
        );
    }

    /// Returns the origins of the hosted page: of the link, and of the page to which the link redirects.
    #[must_use]
    pub fn page_hosts(&self) -> Vec<String> {
        let page = if self.test {
            "https://pay.sandbox.realexpayments.com"
        } else {
            "https://pay.realexpayments.com"
        };
        let link = WebOrigin::parse(&self.api_url);
        let link = link.map(|origin| origin.as_str().to_owned());
        link.into_iter().chain([page.to_owned()]).collect()
    }
}
