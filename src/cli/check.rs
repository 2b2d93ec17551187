//! `layby check`.

use std::ops::ControlFlow;
use std::path::Path;

use clap::Args;

use super::print::{print, print_line};
use super::setup::{self, CommandError};
use crate::api::admin_socket::{self, AdminCommand, AdminReply};
use crate::app::BlobStore;
use crate::app::backups::backup::moment_of;
use crate::app::check::{self, CheckError, CheckReport, Documents};
use crate::config::Config;
use crate::store::{Store, StoreError};

/// Checks every row and index of the store, and the documents, and lists the errors. If no shop runs, also
/// checks every page of the store's file. The shop may be running.
#[derive(Args)]
pub(super) struct CheckArgs {}

impl CheckArgs {
    pub(super) fn run(self, config: &Config) -> Result<(), CommandError> {
        setup::require_store(config)?;
        let checked =
            match admin_socket::ask(&config.server.data, &AdminCommand::Check, &mut print_either) {
                Ok(true) => Ok(()),
                Ok(false) => BlobStore::to_read(config)
                    .map_err(|error| error.to_string())
                    .and_then(|contents| stopped(config, &contents)),
                Err(error) => Err(error.to_string()),
            };
        checked.map_err(|error| format!("{}: {error}", setup::store_place(config)).into())
    }
}

/// Prints a finding, or the progress of the check.
fn print_either(line: AdminReply) {
    match line {
        AdminReply::Progress(text) => print(std::io::stderr(), &text),
        AdminReply::Text(text) => print_line(text),
        _ => {}
    }
}

/// Checks a copy of a store, and the documents that it names if `documents` is their folder.
pub(super) fn check_file(path: &Path, documents: Option<&Path>) -> Result<(), CommandError> {
    let runtime = setup::runtime()?;
    let contents = documents.map(existing_folder).transpose()?;
    let documents = contents.as_ref().map(|contents| Documents {
        contents,
        runtime: runtime.handle(),
    });
    let mistakes = check_copy(path, documents)?;
    if mistakes > 0 {
        let error = CheckError::Damaged(mistakes);
        return Err(format!("{}: {error}", path.display()).into());
    }
    let copy = Store::preview(path)?.ok_or(StoreError::NoStore)?;
    if let Some(moment) = moment_of(copy.rows())? {
        print_line(format!("the copy is of {moment}"));
    }
    Ok(())
}

/// Checks every page and row of a copy, and prints each mistake. Returns the number of mistakes in rows, indexes,
/// the books and documents.
///
/// # Errors
/// If the file itself is damaged, or is no store of this schema.
pub(super) fn check_copy(
    path: &Path,
    documents: Option<Documents<'_>>,
) -> Result<u64, CommandError> {
    let size = std::fs::metadata(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let checked = if size.is_file() && size.len() == 0 {
        Err(StoreError::NoStore.into())
    } else {
        check::stopped(path, documents, &mut |report| {
            print_either(report.into());
            ControlFlow::Continue(())
        })
    };
    match checked {
        Ok(()) => Ok(0),
        Err(CheckError::Damaged(mistakes)) => Ok(mistakes),
        Err(error) => Err(format!("{}: {error}", path.display()).into()),
    }
}

/// Opens an existing folder of documents.
pub(super) fn existing_folder(folder: &Path) -> Result<BlobStore, CommandError> {
    if !folder.is_dir() {
        return Err(format!("there is no folder {}", folder.display()).into());
    }
    Ok(BlobStore::in_named_folder(folder)?)
}

/// Checks a store that no shop of this data folder has open.
fn stopped(config: &Config, contents: &BlobStore) -> Result<(), String> {
    let runtime = setup::runtime().map_err(|error| error.to_string())?;
    let documents = Some(Documents {
        contents,
        runtime: runtime.handle(),
    });
    // The check continues even if nobody reads its output, because a caller may need only the exit code.
    let sink = &mut |report: CheckReport| {
        print_either(report.into());
        ControlFlow::Continue(())
    };
    let checked = match &config.store.url {
        Some(url) => Store::open_database(url, &config.store)
            .map_err(CheckError::from)
            .and_then(|store| check::check_running(&store, documents, sink)),
        None => check::stopped(&setup::store_path(config), documents, sink),
    };
    checked.map_err(|error| error.to_string())
}
