//! `layby backup`.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use chrono::{DateTime, Utc};
use clap::Args;
use data_encoding::HEXLOWER;
use serde::Serialize;

use super::check::check_file;
use super::execute::execute;
use super::migrate::documents_note;
use super::print::print_line;
use super::setup::{self, CommandError};
use crate::api::admin_socket::back_up;
use crate::app::BlobStore;
use crate::app::backups::backup;
use crate::app::commands::StoreCommand;
use crate::config::{Config, DocumentPlace};
use crate::store::tables::GoodBackup;
use crate::store::{DumpSummary, NewStoreFile, Store, StoreError, Target};

/// Rows between two lines of progress.
const PROGRESS_INTERVAL: u64 = 50_000;

/// Copies the store of one moment into a file. The shop may be running. Or checks such a file.
#[derive(Args)]
pub(super) struct BackupArgs {
    /// The file to write, or to check.
    file: PathBuf,
    /// Checks the file as `layby check` checks a store, and writes nothing.
    #[arg(long, conflicts_with_all = ["replace", "json", "slow"])]
    check: bool,
    /// Also copies the documents that this folder lacks. With --check, also reads the documents there.
    #[arg(long, value_name = "DIR")]
    documents: Option<PathBuf>,
    /// Replaces an existing file, once the new one is complete.
    #[arg(long)]
    replace: bool,
    /// Prints the result as JSON.
    #[arg(long)]
    json: bool,
    /// Reads a running shop's store at half the usual pace.
    #[arg(long)]
    slow: bool,
}

/// The result, for programs.
#[derive(Serialize)]
struct BackupResult {
    /// Number of rows.
    rows: u64,
    /// Size of the file.
    bytes: u64,
    /// The copy has the rows of this moment.
    moment: DateTime<Utc>,
    /// SHA-256 of every key and value in the order of the keys, each after its length.
    sha256: String,
    /// Number of documents that the rows name.
    documents: usize,
}

impl BackupArgs {
    pub(super) fn run(self, config: &Config) -> Result<(), CommandError> {
        let file = self.file.display().to_string();
        let done = if self.check {
            check_file(&self.file, self.documents.as_deref())
        } else {
            self.back_up(config)
        };
        done.map_err(|error| match error.downcast_ref::<StoreError>() {
            Some(StoreError::NotEmpty) if self.file.is_file() => {
                format!("{file} exists already: --replace replaces it").into()
            }
            Some(StoreError::Copy { .. }) => error,
            Some(error) => format!("{file}: {error}").into(),
            None => error,
        })
    }

    fn back_up(&self, config: &Config) -> Result<(), CommandError> {
        setup::require_store(config)?;
        self.refuse_store(config)?;
        let (moment, copied, bytes) = match back_up(&config.server.data, self.slow)? {
            Some(mut shop) => {
                let (moment, size) = (shop.start.moment, shop.start.size);
                let mut new = NewStoreFile::create(&self.file, size, self.replace)?;
                let batches = shop
                    .batches()
                    .map(|batch| batch.map_err(CommandError::from));
                let written = new.fill(batches, &mut progress())?;
                let sent = shop.summary()?;
                if written != sent {
                    return Err(StoreError::CopyDiffers.into());
                }
                new.verify(&sent)?;
                (moment, sent, new.name()?)
            }
            None => self.copy_stopped(config)?,
        };
        let good = GoodBackup {
            moment,
            rows: copied.rows,
            bytes,
        };
        let (named, missing) = self.copy_documents(config)?;
        let record = StoreCommand::RecordBackup(good);
        execute(config, record, &mut print_line)?;
        self.print(moment, &copied, bytes, named)?;
        if named > 0 && !self.json {
            print_line(match &self.documents {
                Some(folder) if !is_bucket(config) => {
                    format!("documents in {}: {named}", folder.display())
                }
                _ => documents_note(config, named as u64),
            });
        }
        if missing > 0 {
            return Err(format!(
                "the store is copied, but {missing} of its documents are missing or damaged: `layby check` names them"
            )
            .into());
        }
        Ok(())
    }

    /// Refuses the store itself as the file to replace.
    fn refuse_store(&self, config: &Config) -> Result<(), CommandError> {
        let store = setup::store_path(config).canonicalize();
        let is_store =
            store.is_ok_and(|store| self.file.canonicalize().is_ok_and(|own| own == store));
        if is_store {
            return Err(format!("{} is the store itself", self.file.display()).into());
        }
        Ok(())
    }

    /// Copies a store that no shop of this data folder has open.
    fn copy_stopped(
        &self,
        config: &Config,
    ) -> Result<(DateTime<Utc>, DumpSummary, u64), CommandError> {
        let (size, now) = (backup::store_size(config), config.clock().now());
        let new = NewStoreFile::create(&self.file, size, self.replace)?;
        let store = setup::existing_store(config)?;
        let (moment, _) = setup::runtime()?.block_on(backup::begin(&store, now))?;
        let copied = store.copy_to(Target::File(new), &mut progress())?;
        Ok((moment, copied, self.file.metadata()?.len()))
    }

    /// Copies the documents that the folder lacks. Returns how many documents the copy names, and how many
    /// are missing.
    fn copy_documents(&self, config: &Config) -> Result<(usize, u64), CommandError> {
        let mut missing = 0;
        let copy = Store::preview(&self.file)?.ok_or(StoreError::NoStore)?;
        let named = backup::named_blobs(copy.rows())?;
        if let Some(folder) = &self.documents
            && !is_bucket(config)
        {
            let (from, to) = (
                BlobStore::to_read(config)?,
                BlobStore::in_named_folder(folder)?,
            );
            let copied = backup::copy_blobs(&from, &to, &named);
            missing = setup::runtime()?.block_on(copied)?;
        }
        Ok((named.len(), missing))
    }

    fn print(
        &self,
        moment: DateTime<Utc>,
        copied: &DumpSummary,
        bytes: u64,
        documents: usize,
    ) -> Result<(), CommandError> {
        let (rows, sha256) = (copied.rows, HEXLOWER.encode(&copied.hash));
        if self.json {
            let result = BackupResult {
                rows,
                bytes,
                moment,
                sha256,
                documents,
            };
            print_line(serde_json::to_string(&result)?);
            return Ok(());
        }
        let file = self.file.display();
        print_line(format!(
            "{file} has the {rows} rows of {moment} in {bytes} bytes; read again they are the same: SHA-256 {sha256}"
        ));
        Ok(())
    }
}

pub(super) fn is_bucket(config: &Config) -> bool {
    matches!(config.documents.url, Some(DocumentPlace::Bucket { .. }))
}

/// Returns a function that prints the number of rows on a terminal.
fn progress() -> impl FnMut(u64) {
    let mut last_reported = 0;
    let is_terminal = io::stderr().is_terminal();
    move |rows| {
        if is_terminal && rows / PROGRESS_INTERVAL > last_reported / PROGRESS_INTERVAL {
            let _ = writeln!(io::stderr(), "{rows} rows are copied");
        }
        last_reported = rows;
    }
}
