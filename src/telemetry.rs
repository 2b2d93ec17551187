//! The log: its target and format. It must never name a person.

use std::io::{IsTerminal, stderr};

use tracing::Subscriber;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};

use crate::config::{Log, LogFormat};

/// Starts the log of this process, on standard error.
///
/// # Errors
/// Fails if a log was started before.
pub fn init(log: Log) -> Result<(), TryInitError> {
    let colours = stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    match log.format {
        LogFormat::Text => text_subscriber(log, stderr, colours).try_init(),
        LogFormat::Json => json(log, stderr).try_init(),
    }
}

/// Logs panics with a fixed text, because a library's text may contain what a customer typed. The
/// panic's own text and its backtrace are logged only at level debug.
pub fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let own = panic
            .location()
            .filter(|place| place.file().starts_with("src/"));
        let target = own.map_or_else(|| "in a library".to_string(), ToString::to_string);
        tracing::error!(
            target,
            "what was being done failed inside and was interrupted"
        );
        let way = std::backtrace::Backtrace::capture();
        tracing::debug!(%panic, %way, "what broke off");
    }));
}

/// Returns a log of lines for people.
pub fn text_subscriber<W>(log: Log, writer: W, colours: bool) -> impl Subscriber + Send + Sync
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    tracing_subscriber::fmt()
        .with_env_filter(filter(log))
        // With internal errors on, a failed write would print to standard error and panic there.
        .log_internal_errors(false)
        .with_writer(writer)
        .with_ansi(colours)
        .with_target(false)
        .finish()
}

/// Returns a log of one JSON object for each line.
pub fn json<W>(log: Log, writer: W) -> impl Subscriber + Send + Sync
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    tracing_subscriber::fmt()
        .with_env_filter(filter(log))
        // With internal errors on, a failed write would print to standard error and panic there.
        .log_internal_errors(false)
        .with_writer(writer)
        .json()
        .flatten_event(true)
        .with_current_span(true)
        .with_span_list(false)
        .finish()
}

/// Returns the filter: our events at the configured level, and libraries' events at this level but never
/// below warnings. Below warnings, libraries print headers and addresses, which identify persons.
fn filter(log: Log) -> EnvFilter {
    let ours = LevelFilter::from_level(log.level);
    let theirs = LevelFilter::from_level(log.level.min(tracing::Level::WARN));
    EnvFilter::new(format!("{theirs},layby={ours}"))
}
