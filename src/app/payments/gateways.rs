//! The shop's gateways: the gateways for new sales, and the gateways that the shop services.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Semaphore, SemaphorePermit, TryAcquireError};

use crate::app::payments::sandbox::books::Sandbox;
use crate::clock::Clock;
use crate::config::{Config, GatewayName, GlobalPaymentsSettings, SmartpayFuseSettings, WebOrigin};
use crate::domain::payment::Mode;
use crate::integrations::http;
use crate::integrations::payments::globalpayments::{
    GlobalPaymentsClient, GlobalPaymentsGateway, GpApp,
};
use crate::integrations::payments::smartpayfuse::{
    MessageKeys, PageKeys, RestKey, SmartpayFuseClient, SmartpayFuseGateway,
};
use crate::integrations::payments::stripe::{StripeClient, StripeGateway};
use crate::integrations::payments::{Gateway, GatewayError, RetryPolicy};

/// Maximum number of jobs of a gateway at the same time. The worker runs more jobs than all gateways together
/// may have, so slow gateways delay no other job.
const MAX_JOBS: usize = 4;
/// Maximum number of charges of instalments of a gateway at the same time.
const MAX_COLLECTIONS: usize = 4;
/// Maximum number of queries of waiting pages to one gateway at the same time.
const MAX_POLLS: usize = 2;

pub(in crate::app) struct Gateways {
    /// Gateways that the shop calls about stored attempts.
    serviced: Vec<Arc<dyn Gateway>>,
    /// Names of the gateways that new sales use, the preferred one first.
    offered: Vec<&'static str>,
    /// The places for jobs.
    pub(in crate::app) job_places: GatewayPlaces,
    /// The places for charges of instalments. A day with many of them delays no job.
    pub(in crate::app) collection_places: GatewayPlaces,
    /// The places for queries of waiting pages. Their number is limited, so that waiting pages do
    /// not delay new payments.
    pub(in crate::app) poll_places: GatewayPlaces,
    /// Names of gateways that a stored attempt needs but that the shop does not service. Each name was
    /// logged.
    missing: Mutex<HashSet<String>>,
}

/// The places for calls to each gateway outside this process.
pub(in crate::app) struct GatewayPlaces(HashMap<&'static str, Semaphore>);

impl GatewayPlaces {
    /// Creates `limit` places for each of `gateways`.
    fn new(gateways: &[Arc<dyn Gateway>], limit: usize) -> Self {
        let places = |gateway: &Arc<dyn Gateway>| (gateway.name(), Semaphore::new(limit));
        Self(gateways.iter().map(places).collect())
    }

    /// Reserves a place at the gateway `name`. Returns `None` if the gateway has no limit.
    ///
    /// # Errors
    /// If others have all places of the gateway.
    pub(in crate::app) fn reserve(
        &self,
        name: &str,
    ) -> Result<Option<SemaphorePermit<'_>>, TryAcquireError> {
        self.0.get(name).map(Semaphore::try_acquire).transpose()
    }
}

/// Returns the gateways that have an adapter, and keys in the settings.
fn with_keys(config: &Config, http: &reqwest::Client, clock: &Clock) -> Vec<Arc<dyn Gateway>> {
    let mut all: Vec<Arc<dyn Gateway>> = Vec::new();
    if let Some(stripe) = &config.payments.stripe {
        let (key, secrets) = (stripe.secret_key.clone(), stripe.webhook_secrets.clone());
        let address = stripe.api_url.as_str();
        let retries = RetryPolicy::default();
        let client = StripeClient::new(http.clone(), address, key, clock.clone(), retries);
        all.push(Arc::new(StripeGateway::new(client, secrets, clock.clone())));
    }
    if let Some(settings) = &config.payments.globalpayments {
        all.push(Arc::new(global_payments(settings, http, clock)));
    }
    if let Some(settings) = &config.payments.smartpayfuse {
        all.push(Arc::new(smartpay_fuse(settings, http, clock)));
    }
    all
}

/// Returns the gateways outside this process.
///
/// # Errors
/// If no HTTP client can be created.
pub(in crate::app) fn keyed_gateways(config: &Config) -> Result<Vec<Arc<dyn Gateway>>, String> {
    let http = http::client(config.payments.ca_file.as_deref());
    let http = http.map_err(|error| format!("gateways can't be called: {error}"))?;
    Ok(with_keys(config, &http, &config.clock()))
}

/// Returns the names of the gateways that a shop with these settings services.
pub(in crate::app) fn serviced_names(config: &Config) -> Vec<&'static str> {
    let payments = &config.payments;
    let all = [
        (GatewayName::Sandbox, !config.is_production()),
        (GatewayName::Stripe, payments.stripe.is_some()),
        (
            GatewayName::GlobalPayments,
            payments.globalpayments.is_some(),
        ),
        (GatewayName::SmartpayFuse, payments.smartpayfuse.is_some()),
    ];
    let serviced = all.into_iter().filter(|(_, is_serviced)| *is_serviced);
    serviced.map(|(name, _)| name.name()).collect()
}

fn global_payments(
    settings: &GlobalPaymentsSettings,
    http: &reqwest::Client,
    clock: &Clock,
) -> GlobalPaymentsGateway {
    let app = GpApp {
        id: settings.app_id.clone(),
        key: settings.app_key.clone(),
        account: settings.account_name.clone(),
        country: settings.country.clone(),
        is_test: settings.test,
    };
    let (address, retries) = (settings.api_url.as_str(), RetryPolicy::default());
    let client = GlobalPaymentsClient::new(http.clone(), address, app, clock.clone(), retries);
    GlobalPaymentsGateway::new(client, clock.clone())
}

fn smartpay_fuse(
    settings: &SmartpayFuseSettings,
    http: &reqwest::Client,
    clock: &Clock,
) -> SmartpayFuseGateway {
    let (certificate, private_key) = (&settings.encryption_certificate, &settings.decryption_key);
    let message_keys = certificate.clone().zip(private_key.clone());
    let rest_key = RestKey {
        merchant_id: settings.rest_merchant_id.clone(),
        id: settings.rest_key.clone(),
        secret: settings.rest_secret.clone(),
        message_keys: message_keys.map(|(certificate, private_key)| MessageKeys {
            certificate,
            private_key,
            id: settings.decryption_key_id.clone(),
        }),
    };
    let (address, retries) = (settings.api_url.as_str(), RetryPolicy::default());
    let client = SmartpayFuseClient::new(http.clone(), address, rest_key, clock.clone(), retries);
    let previous = (&settings.previous_access_key, &settings.previous_secret_key);
    let page_keys = PageKeys {
        profile_id: settings.profile_id.clone(),
        access_key: settings.access_key.clone(),
        secret_key: settings.secret_key.clone(),
        previous: previous.0.clone().zip(previous.1.clone()),
    };
    let origin = settings.page_url.as_ref().map_or("", WebOrigin::as_str);
    let mode = if settings.test {
        Mode::Test
    } else {
        Mode::Live
    };
    let page = (origin, settings.frame);
    SmartpayFuseGateway::new(client, page_keys, page, mode, clock.clone())
}

/// The result of a check of the keys of all gateways.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct KeyCheck {
    /// Names of the gateways whose keys work.
    pub gateways: Vec<&'static str>,
    /// Names of the settings that no check can try.
    pub untested: Vec<String>,
    /// How wrong our clock is by the time of a gateway: `10 minutes ahead`.
    pub clock_errors: Vec<String>,
}

/// Checks the keys of every gateway that has keys. The check changes nothing at the gateway.
///
/// # Errors
/// If no HTTP client can be created. If gateways refuse their keys or the keys can't be checked: the
/// text names all such gateways.
pub async fn check_keys(config: &Config) -> Result<KeyCheck, String> {
    let mut check = KeyCheck::default();
    let mut failures = Vec::new();
    for gateway in keyed_gateways(config)? {
        let name = gateway.name();
        match gateway.check_keys().await {
            Ok(clock_error) => {
                check.gateways.push(name);
                check.clock_errors.extend(clock_error);
                let names = gateway.capabilities().untested_settings.iter();
                let names = names.map(|setting| format!("payments.{name}.{setting}"));
                check.untested.extend(names);
            }
            Err(GatewayError::Refused(why)) => {
                failures.push(format!("the keys of {name} don't work: {why}"));
            }
            Err(error) => failures.push(format!("the keys of {name} could not be tried: {error}")),
        }
    }
    if failures.is_empty() {
        Ok(check)
    } else {
        Err(failures.join("; "))
    }
}

impl Gateways {
    /// Creates the gateways that have an adapter and keys, and the sandbox. The sandbox takes no
    /// money, so a production shop does not have the sandbox.
    pub(in crate::app) fn from_settings(
        config: &Config,
        sandbox: &Arc<Sandbox>,
        http: &reqwest::Client,
        clock: &Clock,
    ) -> Self {
        let mut serviced = with_keys(config, http, clock);
        let job_places = GatewayPlaces::new(&serviced, MAX_JOBS);
        let poll_places = GatewayPlaces::new(&serviced, MAX_POLLS);
        let collection_places = GatewayPlaces::new(&serviced, MAX_COLLECTIONS);
        if !config.is_production() {
            serviced.push(sandbox.clone());
        }
        let offered = config.payments.gateways.iter().map(|one| one.name());
        let is_there = |name: &&str| serviced.iter().any(|gateway| gateway.name() == *name);
        Self {
            offered: offered.filter(is_there).collect(),
            serviced,
            job_places,
            collection_places,
            poll_places,
            missing: Mutex::default(),
        }
    }

    /// Returns the names of the gateways that new sales use, the preferred one first.
    pub(in crate::app) fn offered(&self) -> &[&'static str] {
        &self.offered
    }

    /// Adds the serviced gateway `gateway`, and removes the gateway with the same name.
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

    /// Returns the names of the serviced gateways that store cards.
    pub(in crate::app) fn storing_cards(&self) -> Vec<&'static str> {
        let all = self.serviced.iter();
        let storing = all.filter(|gateway| gateway.capabilities().stores_cards);
        storing.map(|gateway| gateway.name()).collect()
    }

    /// Logs once that a stored attempt needs the gateway `name`, which the shop does not service.
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
