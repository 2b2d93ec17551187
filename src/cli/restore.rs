//! `layby restore`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::backup::is_bucket;
use super::check::{check_copy, existing_folder};
use super::print::print_line;
use super::setup::{self, CommandError};
use crate::api::admin_socket;
use crate::app::BlobStore;
use crate::app::backups::{backup, restore};
use crate::app::check::CheckError;
use crate::config::Config;
use crate::store::backup::row_batches;
use crate::store::{NewStoreFile, ReadTx, Store, StoreError, tables};

/// Makes a shop from a backup, in a data folder without a store. The shop is held until `layby resume`.
#[derive(Args)]
pub(super) struct Restore {
    /// The file that `layby backup` wrote.
    file: PathBuf,
    /// Also copies the documents of this folder.
    #[arg(long, value_name = "DIR")]
    documents: Option<PathBuf>,
    /// Also restores a copy with mistakes in rows, indexes or the books, and lists them.
    #[arg(long)]
    with_mistakes: bool,
}

impl Restore {
    pub(super) fn run(self, config: &Config) -> Result<(), CommandError> {
        if config.store.url.is_some() {
            return Err("store.url is a database, which is put back by its own means; a backup goes into a \
                        folder, and `layby migrate --to` takes it into an empty database"
                .into());
        }
        let store = setup::store_path(config);
        refuse_store(config, &store)?;
        let folder = self.documents.as_deref().map(existing_folder).transpose()?;
        let mistakes = check_copy(&self.file, None)?;
        if mistakes > 0 && !self.with_mistakes {
            return Err(format!(
                "{}: {}; --with-mistakes restores it as it is",
                self.file.display(),
                CheckError::Damaged(mistakes)
            )
            .into());
        }
        setup::make_data_folder(config)?;
        let named = self.copy_rows(config, &store, folder.as_ref())?;
        print_line(named);
        if mistakes > 0 {
            print_line("the mistakes named above are in the new store too");
        }
        print_line(
            "the shop is held: start it, and run `layby resume --dry-run` and `layby resume`",
        );
        Ok(())
    }

    /// Writes the store. Returns the line about its contents.
    fn copy_rows(
        &self,
        config: &Config,
        store: &Path,
        folder: Option<&BlobStore>,
    ) -> Result<String, CommandError> {
        let at_file = |error| format!("{}: {error}", self.file.display());
        let copy = Store::preview(&self.file).map_err(at_file)?;
        let copy = copy.ok_or_else(|| at_file(StoreError::InUse))?;
        let at_store = |error| format!("{}: {error}", store.display());
        let size = self.file.metadata()?.len();
        let mut new = NewStoreFile::create(store, size, false).map_err(at_store)?;
        let rows = row_batches(copy.rows().clone());
        let copied = new.fill(rows, &mut drop).map_err(at_store)?;
        new.verify(&copied).map_err(at_store)?;
        let runtime = setup::runtime()?;
        if let Some(folder) = folder
            && !is_bucket(config)
        {
            let (named, to) = (
                backup::named_blobs(copy.rows())?,
                BlobStore::from_settings(config)?,
            );
            let missing = runtime.block_on(backup::copy_blobs(folder, &to, &named))?;
            if missing > 0 {
                let _ = writeln!(
                    io::stderr(),
                    "{missing} documents are in no folder: `layby check` names them"
                );
            }
        }
        let (quotes, policies) = count(copy.rows())?;
        let opened = Store::open_new(&new).map_err(at_store)?;
        let moment = runtime.block_on(restore::prepare(&opened, config.clock().now()));
        opened.close().map_err(at_store)?;
        drop(opened);
        let moment = moment?;
        new.name().map_err(at_store)?;
        let rows = copied.rows;
        Ok(format!(
            "{} is the store of {moment}: {rows} rows, {quotes} quotes, {policies} policies",
            store.display()
        ))
    }
}

/// Refuses a data folder that has a store, or a shop.
fn refuse_store(config: &Config, store: &Path) -> Result<(), CommandError> {
    if store.exists() {
        return Err(format!(
            "{} is there already: a restore replaces no store",
            store.display()
        )
        .into());
    }
    if admin_socket::is_served(&config.server.data) {
        let folder = config.server.data.display();
        return Err(format!("a shop uses {folder}: stop it, or name another folder").into());
    }
    Ok(())
}

/// Returns the number of quotes and of policies.
fn count(tx: &ReadTx) -> Result<(u64, u64), StoreError> {
    let (mut quotes, mut policies) = (0, 0);
    for row in tables::QUOTES.readable_rows(tx, &()) {
        quotes += 1;
        policies += u64::from(row?.1.status.is_policy());
    }
    Ok((quotes, policies))
}
