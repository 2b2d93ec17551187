//! `layby check`.

use std::io::Write;
use std::ops::ControlFlow;

use clap::Args;

use super::setup::{self, Failure};
use crate::api::local::{self, Line, Order};
use crate::app::check::{self, Report};
use crate::config::Config;

/// Verifies every page, row and index of the store, and names what is wrong. The shop may be running.
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
        let is_done = local::ask(&config.server.data, &Order::Check, &mut heard);
        let checked = match is_done {
            Ok(true) => Ok(()),
            Ok(false) => check::stopped(&path, &mut |report| match report {
                Report::Progress(text) => print(std::io::stderr(), &text),
                Report::Says(text) => print(std::io::stdout(), &text),
            })
            .map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        checked.map_err(|error| format!("{}: {error}", path.display()).into())
    }
}

/// Breaks off where nobody can be told any more.
fn print(mut out: impl Write, line: &str) -> ControlFlow<()> {
    match writeln!(out, "{line}").and_then(|()| out.flush()) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    }
}
