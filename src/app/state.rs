//! [`App`]: all parts that use cases need.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::accounts;
use crate::app::backups::backup;
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

/// Maximum number of lists that are read at the same time, each on a thread of its own.
const LISTS_AT_ONCE: usize = 4;

/// All parts that use cases need.
pub struct App {
    pub config: Config,
    pub store: Store,
    /// The contents of documents.
    pub contents: BlobStore,
    pub clock: Clock,
    /// The products: the versions on sale, and older versions.
    pub products: ProductRegistry,
    /// The address with which every link begins, without a slash at its end.
    pub public_url: String,
    /// The address at which this process reaches itself, without a slash at its end.
    pub local_url: String,
    /// Wakes the job runner after a job was added.
    pub work_added: Arc<tokio::sync::Notify>,
    pub(in crate::app) http: reqwest::Client,
    pub(in crate::app) gateways: Gateways,
    pub(in crate::app) lookups: Lookups,
    /// The sandbox gateway, which moves no money.
    pub sandbox: Arc<Sandbox>,
    /// Checks and hashes passwords.
    pub passwords: accounts::Passwords,
    /// The details of a person, and their lists of values.
    pub person: Person,
    pub(in crate::app) device_secret: String,
    /// The store's id. The shop uses the id to detect two stores that share a blob store by mistake.
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
    /// Whether this process is stopping.
    is_draining: AtomicBool,
    /// Whether the shop was held at the last refresh.
    is_held: AtomicBool,
    /// The clock's error at the last refresh, or `None` if the clock was right.
    wrong_clock: Mutex<Option<StoreError>>,
    /// Serialises refreshes of the cluster state, so that only one connection is used.
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
    /// Builds the parts. Registers the product files in the store, and creates the store's missing secrets.
    ///
    /// # Errors
    /// If the store fails, or a product file has changed without a new version. If the templates of letters,
    /// the mailer or the HTTP client can't be set up.
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
        backup::note_first_start(&store, clock.now()).await?;
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
        let is_held = read_held(&store).await?;
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
            is_held: AtomicBool::new(is_held),
            wrong_clock: Mutex::default(),
            cluster_refresh: tokio::sync::Mutex::default(),
        })
    }

    /// Checks the operator's templates of letters and the settings of the mail server. Sends nothing and
    /// creates no folder.
    ///
    /// # Errors
    /// If a template has a mistake, or the mailer can't be set up.
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

    /// Replaces the gateway of the same name. A test's gateway may have fewer capabilities than the
    /// sandbox.
    pub fn replace_gateway(&mut self, gateway: Arc<dyn Gateway>) {
        self.gateways.replace(gateway);
    }

    /// Starts to drain: tells readiness checks and joining shops that this process stops. Open requests
    /// continue.
    pub fn drain(&self) {
        self.is_draining.store(true, Ordering::Relaxed);
        if let Err(error) = self.store.drain() {
            tracing::warn!(%error, "the other shops were not notified that this one stops");
        }
    }

    #[must_use]
    pub fn is_draining(&self) -> bool {
        self.is_draining.load(Ordering::Relaxed)
    }

    /// Returns whether the shop is held after a restore: it sells, changes, charges and mails nothing until
    /// `layby resume`.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.is_held.load(Ordering::Relaxed)
    }

    /// Checks that the store is open and readable, and has this program's schema.
    ///
    /// # Errors
    /// If one of these conditions does not hold.
    pub async fn is_ready(&self) -> Result<(), AppError> {
        Ok(self.store.is_ready().await?)
    }

    /// Writes a checkpoint if the last commit has none, so that the store opens fast after a crash. Over a
    /// database, renews this node's heartbeat.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn checkpoint_store(&self) -> Result<(), AppError> {
        Ok(self.store.checkpoint().await?)
    }

    /// Counts the shops that serve the store, because each shop has its share of some limits. Compares the
    /// clock with the database's clock, or with the newest write of the store's file. Reads whether the shop is
    /// held.
    ///
    /// # Errors
    /// If the store fails. The last known state of the clock then stays.
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
        let is_held = read_held(&self.store).await?;
        if self.is_held.swap(is_held, Ordering::Relaxed) != is_held {
            tracing::warn!(
                is_held,
                "the shop is held, or no longer held, after a restore"
            );
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

    /// Returns the error of the clock, if the clock is wrong. The shop then writes nothing and starts no job,
    /// so a proxy should use another shop.
    #[must_use]
    pub fn wrong_clock(&self) -> Option<StoreError> {
        match self.lock_clock_error().clone() {
            Some(why @ StoreError::Database(_)) => Some(why),
            // The guard of a store's file is read again, because that read costs nothing.
            _ => self.store.wrong_clock().map(StoreError::from),
        }
    }

    fn lock_clock_error(&self) -> MutexGuard<'_, Option<StoreError>> {
        self.wrong_clock
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the percentage of the store that is repaired, or `None` if no repair is running.
    #[must_use]
    pub fn percent_repaired(&self) -> Option<u8> {
        self.store.repair().percent()
    }
}

/// Returns whether the shop is held after a restore.
async fn read_held(store: &Store) -> Result<bool, StoreError> {
    let is_held = store.read(|tx| tables::HELD_SHOP.has(tx, &())).await?;
    metrics::set_held(is_held);
    Ok(is_held)
}

/// Returns the store's secret called `name`. Creates the secret at the first call.
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
