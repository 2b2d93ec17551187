//! The log as tests read it.

use std::io::Write;
use std::sync::{Arc, Mutex};

use layby::config::{Log, LogFormat};
use layby::telemetry;
use tracing::subscriber::DefaultGuard;

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

/// Records the log of this thread until the guard is dropped.
pub fn recorded(format: LogFormat) -> (Lines, DefaultGuard) {
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
