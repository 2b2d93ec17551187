//! The log as tests read it.

use std::io::Write;
use std::sync::{Arc, Mutex, Once};

use layby::config::{Log, LogFormat};
use layby::telemetry;
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::{DefaultGuard, Interest};
use tracing::{Event, Metadata, Subscriber};

/// The log lines of this thread.
#[derive(Clone, Default)]
pub struct Lines(Arc<Mutex<Vec<u8>>>);

impl Lines {
    pub fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Drops the log of all threads without a subscriber.
struct Silence;

impl Subscriber for Silence {
    fn register_callsite(&self, _: &'static Metadata<'static>) -> Interest {
        Interest::sometimes()
    }

    fn enabled(&self, _: &Metadata<'_>) -> bool {
        false
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// Opens every place of the log on all threads. A place that a thread without a subscriber reaches first would
/// otherwise stay closed for a while.
pub fn open_all() {
    static OPENED: Once = Once::new();
    OPENED.call_once(|| tracing::subscriber::set_global_default(Silence).unwrap());
}

/// Records the log of this thread until the guard is dropped.
pub fn recorded(format: LogFormat) -> (Lines, DefaultGuard) {
    open_all();
    let (lines, level) = (Lines::default(), tracing::Level::INFO);
    let (writer, log) = (lines.clone(), Log { format, level });
    let make = move || writer.clone();
    let guard = match format {
        LogFormat::Text => {
            tracing::subscriber::set_default(telemetry::text_subscriber(log, make, false))
        }
        LogFormat::Json => tracing::subscriber::set_default(telemetry::json(log, make)),
    };
    (lines, guard)
}
