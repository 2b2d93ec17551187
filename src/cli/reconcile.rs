//! `layby reconcile`.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;

use super::execute::execute;
use super::print::print_line;
use super::setup::{self, AtStore, CommandError};
use crate::app::accounting::reconcile::{MAX_REPORT_BYTES, Reconciliation};
use crate::app::commands::StoreCommand;
use crate::config::{Config, GatewayName};

/// Compares a gateway's payout report with the shop's records, line by line. Posts matching lines of payouts
/// to the ledger. The shop may be running. The same file may be given again.
#[derive(Args)]
pub(super) struct Reconcile {
    /// Stripe's itemised payout report, a settlement report of Global Payments (JSON), or another file. Such
    /// a file has the columns reference, gross, fee, net, kind and payout, with amounts in pounds.
    file: PathBuf,
    /// The name of the report's gateway in the settings. Reports of Stripe and Global Payments need no name.
    #[arg(long, value_name = "NAME", value_parser = gateway)]
    gateway: Option<String>,
}

impl Reconcile {
    pub(super) fn run(self, config: &Config) -> Result<(), CommandError> {
        setup::require_store(config)?;
        let file = self.file.display();
        let report = read(&self.file).map_err(|why| format!("{file}: {why}"))?;
        let reconciliation = Reconciliation {
            gateway: self.gateway,
            report,
        };
        let done = execute(
            config,
            StoreCommand::Reconcile(reconciliation),
            &mut print_line,
        );
        done.map_err(|why| match why.downcast::<AtStore>() {
            Ok(why) => why as CommandError,
            Err(why) => format!("{file}: {why}").into(),
        })
    }
}

/// Checks a gateway's name. With a wrong name, the shop would store every line of the report as unknown.
fn gateway(name: &str) -> Result<String, String> {
    let gateway_name = GatewayName::parse(name).map(|gateway| gateway.name().to_string());
    gateway_name.ok_or_else(|| {
        let names = GatewayName::ALL.map(GatewayName::name).join(", ");
        format!("there is no such gateway; these are known: {names}")
    })
}

/// Reads the file as UTF-8 text.
///
/// # Errors
/// If the file can't be read, is larger than [`MAX_REPORT_BYTES`], or is not UTF-8. The error's text does not
/// contain the file's name. For a file that is not UTF-8, the text names the first wrong line.
fn read(path: &Path) -> Result<String, String> {
    let cant = |error: std::io::Error| format!("it can't be read: {error}");
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(cant)?;
    file.take(MAX_REPORT_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(cant)?;
    if bytes.len() as u64 > MAX_REPORT_BYTES {
        let max_mib = MAX_REPORT_BYTES >> 20;
        return Err(format!(
            "it is larger than {max_mib} MiB: ask the gateway for a report of fewer days"
        ));
    }
    String::from_utf8(bytes).map_err(|error| {
        let good = error
            .as_bytes()
            .iter()
            .take(error.utf8_error().valid_up_to());
        let line = 1 + good.filter(|byte| **byte == b'\n').count();
        format!("line {line}: it is not UTF-8 text")
    })
}
