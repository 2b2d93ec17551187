//! `layby check`.

use std::io::Write;
use std::ops::ControlFlow;

use clap::Args;

use super::setup::{self, AtStore, Failure};
use crate::api::local::{self, Line, Order};
use crate::app::check::{self, CheckError, Report};
use crate::config::Config;
use crate::store::{Repair, Store};

/// Verifies the store, row by row, and names what is wrong with it. The shop may be running.
#[derive(Args)]
pub(super) struct Check {
    /// Folder of the store.
    #[arg(long, value_name = "DIR")]
    pub(super) data: Option<std::path::PathBuf>,
}

impl Check {
    pub(super) fn run(self, config: &Config) -> Result<(), Failure> {
        let path = setup::existing_store_path(config)?;
        let mut heard = |line| match line {
            Line::Progress(text) => drop(print(std::io::stderr(), &text)),
            Line::Says(text) => drop(print(std::io::stdout(), &text)),
            Line::Done | Line::Failed(_) => {}
        };
        if local::ask(&config.server.data, &Order::Check, &mut heard)? {
            return Ok(());
        }
        let file = Store::look(&path, &Repair::default());
        let file = file.map_err(|why| AtStore {
            path: path.clone(),
            why,
        })?;
        let Some(file) = file else {
            let _ = print(std::io::stdout(), "nothing was ever written to this store");
            return Ok(());
        };
        let checked = check::stopped(&file, &mut |report| match report {
            Report::Progress(text) => print(std::io::stderr(), &text),
            Report::Says(text) => print(std::io::stdout(), &text),
        });
        checked.map_err(|error| match error {
            CheckError::Store(why) => AtStore { path, why }.into(),
            other => other.into(),
        })
    }
}

/// Breaks off where nobody can be told any more.
fn print(mut out: impl Write, line: &str) -> ControlFlow<()> {
    match writeln!(out, "{line}").and_then(|()| out.flush()) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    }
}
