//! `layby check`.

use std::ops::ControlFlow;

use clap::Args;

use super::print::{print, say};
use super::setup::{self, Failure};
use crate::api::admin_socket::{self, Line, Order};
use crate::app::Contents;
use crate::app::check::{self, CheckError, Documents, Report};
use crate::config::Config;
use crate::store::Store;

/// Verifies every page, row and index of the store, and the documents, and names what is wrong. The shop
/// may be running.
#[derive(Args)]
pub(super) struct Check {}

impl Check {
    pub(super) fn run(self, config: &Config) -> Result<(), Failure> {
        setup::require_store(config)?;
        let checked = match admin_socket::ask(&config.server.data, &Order::Check, &mut print_either)
        {
            Ok(true) => Ok(()),
            Ok(false) => Contents::to_read(config)
                .map_err(|error| error.to_string())
                .and_then(|contents| stopped(config, &contents)),
            Err(error) => Err(error.to_string()),
        };
        checked.map_err(|error| format!("{}: {error}", setup::store_place(config)).into())
    }
}

/// Prints what was found, or how far the check has come.
fn print_either(line: Line) {
    match line {
        Line::Progress(text) => print(std::io::stderr(), &text),
        Line::Says(text) => say(text),
        Line::Done | Line::Failed(_) => {}
    }
}

/// Checks a store that no shop of this data folder has open.
fn stopped(config: &Config, contents: &Contents) -> Result<(), String> {
    let runtime = setup::runtime().map_err(|error| error.to_string())?;
    let documents = Some(Documents {
        contents,
        runtime: runtime.handle(),
    });
    // Its exit code counts also where nobody reads its output any more.
    let hear = &mut |report: Report| {
        print_either(report.into());
        ControlFlow::Continue(())
    };
    let checked = match &config.store.url {
        Some(url) => Store::open_database(url, &config.store)
            .map_err(CheckError::from)
            .and_then(|store| check::running(&store, documents, hear)),
        None => check::stopped(&setup::store_path(config), documents, hear),
    };
    checked.map_err(|error| error.to_string())
}
