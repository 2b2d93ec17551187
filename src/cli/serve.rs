//! `layby serve`.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use tokio::net::TcpListener;
use tokio::sync::watch;

use super::setup::{self, Failure};
use crate::api::server::{self, Limits};
use crate::app::App;
use crate::config::{Config, Origin};
use crate::store::StoreError;
use crate::{api, jobs};

/// How long work under way may take to finish when the process is told to stop.
const GRACE: Duration = Duration::from_secs(20);

/// Runs the shop.
#[derive(Args)]
pub(super) struct Serve {
    /// Address and port; port 0 picks a free one.
    #[arg(long, value_name = "ADDR:PORT")]
    listen: Option<String>,
    /// Folder of the store.
    #[arg(long, value_name = "DIR")]
    data: Option<std::path::PathBuf>,
    /// Fills the store first when it is empty.
    #[arg(long)]
    seed: bool,
    /// Checks settings and product files, and stops.
    #[arg(long)]
    check: bool,
}

impl Serve {
    pub(super) fn flags(&self) -> Vec<(String, String)> {
        let mut flags = setup::data_flag(self.data.as_ref());
        if let Some(listen) = &self.listen {
            flags.push(("server.listen".to_string(), listen.clone()));
        }
        flags
    }

    pub(super) fn run(self, config: Config) -> Result<(), Failure> {
        let catalogue = setup::load_products(&config)?;
        if self.check {
            println!("settings and product files are in order");
            return Ok(());
        }
        if self.seed {
            super::seed::refuse_production(&config)?;
        }
        if config.is_production() && config.mail.smtp.is_none() {
            tracing::warn!("mail.smtp.host is empty: customers get no letters, not even links");
        }
        let store = setup::open_store(&config)?;
        setup::runtime()?.block_on(async move {
            let told_to_stop = told_to_stop()?;
            tokio::pin!(told_to_stop);
            let listen = config.server.listen;
            let cant_listen = |error| format!("can't listen on {listen}: {error}");
            let listener = TcpListener::bind(listen).await.map_err(cant_listen)?;
            let bound = listener.local_addr()?;
            let public_url = config.server.public_origin(bound).as_str().to_string();
            let local_url = Origin::of_bound(bound).as_str().to_string();
            let clock = config.clock();
            let app = App::new(config, store, clock, catalogue, public_url, local_url).await?;
            let app = Arc::new(app);
            if app.config.is_production() && app.holds_sandbox_payments().await? {
                tracing::warn!(
                    "the store holds sandbox sales: no money came in for policies paid for with it"
                );
            }
            if self.seed && app.holds_only_demonstration_data().await? {
                tokio::select! {
                    filled = super::seed::complete(&app) => filled?,
                    () = &mut told_to_stop => return Ok(()),
                }
            }
            let socket = api::local::listen(&app.config.server.data);
            say(&format!("listening on {}", app.local_url))?;
            let store = app.store.clone();
            let mut given_up = None;
            let stop = async {
                tokio::select! {
                    () = told_to_stop => {}
                    why = store.given_up() => given_up = Some(why),
                }
            };
            serve(app, listener, socket, stop).await?;
            given_up.map_or(Ok(()), |why| Err(GivenUp(why).into()))
        })
    }
}

/// The disk has failed for good.
#[derive(Debug, thiserror::Error)]
#[error("the store could not be opened again for a minute: {0}")]
struct GivenUp(#[source] StoreError);

async fn serve(
    app: Arc<App>,
    listener: TcpListener,
    socket: Option<api::local::Socket>,
    told_to_stop: impl Future<Output = ()>,
) -> Result<(), Failure> {
    let (stop, stopped) = watch::channel(false);
    let asked = tokio::spawn(api::local::serve(socket, app.clone(), stopped.clone()));
    let jobs = tokio::spawn(jobs::run(app.clone(), stopped));
    let limits = Limits::of(&app.config.server);
    tracing::info!(connections = limits.in_all, "serving");
    server::serve(listener, limits, api::served(app), told_to_stop).await?;
    tracing::info!("stopping: finishing what is under way");
    let _ = stop.send(true);
    let both = async { tokio::try_join!(jobs, asked) };
    match tokio::time::timeout(GRACE, both).await {
        Ok(ended) => drop(ended?),
        Err(_) => tracing::warn!("work that is under way is left, and taken up at the next start"),
    }
    Ok(())
}

/// SIGTERM or Ctrl-C. Listening begins with the call, not when the result is first awaited.
#[cfg(unix)]
fn told_to_stop() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Ctrl-C.
#[cfg(not(unix))]
fn told_to_stop() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}

/// Says something on standard output at once, also into a pipe.
fn say(line: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}
