//! The log: where it goes and how it looks. It must never name a person.

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
/// When a log was started before.
pub fn init(log: Log) -> Result<(), TryInitError> {
    let colours = stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    match log.format {
        LogFormat::Text => text_subscriber(log, stderr, colours).try_init(),
        LogFormat::Json => json(log, stderr).try_init(),
    }
}

/// Has what breaks off inside said in the log, in words of ours: those of a library may hold what a
/// customer typed, and are there at level debug alone, with the way that led to it.
pub fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let own = panic
            .location()
            .filter(|place| place.file().starts_with("src/"));
        let at = own.map_or_else(|| "in a library".to_string(), ToString::to_string);
        tracing::error!(at, "what was being done failed inside and was broken off");
        let way = std::backtrace::Backtrace::capture();
        tracing::debug!(%panic, %way, "what broke off");
    }));
}

/// A log of lines for people.
pub fn text_subscriber<W>(log: Log, writer: W, colours: bool) -> impl Subscriber + Send + Sync
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    tracing_subscriber::fmt()
        .with_env_filter(filter(log))
        // It would say on standard error, in a panic, that nothing can be written there.
        .log_internal_errors(false)
        .with_writer(writer)
        .with_ansi(colours)
        .with_target(false)
        .finish()
}

/// A log of one JSON object a line.
pub fn json<W>(log: Log, writer: W) -> impl Subscriber + Send + Sync
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    tracing_subscriber::fmt()
        .with_env_filter(filter(log))
        // It would say on standard error, in a panic, that nothing can be written there.
        .log_internal_errors(false)
        .with_writer(writer)
        .json()
        .flatten_event(true)
        .with_current_span(true)
        .with_span_list(false)
        .finish()
}

/// Ours at the level asked for. Of the libraries only what went wrong: at lower levels they
/// print headers and addresses, which name persons.
fn filter(log: Log) -> EnvFilter {
    let ours = LevelFilter::from_level(log.level);
    let theirs = LevelFilter::from_level(log.level.min(tracing::Level::WARN));
    EnvFilter::new(format!("{theirs},layby={ours}"))
}
