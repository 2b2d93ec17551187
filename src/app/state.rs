//! [`App`]: everything that a use case needs.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::accounts;
use crate::app::disk_space::DiskSpace;
use crate::app::documents::DocumentRenderer;
use crate::app::error::AppError;
use crate::app::letters::Letters;
use crate::app::letters::delivery::sending::InFlight;
use crate::app::limits::Counts;
use crate::app::payments::sandbox::books::Sandbox;
use crate::app::payments::{Gateways, PageTurns};
use crate::app::products::ProductRegistry;
use crate::clock::Clock;
use crate::config::Config;
use crate::domain::account::person::Person;
use crate::integrations::blobs::BlobStore;
use crate::integrations::http;
use crate::integrations::lookup::Lookups;
use crate::integrations::mail::Mailer;
use crate::integrations::payments::Gateway;
use crate::metrics;
use crate::store::{Store, StoreError, tables};

/// How many lists are read at the same time, each on a thread of its own.
const LISTS_AT_ONCE: usize = 4;

/// Everything a use case needs.
pub struct App {
    /// Settings.
    pub config: Config,
    /// The store.
    pub store: Store,
    /// The contents of documents.
    pub contents: BlobStore,
    /// The time.
    pub clock: Clock,
    /// The products on sale.
    pub products: ProductRegistry,
    /// Address every link begins with, without a slash at its end.
    pub public_url: String,
    /// Address at which this process reaches itself, without a slash at its end.
    pub local_url: String,
    /// Wakes the job runner when work was added.
    pub work_added: Arc<tokio::sync::Notify>,
    pub(in crate::app) http: reqwest::Client,
    pub(in crate::app) gateways: Gateways,
    pub(in crate::app) lookups: Lookups,
    /// The sandbox gateway, which only a shop in development mode services.
    pub sandbox: Arc<Sandbox>,
    /// Checks and hashes passwords.
    pub passwords: accounts::Passwords,
    /// The lists and details of a person.
    pub person: Person,
    pub(in crate::app) device_secret: String,
    /// Tells this store from others, to those who share a place of documents by mistake.
    pub(in crate::app) store_id: String,
    pub(in crate::app) counts: Counts,
    pub(in crate::app) page_turns: PageTurns,
    pub(in crate::app) lists: Arc<tokio::sync::Semaphore>,
    pub(in crate::app) mailer: Mailer,
    pub(in crate::app) letters: Letters,
    pub(in crate::app) letters_in_flight: InFlight,
    pub(in crate::app) last_gateway_syncs: Mutex<HashMap<Uuid, DateTime<Utc>>>,
    pub(in crate::app) printing: DocumentRenderer,
    pub(crate) disk_space: DiskSpace,
    /// Whether this process was told to stop.
    is_draining: AtomicBool,
    /// Why the clock can't be relied on, as was last seen.
    wrong_clock: Mutex<Option<StoreError>>,
    /// Held by who looks around: one connection is enough for all who want to know.
    cluster_refresh: tokio::sync::Mutex<()>,
}

fn mailer(config: &Config) -> Result<Mailer, AppError> {
    Mailer::new(&config.mail, &config.server.data)
        .map_err(|error| AppError::internal("the mailer could not be made", error))
}

fn letters(config: &Config, public_url: &str) -> Result<Letters, AppError> {
    Letters::new(&config.site, public_url, config.mail.templates.as_deref())
        .map_err(|error| AppError::internal("mail.templates can't be used", error))
}

impl App {
    /// Puts the parts together: registers the product files in the store and makes the
    /// secrets this store hasn't got yet.
    ///
    /// # Errors
    /// When the store fails, or a product file's bytes changed under the same version.
    pub async fn new(
        config: Config,
        store: Store,
        contents: BlobStore,
        clock: Clock,
        catalogue: crate::products::Catalogue,
        public_url: String,
        local_url: String,
    ) -> Result<Self, AppError> {
        let products = ProductRegistry::register(&store, catalogue).await?;
        let sandbox_secret = match &config.payments.sandbox.secret {
            Some(set) => set.expose().to_string(),
            None => store_secret(&store, "sandbox").await?,
        };
        let http = http::client(config.payments.ca_file.as_deref())
            .map_err(|error| AppError::internal("the HTTP client could not be made", error))?;
        let passwords = accounts::Passwords::new(config.accounts.hashing_threads);
        let device_secret = store_secret(&store, "device").await?;
        let store_id = store_secret(&store, "store id").await?;
        let mailer = mailer(&config)?;
        let letters = letters(&config, &public_url)?;
        let work_added = Arc::new(tokio::sync::Notify::new());
        let sandbox = Sandbox::new(
            store.clone(),
            clock.clone(),
            work_added.clone(),
            sandbox_secret,
        );
        let sandbox = Arc::new(sandbox);
        let gateways = Gateways::from_settings(&config, &sandbox, &http, &clock);
        let lookups = Lookups::from_settings(&config.lookup, &http);
        let printing = DocumentRenderer::new(config.documents.templates.clone());
        Ok(Self {
            disk_space: DiskSpace::new(&config.server),
            config,
            store,
            contents,
            clock,
            products,
            public_url,
            local_url,
            work_added,
            http,
            gateways,
            lookups,
            sandbox,
            passwords,
            person: Person::built_in()
                .map_err(|error| AppError::internal("person.toml can't be read", error))?,
            device_secret,
            store_id,
            counts: Counts::new(),
            page_turns: PageTurns::default(),
            lists: Arc::new(tokio::sync::Semaphore::new(LISTS_AT_ONCE)),
            mailer,
            letters,
            letters_in_flight: InFlight::default(),
            last_gateway_syncs: Mutex::default(),
            printing,
            is_draining: AtomicBool::new(false),
            wrong_clock: Mutex::default(),
            cluster_refresh: tokio::sync::Mutex::default(),
        })
    }

    /// Whether letters can be written and sent as the settings say; nothing is sent, and no folder is made.
    ///
    /// # Errors
    /// When they can't, with the first mistake in a template.
    pub fn check_settings(config: &Config) -> Result<(), AppError> {
        let letters = letters(config, "")?;
        if config.mail.templates.is_some() {
            let checked = letters.check();
            checked.map_err(|error| AppError::internal("mail.templates can't be used", error))?;
        }
        match &config.mail.smtp {
            Some(_) => mailer(config).map(drop),
            None => Ok(()),
        }
    }

    /// Services `gateway` in place of the one of its name: a test's may do less than the sandbox.
    pub fn replace_gateway(&mut self, gateway: Arc<dyn Gateway>) {
        self.gateways.replace(gateway);
    }

    /// Says that this process was told to stop: to whoever asks whether it is ready, and to shops that
    /// join. What was begun is finished.
    pub fn drain(&self) {
        self.is_draining.store(true, Ordering::Relaxed);
        if let Err(error) = self.store.drain() {
            tracing::warn!(%error, "the other shops were not notified that this one stops");
        }
    }

    /// Whether it was told to stop.
    #[must_use]
    pub fn is_draining(&self) -> bool {
        self.is_draining.load(Ordering::Relaxed)
    }

    /// Whether the store can be read and written, and is of this program's schema.
    ///
    /// # Errors
    /// When it can't.
    pub async fn is_ready(&self) -> Result<(), AppError> {
        Ok(self.store.is_ready().await?)
    }

    /// Has the store opened at once if the process is killed, after a busy time.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn checkpoint_store(&self) -> Result<(), AppError> {
        Ok(self.store.checkpoint().await?)
    }

    /// Counts the shops that serve the store, of which each has its share of some limits, and compares
    /// the clock with that of their database, or with the newest write of the store's file.
    ///
    /// # Errors
    /// When the store fails. What was last seen of the clock holds on.
    pub async fn refresh_cluster_state(&self) -> Result<(), AppError> {
        let _turn = self.cluster_refresh.lock().await;
        let wrong = self
            .store
            .refresh_cluster_state(&self.clock)
            .await?
            .map(StoreError::from);
        let wrong = wrong.or_else(|| self.store.wrong_clock().map(StoreError::from));
        if let Some(node) = self.store.node() {
            metrics::nodes(node, self.store.nodes());
        }
        let before = std::mem::replace(&mut *self.lock_clock_error(), wrong.clone());
        match (before, wrong) {
            (None, Some(why)) => {
                tracing::error!(error = %why, "no write and no job starts until the clock is right")
            }
            (Some(_), None) => tracing::warn!("the clock is right again, and jobs continue"),
            _ => {}
        }
        Ok(())
    }

    /// Why the clock can't be relied on: nothing is changed and no work is begun meanwhile, and others
    /// should be sent the visitors.
    #[must_use]
    pub fn wrong_clock(&self) -> Option<StoreError> {
        match self.lock_clock_error().clone() {
            Some(why @ StoreError::Database(_)) => Some(why),
            // A file's guard is asked anew: it costs nothing.
            _ => self.store.wrong_clock().map(StoreError::from),
        }
    }

    fn lock_clock_error(&self) -> MutexGuard<'_, Option<StoreError>> {
        self.wrong_clock
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Percent of the store that are in order while it is being repaired.
    #[must_use]
    pub fn percent_repaired(&self) -> Option<u8> {
        self.store.repair().percent()
    }
}

/// The store's secret called `name`, made the first time.
async fn store_secret(store: &Store, name: &'static str) -> Result<String, AppError> {
    let secret = crate::secret::Token::random()?;
    store
        .write(move |tx| {
            if let Some(secret) = tables::SECRETS.get(tx, &name.to_string())? {
                return Ok(secret);
            }
            let secret = secret.expose().to_string();
            tables::SECRETS.put(tx, &name.to_string(), &secret)?;
            Ok(secret)
        })
        .await
}
