//! The gateways of this shop: those that new sales use, and those that are serviced.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use crate::app::payments::sandbox_books::StoreBooks;
use crate::clock::Clock;
use crate::config::Config;
use crate::integrations::gateway::Gateway;
use crate::integrations::gateway::sandbox::Sandbox;
use crate::integrations::gateway::stripe::{Client, Patience, Stripe};

/// The gateways of this shop.
pub(in crate::app) struct Gateways {
    /// Those whose attempts are followed to the end.
    serviced: Vec<Arc<dyn Gateway>>,
    /// Names of those that new sales use, the preferred one first.
    offered: Vec<&'static str>,
    /// Names of gateways that stored attempts need and that have no section, once each was logged.
    missing: Mutex<HashSet<String>>,
}

impl Gateways {
    /// Those that the settings name or have keys for. The sandbox takes no money, so it is none of a real
    /// shop's.
    pub(in crate::app) fn of(
        config: &Config,
        books: &StoreBooks,
        sandbox_secret: &str,
        http: &reqwest::Client,
        clock: &Clock,
    ) -> Self {
        let mut serviced: Vec<Arc<dyn Gateway>> = Vec::new();
        if !config.is_production() {
            let (books, secret) = (Arc::new(books.clone()), sandbox_secret.to_owned());
            serviced.push(Arc::new(Sandbox::new(books, secret, clock.clone())));
        }
        if let Some(stripe) = &config.payments.stripe {
            let (key, secrets) = (stripe.secret_key.clone(), stripe.webhook_secrets.clone());
            let address = stripe.api_url.as_str();
            let client = Client::new(http.clone(), address, key, Patience::default());
            serviced.push(Arc::new(Stripe::new(client, secrets, clock.clone())));
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

    /// The gateway called `name`, if it is serviced.
    pub(in crate::app) fn named(&self, name: &str) -> Option<&dyn Gateway> {
        let mut all = self.serviced.iter();
        all.find(|gateway| gateway.name() == name)
            .map(AsRef::as_ref)
    }

    /// The gateway called `name`, if new sales use it.
    pub(in crate::app) fn offered_as(&self, name: &str) -> Option<&dyn Gateway> {
        self.named(name).filter(|_| self.offered.contains(&name))
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
