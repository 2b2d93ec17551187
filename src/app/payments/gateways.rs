//! The shop's gateways: those offered to new sales, and those serviced for stored attempts.

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
    /// Gateways whose attempts are followed to the end.
    serviced: Vec<Arc<dyn Gateway>>,
    /// Names of the gateways that new sales use, the preferred one first.
    offered: Vec<&'static str>,
    /// Gateways that stored attempts need and that have no keys. Each is stored here once it was
    /// logged.
    missing: Mutex<HashSet<String>>,
}

/// Returns the gateways that have keys in the settings.
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

/// Checks the keys of every gateway that has keys, without changing anything there. Returns the
/// names of these gateways.
///
/// # Errors
/// Names the first gateway that refuses its keys, or whose keys could not be checked.
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
    /// Creates the gateways that the settings offer or have keys for. The sandbox takes no money,
    /// so a production shop does not have it.
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

    /// Returns the names of the gateways that new sales use.
    pub(in crate::app) fn offered(&self) -> &[&'static str] {
        &self.offered
    }

    /// Replaces the serviced gateway of the same name with `gateway`.
    pub(in crate::app) fn replace(&mut self, gateway: Arc<dyn Gateway>) {
        self.serviced.retain(|other| other.name() != gateway.name());
        self.serviced.push(gateway);
    }

    /// Returns the gateway `name` if it is serviced.
    pub(in crate::app) fn find(&self, name: &str) -> Option<&dyn Gateway> {
        let mut all = self.serviced.iter();
        all.find(|gateway| gateway.name() == name)
            .map(AsRef::as_ref)
    }

    /// Returns the gateway `name` if new sales use it.
    pub(in crate::app) fn offered_as(&self, name: &str) -> Option<&dyn Gateway> {
        self.find(name).filter(|_| self.offered.contains(&name))
    }

    /// Logs once that stored attempts need a gateway without keys.
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
