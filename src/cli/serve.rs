//! `layby serve`.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use super::preflight;
use super::print::print_line;
use super::process;
use super::setup::{self, AtStore, CommandError};
use super::tasks::first_end;
use crate::api::http::server::{self, Limits};
use crate::api::{self, StartupGate};
use crate::app::backups::schedule;
use crate::app::payments::sandbox;
use crate::app::{App, BlobStore, seed, status};
use crate::config::{Config, WebOrigin};
use crate::products::Catalogue;
use crate::store::{Repair, StoreError};
use crate::worker;

/// How long jobs and commands in progress may continue after the server has stopped.
const GRACE: Duration = Duration::from_secs(20);

/// How often `log_repair` checks whether the store is being repaired.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Runs the shop.
#[derive(Args)]
pub(super) struct Serve {
    /// Address and port to listen on. Port 0 picks a free port.
    #[arg(long, value_name = "ADDR:PORT")]
    pub(super) listen: Option<String>,
    /// First fills the store with demonstration data, unless the store has real data.
    #[arg(long)]
    seed: bool,
    /// Checks the settings, the product files, the data folder and the store's file. Tries the keys of the
    /// gateways and the bucket of documents. Does not start the shop.
    #[arg(long)]
    check: bool,
}

impl Serve {
    pub(super) fn run(self, config: Config) -> Result<(), CommandError> {
        if !config.ignored_variables.is_empty() {
            tracing::info!(
                variables = config.ignored_variables.join(", "),
                "variables of container services are no settings and were ignored"
            );
        }
        if !config.exposed_secrets.is_empty() {
            tracing::warn!(
                secrets = config.exposed_secrets.join(", "),
                "every user of this machine can read the settings file with these secrets: chmod o= the file"
            );
        }
        if self.seed {
            super::seed::refuse_production(&config)?;
        }
        let catalogue = preflight::prepare(&config);
        if self.check {
            let tried = preflight::check(&config, catalogue)?;
            print_line(format!("settings and product files are in order; {tried}"));
            return Ok(());
        }
        let catalogue = catalogue?;
        if config.is_production() && config.mail.smtp.is_none() {
            tracing::warn!("mail.none is true: customers get no letters, not even links");
        }
        if config.lookup.sample_left_out {
            tracing::warn!(
                "lookup.vehicle or lookup.address is sample, which is off in production: customers type \
                 what it would find"
            );
        }
        setup::runtime()?.block_on(self.serve(config, catalogue))
    }

    async fn serve(self, config: Config, catalogue: Catalogue) -> Result<(), CommandError> {
        let told_to_stop = stop_signal()?;
        tokio::pin!(told_to_stop);
        // The end of the session that started the shop does not end the shop.
        let _ignored = signal(SignalKind::hangup())?;
        let listen = config.server.listen;
        let cant_listen = |error| format!("can't listen on {listen}: {error}");
        let listener = TcpListener::bind(listen).await.map_err(cant_listen)?;
        let bound = listener.local_addr()?;
        let repair = Repair::default();
        let progress = repair.clone();
        let entrance = StartupGate::new(&config, move || progress.percent());
        let limits = Limits::from_settings(&config.server);
        let in_all = limits.in_all;
        let (close, closed) = watch::channel(false);
        let closed = is_true(closed);
        let mut server = tokio::spawn(server::serve(listener, limits, entrance.clone(), closed));

        let opened = tokio::select! {
            opened = self.open(config, catalogue, bound, &repair) => Some(opened?),
            () = &mut told_to_stop => None,
            never = log_repair(bound, &repair) => match never {},
        };
        let Some(app) = opened else {
            // Cancels the repair. The next start runs the repair again from the beginning.
            repair.stop();
            let _ = close.send(true);
            return Ok(server.await??);
        };
        entrance.open(api::served(app.clone()));
        tracing::info!(connections = in_all, "serving");
        let socket = api::admin_socket::listen(&app.config.server.data);
        print_line(format!("listening on {}", app.local_url));
        process::notify("READY=1");
        tokio::spawn(process::answer_watchdog());
        let (stop, stopped) = watch::channel(false);
        let socket_task = tokio::spawn(api::admin_socket::serve(
            socket,
            app.clone(),
            stopped.clone(),
        ));
        let mut jobs = tokio::spawn(worker::run(app.clone(), stopped));
        let mut given_up = tokio::select! {
            () = told_to_stop => None,
            why = app.store.wait_until_lost() => Some(why),
            ended = first_end(&mut server, &mut jobs) => return Err(ended),
        };
        process::notify("STOPPING=1");
        if given_up.is_none() {
            // A second signal ends the drain at once.
            let told_again = self::stop_signal()?;
            app.drain();
            let drain = app.config.server.drain_seconds;
            if drain > 0 {
                tracing::info!(seconds = drain, "draining");
                given_up = tokio::select! {
                    () = tokio::time::sleep(Duration::from_secs(drain)) => None,
                    () = told_again => None,
                    why = app.store.wait_until_lost() => Some(why),
                };
            }
        }
        let _ = close.send(true);
        server.await??;
        tracing::info!("stopping: finishing open requests");
        let _ = stop.send(true);
        let both = async { tokio::try_join!(jobs, socket_task) };
        match tokio::time::timeout(GRACE, both).await {
            Ok(ended) => drop(ended?),
            Err(_) => {
                tracing::warn!("unfinished jobs stay queued until the next start");
            }
        }
        if let Some(why) = given_up {
            return Err(GivenUp(why).into());
        }
        let closed = app.store.close();
        Ok(closed.map_err(|why| AtStore::new(&app.config, why))?)
    }

    /// Opens the store and creates the shop. Fills the store if `--seed` is set and the store holds no
    /// real data.
    async fn open(
        &self,
        config: Config,
        catalogue: Catalogue,
        bound: SocketAddr,
        repair: &Repair,
    ) -> Result<Arc<App>, CommandError> {
        setup::make_data_folder(&config)?;
        let opened = {
            let (config, watched) = (config.clone(), repair.clone());
            let catalogue = catalogue.clone();
            let open = move || setup::open_to_serve(&config, &catalogue, watched);
            tokio::task::spawn_blocking(open).await
        };
        // A damaged page can make the engine panic during the opening of the store.
        let opened = opened.unwrap_or(Err(StoreError::Damaged));
        let store = opened.map_err(|why| AtStore::new(&config, why))?;
        for line in preflight::open_files(&config) {
            tracing::warn!("{line}");
        }
        schedule::warn_of_same_disk(&config);
        let contents = BlobStore::from_settings(&config)?;
        tracing::info!(place = contents.place(), "documents are stored");
        let public_url = config.server.public_origin(bound).as_str().to_string();
        let local_url = WebOrigin::from_socket(bound).as_str().to_string();
        let clock = config.clock();
        let app = App::new(
            config, store, contents, clock, catalogue, public_url, local_url,
        )
        .await?;
        let app = Arc::new(app);
        setup::guard_clock(&app.config, &app.store)?;
        status::note_start(app.clock.now());
        if app.config.is_production() && sandbox::holds_sandbox_payments(&app.store).await? {
            tracing::warn!(
                "the store holds sandbox sales: no money came in for policies paid for with it"
            );
        }
        if self.seed && seed::holds_only_demonstration_data(&app.store).await? {
            super::seed::complete(&app).await?;
        }
        Ok(app)
    }
}

/// The store is lost: it could not be opened again after a failure, or another shop took its database.
#[derive(Debug, thiserror::Error)]
#[error("{}", store_lost_text(.0))]
struct GivenUp(#[source] StoreError);

fn store_lost_text(why: &StoreError) -> String {
    match why {
        StoreError::Database(_) => why.to_string(),
        _ => format!("the store could not be opened again for a minute: {why}"),
    }
}

/// Logs the address on which the shop accepts connections, once a repair of the store has begun. Never
/// returns.
async fn log_repair(bound: SocketAddr, repair: &Repair) -> Infallible {
    while repair.percent().is_none() {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    tracing::info!(address = %bound, "accepting connections while the store is repaired");
    std::future::pending().await
}

/// Waits until the value is true, or until its sender is dropped.
async fn is_true(mut it: watch::Receiver<bool>) {
    let _ = it.wait_for(|is| *is).await;
}

/// Returns a future that completes on SIGTERM or Ctrl-C. The process listens for the signals from this call
/// on, not only from the first poll of the future.
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
