//! A backup over the socket. Between two lines of the reply, the shop sends the store's rows
//! (`store::backup`):
//!
//! ```text
//! {"rows":{"moment":"2026-11-23T03:30:00Z","size":1605632}}
//! the rows, and an empty key
//! {"copied":{"rows":120345,"hash":[...]}}
//! "done"
//! ```

use std::io::{self, BufReader, BufWriter, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::sync::watch;

use crate::api::admin_socket::client::{connect, next_line};
use crate::api::admin_socket::command::{
    AdminCommand, AdminReply, AskError, BackupStart, write_line,
};
use crate::app::App;
use crate::app::backups::{DumpSummary, KeyValue, RowHash, backup, end_rows, read_row, write_row};

/// How long the shop waits for a command that reads nothing.
const PATIENCE: Duration = Duration::from_secs(60);
/// Bytes of a stream that are sent or received at once.
const BUFFER_BYTES: usize = 64 << 10;

/// Sends the rows of this moment. Ends with an error if the client goes away or reads nothing for a
/// minute, or if the shop stops.
pub(super) fn send(
    app: &App,
    stream: &UnixStream,
    is_slow: bool,
    stop: &watch::Receiver<bool>,
) -> Result<(), String> {
    let began = Instant::now();
    let started = Handle::current().block_on(backup::begin(&app.store, app.clock.now()));
    let (moment, view) = started.map_err(|error| error.log_text())?;
    tracing::info!(%moment, "a backup begins");
    let mut hash = RowHash::default();
    let sent = (|| -> io::Result<Result<(), String>> {
        stream.set_write_timeout(Some(PATIENCE))?;
        let size = backup::store_size(&app.config);
        write_line(stream, &AdminReply::Rows(BackupStart { moment, size }))?;
        let mut out = BufWriter::with_capacity(BUFFER_BYTES, stream);
        let mut failed = Ok(());
        for batch in backup::paced(view, is_slow) {
            if *stop.borrow() {
                failed = Err("the shop stops".to_string());
                break;
            }
            match batch {
                Ok(rows) => {
                    for row in &rows {
                        hash.add(&row.0, &row.1);
                        write_row(&mut out, row)?;
                    }
                    // A client that has gone is noticed with each batch.
                    out.flush()?;
                }
                Err(error) => {
                    failed = Err(error.to_string());
                    break;
                }
            }
        }
        end_rows(&mut out)?;
        out.flush()?;
        Ok(failed)
    })();
    let sent = sent.unwrap_or_else(|error| Err(format!("the command went away: {error}")));
    let summary = hash.summary();
    let (rows, seconds) = (summary.rows, began.elapsed().as_secs());
    match &sent {
        Ok(()) => {
            tracing::info!(rows, seconds, "all rows of a backup were sent");
            let _ = write_line(stream, &AdminReply::Copied(summary));
        }
        Err(error) => tracing::warn!(rows, seconds, error, "a backup was broken off"),
    }
    sent
}

/// The rows that a running shop sends.
pub struct BackupStream {
    pub start: BackupStart,
    from: BufReader<UnixStream>,
}

/// Asks the shop that listens on the socket of this data folder for a backup. Returns `None` if no
/// shop listens.
///
/// # Errors
/// As [`super::ask`].
pub fn back_up(folder: &Path, is_slow: bool) -> Result<Option<BackupStream>, AskError> {
    let Some(stream) = connect(folder, &AdminCommand::Backup { is_slow })? else {
        return Ok(None);
    };
    let mut from = BufReader::with_capacity(BUFFER_BYTES, stream);
    match next_line(&mut from)? {
        AdminReply::Rows(start) => Ok(Some(BackupStream { start, from })),
        AdminReply::Failed(why) => Err(AskError::Failed(why)),
        _ => Err(AskError::BrokenOff),
    }
}

impl BackupStream {
    /// Returns the rows in batches.
    pub fn batches(&mut self) -> impl Iterator<Item = Result<Vec<KeyValue>, AskError>> {
        let mut is_over = false;
        std::iter::from_fn(move || {
            let (mut batch, mut bytes) = (Vec::new(), 0);
            while !is_over && bytes < BUFFER_BYTES {
                match read_row(&mut self.from) {
                    Ok(Some(row)) => {
                        bytes += row.0.len() + row.1.len();
                        batch.push(row);
                    }
                    Ok(None) => is_over = true,
                    Err(_) => {
                        is_over = true;
                        return Some(Err(AskError::BrokenOff));
                    }
                }
            }
            (!batch.is_empty()).then_some(Ok(batch))
        })
    }

    /// Returns the count and the hash of the rows that the shop sent.
    ///
    /// # Errors
    /// If the shop could not send all rows.
    pub fn summary(mut self) -> Result<DumpSummary, AskError> {
        match next_line(&mut self.from)? {
            AdminReply::Copied(summary) => Ok(summary),
            AdminReply::Failed(why) => Err(AskError::Failed(why)),
            _ => Err(AskError::BrokenOff),
        }
    }
}
