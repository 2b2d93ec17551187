//! The shop's gateways: the gateways for new sales, and the gateways that the shop services.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Semaphore, SemaphorePermit, TryAcquireError};

use crate::app::payments::sandbox::books::Sandbox;
use crate::clock::Clock;
use crate::config::{Config, GlobalPaymentsSettings, SmartpayFuseSettings, WebOrigin};
use crate::domain::payment::Mode;
use crate::integrations::http;
use crate::integrations::payments::globalpayments::{
    GlobalPaymentsClient, GlobalPaymentsGateway, GpApp,
};
use crate::integrations::payments::smartpayfuse::{
    PageKeys, RestKey, SmartpayFuseClient, SmartpayFuseGateway,
};
use crate::integrations::payments::stripe::{StripeClient, StripeGateway};
use crate::integrations::payments::{Gateway, GatewayError, RetryPolicy};

/// Maximum number of jobs of a gateway at the same time. The worker runs more jobs than all gateways together
/// may have, so slow gateways delay no other job.
const MAX_JOBS: usize = 4;
/// Maximum number of queries of waiting pages to one gateway at the same time.
const MAX_POLLS: usize = 2;

pub(in crate::app) struct Gateways {
    /// Gateways that the shop calls about stored attempts.
    serviced: Vec<Arc<dyn Gateway>>,
    /// Names of the gateways that new sales use, the preferred one first.
    offered: Vec<&'static str>,
    /// The places for jobs of each gateway outside this process.
    job_places: HashMap<&'static str, Semaphore>,
    /// The places for queries of waiting pages. Their number is limited, so that waiting pages do
    /// not delay new payments.
    poll_places: HashMap<&'static str, Semaphore>,
    /// Names of gateways that a stored attempt needs but that the shop does not service. Each name was
    /// logged.
    missing: Mutex<HashSet<String>>,
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
    let rest_key = RestKey {
        merchant_id: settings.rest_merchant_id.clone(),
        id: settings.rest_key.clone(),
        secret: settings.rest_secret.clone(),
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

/// Checks the keys of every gateway that has keys. The check changes nothing at the gateway. Returns the
/// names of these gateways, and the names of the settings that no check can try.
///
/// # Errors
/// If no HTTP client can be created. If a gateway refuses its keys or the keys can't be checked: the
/// text names the first such gateway.
pub async fn check_keys(config: &Config) -> Result<(Vec<&'static str>, Vec<String>), String> {
    let http = http::client(config.payments.ca_file.as_deref());
    let http = http.map_err(|error| format!("gateways can't be called: {error}"))?;
    let (mut good, mut untested) = (Vec::new(), Vec::new());
    for gateway in with_keys(config, &http, &config.clock()) {
        let name = gateway.name();
        match gateway.check_keys().await {
            Ok(()) => {
                good.push(name);
                let names = gateway.capabilities().untested_settings.iter();
                untested.extend(names.map(|setting| format!("payments.{name}.{setting}")));
            }
            Err(GatewayError::Refused(why)) => {
                return Err(format!("the keys of {name} don't work: {why}"));
            }
            Err(error) => return Err(format!("the keys of {name} could not be tried: {error}")),
        }
    }
    Ok((good, untested))
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
        let places = |limit| {
            let all = serviced.iter();
            all.map(|gateway| (gateway.name(), Semaphore::new(limit)))
                .collect()
        };
        let (job_places, poll_places) = (places(MAX_JOBS), places(MAX_POLLS));
        if !config.is_production() {
            serviced.push(sandbox.clone());
        }
        let offered = config.payments.gateways.iter().map(|one| one.name());
        let is_there = |name: &&str| serviced.iter().any(|gateway| gateway.name() == *name);
        Self {
            offered: offered.filter(is_there).collect(),
            serviced,
            job_places,
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

    /// Reserves a place for a job of the gateway `name`. Returns `None` if the gateway has no limit.
    ///
    /// # Errors
    /// If other jobs have all places of the gateway.
    pub(in crate::app) fn reserve_job_place(
        &self,
        name: &str,
    ) -> Result<Option<SemaphorePermit<'_>>, TryAcquireError> {
        let places = self.job_places.get(name);
        places.map(Semaphore::try_acquire).transpose()
    }

    /// Reserves a place for a query of a waiting page. Returns `None` if the gateway has no limit.
    ///
    /// # Errors
    /// If other queries have all places of the gateway.
    pub(in crate::app) fn reserve_poll_place(
        &self,
        name: &str,
    ) -> Result<Option<SemaphorePermit<'_>>, TryAcquireError> {
        let places = self.poll_places.get(name);
        places.map(Semaphore::try_acquire).transpose()
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
