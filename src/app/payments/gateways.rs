//! The gateways of this shop: those that new sales use, and those that are serviced.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use crate::app::payments::sandbox::books::Sandbox;
use crate::clock::Clock;
use crate::config::Config;
use crate::integrations::http;
use crate::integrations::payments::stripe::{RetryPolicy, StripeClient, StripeGateway};
use crate::integrations::payments::{Gateway, GatewayError};

/// The gateways of this shop.
pub(in crate::app) struct Gateways {
    /// Those whose attempts are followed to the end.
    serviced: Vec<Arc<dyn Gateway>>,
    /// Names of those that new sales use, the preferred one first.
    offered: Vec<&'static str>,
    /// Names of gateways that stored attempts need and that have no section, once each was logged.
    missing: Mutex<HashSet<String>>,
}

/// The gateways that have keys in the settings.
fn with_keys(config: &Config, http: &reqwest::Client, clock: &Clock) -> Vec<Arc<dyn Gateway>> {
    let mut all: Vec<Arc<dyn Gateway>> = Vec::new();
    if let Some(stripe) = &config.payments.stripe {
        let (key, secrets) = (stripe.secret_key.clone(), stripe.webhook_secrets.clone());
        let address = stripe.api_url.as_str();
        let client = StripeClient::new(http.clone(), address, key, RetryPolicy::default());
        all.push(Arc::new(StripeGateway::new(client, secrets, clock.clone())));
    }
    all
}

/// Tries the keys of every gateway that has some, without changing anything there. Answers the names of
/// these gateways.
///
/// # Errors
/// The first gateway that refuses its keys, or of which that could not be learned.
pub async fn check_keys(config: &Config) -> Result<Vec<&'static str>, String> {
    let http = http::client(config.payments.ca_file.as_deref());
    let http = http.map_err(|error| format!("gateways can't be called: {error}"))?;
    let mut good = Vec::new();
    for gateway in with_keys(config, &http, &config.clock()) {
        let name = gateway.name();
        match gateway.check_keys().await {
            Ok(()) => good.push(name),
            Err(GatewayError::Refused(why)) => {
                return Err(format!("the keys of {name} don't work: {why}"));
            }
            Err(error) => return Err(format!("the keys of {name} could not be tried: {error}")),
        }
    }
    Ok(good)
}

impl Gateways {
    /// Those that the settings name or have keys for. The sandbox takes no money, so it is none of a real
    /// shop's.
    pub(in crate::app) fn from_settings(
        config: &Config,
        sandbox: &Arc<Sandbox>,
        http: &reqwest::Client,
        clock: &Clock,
    ) -> Self {
        let mut serviced = with_keys(config, http, clock);
        if !config.is_production() {
            serviced.push(sandbox.clone());
        }
        let offered = config.payments.gateways.iter().map(|one| one.name());
        let is_there = |name: &&str| serviced.iter().any(|gateway| gateway.name() == *name);
        Self {
            offered: offered.filter(is_there).collect(),
            serviced,
            missing: Mutex::default(),
        }
    }

    /// The names of those that new sales use.
    pub(in crate::app) fn offered(&self) -> &[&'static str] {
        &self.offered
    }

    /// Services `gateway` in place of the one of its name.
    pub(in crate::app) fn replace(&mut self, gateway: Arc<dyn Gateway>) {
        self.serviced.retain(|other| other.name() != gateway.name());
        self.serviced.push(gateway);
    }

    /// The gateway called `name`, if it is serviced.
    pub(in crate::app) fn find(&self, name: &str) -> Option<&dyn Gateway> {
        let mut all = self.serviced.iter();
        all.find(|gateway| gateway.name() == name)
            .map(AsRef::as_ref)
    }

    /// The gateway called `name`, if new sales use it.
    pub(in crate::app) fn offered_as(&self, name: &str) -> Option<&dyn Gateway> {
        self.find(name).filter(|_| self.offered.contains(&name))
    }

    /// Says in the log, once, that stored attempts need a gateway without a section.
    pub(in crate::app) fn note_missing(&self, name: &str) {
        let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
        if missing.insert(name.to_owned()) {
            tracing::error!(
                gateway = name,
                "stored payments are of a gateway without keys in the settings: what becomes of them is not learned, and no money goes back"
            );
        }
    }
}
