//! Settings of payments: the gateways of new sales, and the keys of each gateway.

mod globalpayments;
mod message_keys;
mod smartpayfuse;
mod stripe;

use std::path::PathBuf;

use serde::Deserialize;

use super::rules::{each, optional_text, rules};
use super::settings::Settings;
use super::source::Mistakes;
use crate::secret::Secret;

pub use globalpayments::GlobalPaymentsSettings;
pub use message_keys::EncryptionCertificate;
pub use smartpayfuse::SmartpayFuseSettings;
pub use stripe::StripeSettings;

/// Settings of payments. The shop services each gateway whose section has keys, and the sandbox outside
/// production mode. For a serviced gateway, the shop accepts callbacks, queries open attempts, makes
/// refunds and charges renewals. A gateway can be serviced without new sales.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaymentSettings {
    /// Gateways for new sales, in order of preference.
    #[serde(deserialize_with = "gateways")]
    pub gateways: Vec<GatewayName>,
    /// File of certificates to trust for calls to gateways, beside the usual authorities.
    #[serde(deserialize_with = "optional_text")]
    pub ca_file: Option<PathBuf>,
    pub sandbox: SandboxSettings,
    /// Settings of Stripe; `None` without a key.
    pub stripe: Option<StripeSettings>,
    /// Settings of Global Payments; `None` without an app.
    pub globalpayments: Option<GlobalPaymentsSettings>,
    /// Settings of Smartpay Fuse; `None` without a profile.
    pub smartpayfuse: Option<SmartpayFuseSettings>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SandboxSettings {
    /// Secret that signs callbacks. If `None`, the shop creates a secret and stores it.
    #[serde(deserialize_with = "optional_text")]
    pub secret: Option<Secret>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GatewayName {
    /// The built-in gateway, which moves no real money.
    Sandbox,
    Stripe,
    GlobalPayments,
    SmartpayFuse,
}

impl GatewayName {
    pub const ALL: [Self; 4] = [
        Self::Sandbox,
        Self::Stripe,
        Self::GlobalPayments,
        Self::SmartpayFuse,
    ];

    /// Returns the gateway's name in paths, stored rows and settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sandbox => "sandbox",
            Self::Stripe => "stripe",
            Self::GlobalPayments => "globalpayments",
            Self::SmartpayFuse => "smartpayfuse",
        }
    }

    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }
}

/// Working days within which a payout settles a payment of a gateway without settings.
const PAYOUT_WORKING_DAYS: u32 = 3;

rules! {
    gateways: Vec<GatewayName>, "a list of gateways, each once: sandbox, stripe, globalpayments, smartpayfuse",
        |value| {
            let all = each(value, GatewayName::parse)?;
            let once = |one: &GatewayName| all.iter().filter(|other| *other == one).count() == 1;
            all.iter().all(once).then_some(all)
        };
}

impl PaymentSettings {
    /// Removes the gateways without keys, and rejects these gateways for new sales. Completes and checks the
    /// settings of the other gateways.
    pub(super) fn complete(&mut self, settings: &Settings, mistakes: &mut Mistakes) {
        self.stripe.take_if(|stripe| !stripe.has_keys());
        self.globalpayments.take_if(|gateway| !gateway.has_keys());
        self.smartpayfuse.take_if(|gateway| !gateway.has_keys());
        let names = |name| self.gateways.contains(&name);
        mistakes.refuse_if(
            names(GatewayName::Stripe) && self.stripe.is_none(),
            "payments.gateways names stripe, and payments.stripe.secret_key is empty",
        );
        mistakes.refuse_if(
            names(GatewayName::GlobalPayments) && self.globalpayments.is_none(),
            "payments.gateways names globalpayments, and payments.globalpayments.app_id is empty",
        );
        mistakes.refuse_if(
            names(GatewayName::SmartpayFuse) && self.smartpayfuse.is_none(),
            "payments.gateways names smartpayfuse, and payments.smartpayfuse.profile_id is empty",
        );
        if let Some(stripe) = &mut self.stripe {
            mistakes.note(stripe.complete(settings));
        }
        if let Some(gateway) = &mut self.globalpayments {
            gateway.complete(settings, mistakes);
        }
        if let Some(gateway) = &mut self.smartpayfuse {
            gateway.complete(settings, mistakes);
        }
    }

    /// Rejects settings that take no real money, and gateways whose messages could not be verified.
    pub(super) fn check_production(&self, mistakes: &mut Mistakes) {
        mistakes.refuse_if(
            self.gateways.contains(&GatewayName::Sandbox),
            "payments.gateways must not name sandbox when mode is production: it takes no money",
        );
        mistakes.refuse_if(
            self.gateways.is_empty(),
            "payments.gateways must name a gateway that takes money, such as stripe, when mode is \
             production",
        );
        if let Some(stripe) = &self.stripe {
            stripe.check_production(mistakes);
        }
        if let Some(gateway) = &self.globalpayments {
            gateway.check_production(mistakes);
        }
        if let Some(gateway) = &self.smartpayfuse {
            gateway.check_production(mistakes);
        }
    }

    /// Returns the working days within which a payout of the gateway `name` settles a payment.
    #[must_use]
    pub fn payout_working_days(&self, name: &str) -> u32 {
        let days = match GatewayName::parse(name) {
            Some(GatewayName::Stripe) => self.stripe.as_ref().map(|own| own.payout_working_days),
            Some(GatewayName::GlobalPayments) => {
                let own = self.globalpayments.as_ref();
                own.map(|own| own.payout_working_days)
            }
            Some(GatewayName::SmartpayFuse) => {
                let own = self.smartpayfuse.as_ref();
                own.map(|own| own.payout_working_days)
            }
            Some(GatewayName::Sandbox) | None => None,
        };
        days.unwrap_or(PAYOUT_WORKING_DAYS)
    }

    /// Returns the origins that our page may frame or may post a form to. Empty for Stripe, whose page
    /// replaces our page without a form. Empty for the sandbox, whose page this process serves. Empty for a
    /// gateway without keys.
    #[must_use]
    pub fn page_hosts(&self, gateway: GatewayName) -> Vec<String> {
        let hosts = match gateway {
            GatewayName::Sandbox | GatewayName::Stripe => None,
            GatewayName::GlobalPayments => {
                let settings = self.globalpayments.as_ref();
                settings.map(GlobalPaymentsSettings::page_hosts)
            }
            GatewayName::SmartpayFuse => {
                let settings = self.smartpayfuse.as_ref();
                settings.map(SmartpayFuseSettings::page_hosts)
            }
        };
        hosts.unwrap_or_default()
    }
}
