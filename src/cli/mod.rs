//! The command line: one file for each subcommand.

mod backup;
mod check;
mod config;
mod end_cover;
mod execute;
mod export;
mod init;
mod jobs;
mod mail;
mod memory;
mod migrate;
mod output;
mod preflight;
mod print;
mod process;
mod reconcile;
mod resolve;
mod restore;
mod resume;
mod seed;
mod serve;
mod setup;
mod status;
mod stop_charging;
mod tasks;

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::config::{Config, Layers};
use setup::{CommandError, error_text};

/// The version, and the commit of a release binary.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), env!("BUILD_COMMIT"));

/// Sells and services cover online: the shop, its store, its jobs and its website in one.
#[derive(Parser)]
#[command(name = "layby", version = VERSION, about, arg_required_else_help = true)]
struct Cli {
    /// File with the settings that differ from the built-in settings.
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Folder of the shop's data.
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs the shop.
    Serve(serve::Serve),
    /// Writes the settings file of a new shop.
    Init(init::Init),
    /// Fills a store with invented people, quotes and policies.
    Seed(seed::Seed),
    /// Upgrades an older store to this layby's schema, or copies a store into a database or a file.
    Migrate(migrate::Migrate),
    /// Checks every row and index of the store, and the documents, and lists the errors. If no shop runs,
    /// also checks every page of the store's file. The shop may be running.
    Check(check::CheckArgs),
    /// Copies the store of one moment into a file, or checks such a file. The shop may be running.
    Backup(backup::BackupArgs),
    /// Shows the state of the shop on one screen.
    Status(status::StatusArgs),
    /// Lists the letters that wait or were given up, retries them, or deletes them.
    Mail(mail::Mail),
    /// Lists the jobs that were set aside, retries them, or deletes them.
    Jobs(jobs::Jobs),
    /// Compares a gateway's payout report with the shop's records. The shop may be running.
    Reconcile(reconcile::Reconcile),
    /// Records how a person closed a refund, how a payment ended, or that a payout line is the shop's own.
    /// The shop may be running.
    Resolve(resolve::Resolve),
    /// Ends the charges of a policy's card. The shop may be running.
    StopCharging(stop_charging::StopCharging),
    /// Gives a customer notice that the cover ends, or withdraws the notice. The shop may be running.
    EndCover(end_cover::EndCover),
    /// Makes a shop from a backup, in a data folder without a store.
    Restore(restore::Restore),
    /// Resumes a shop whose clock and store disagree. The shop may be running.
    Resume(resume::Resume),
    /// Prints each setting in force, and where its value comes from. Hides secrets.
    Config,
    /// Exports quotes, policies, money that needs a person, or the API's document.
    Export(export::Export),
}

impl Command {
    /// Returns whether the command needs only the settings that locate the store.
    fn needs_only_store(&self) -> bool {
        match self {
            Self::Mail(mail) => !mail.is_test(),
            // A held shop asks its gateways.
            Self::Resume(resume) => resume.is_for_clock(),
            Self::Status(_)
            | Self::Jobs(_)
            | Self::Resolve(_)
            | Self::StopCharging(_)
            | Self::EndCover(_) => true,
            _ => false,
        }
    }
}

/// Runs the command line of this process. Returns 0 if the command succeeds, or if nobody reads its output
/// any more. If the command fails, writes the error to standard error and returns 1. Wrong usage ends the
/// process with exit code 2.
#[must_use]
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    process::prepare();
    let done = catch_unwind(AssertUnwindSafe(|| execute(cli)));
    let why = match done {
        Ok(Ok(())) => return ExitCode::SUCCESS,
        Ok(Err(error)) if print::is_broken_pipe(&*error) => return ExitCode::SUCCESS,
        Ok(Err(error)) => error_text(&error),
        Err(_) => "this failed inside: `layby check` says whether the store is damaged".to_string(),
    };
    // If nobody reads standard error, the operator gets only the exit code.
    let _ = writeln!(std::io::stderr(), "layby: {why}");
    ExitCode::FAILURE
}

fn execute(cli: Cli) -> Result<(), CommandError> {
    if let Command::Init(init) = cli.command {
        return init.run(cli.data.as_deref());
    }
    let data = cli
        .data
        .map(|folder| ("server.data".to_string(), folder.display().to_string()));
    let listen = match &cli.command {
        Command::Serve(serve) => serve.listen.clone(),
        _ => None,
    };
    let listen = listen.map(|address| ("server.listen".to_string(), address));
    let flags = data.into_iter().chain(listen).collect();
    let layers = Layers::from_process(cli.config.as_deref(), flags)?;
    if matches!(cli.command, Command::Config) {
        return config::print_settings(&layers);
    }
    let config = Config::load(&layers).or_else(|error| match cli.command.needs_only_store() {
        true => Config::load(&layers.restrict_to_store()).map_err(|_| error),
        false => Err(error),
    })?;
    crate::telemetry::init(config.log)?;
    crate::telemetry::log_panics();
    match cli.command {
        Command::Serve(serve) => serve.run(config),
        Command::Seed(seed) => seed.run(config),
        Command::Migrate(migrate) => migrate.run(&config),
        Command::Check(check) => check.run(&config),
        Command::Backup(backup) => backup.run(&config),
        Command::Status(status) => status.run(&config),
        Command::Mail(mail) => mail.run(&config),
        Command::Jobs(jobs) => jobs.run(&config),
        Command::Reconcile(reconcile) => reconcile.run(&config),
        Command::Resolve(resolve) => resolve.run(&config),
        Command::StopCharging(stop) => stop.run(&config),
        Command::EndCover(end) => end.run(&config),
        Command::Restore(restore) => restore.run(&config),
        Command::Resume(resume) => resume.run(&config),
        // These commands have ended before the settings were checked.
        Command::Config | Command::Init(_) => Ok(()),
        Command::Export(export) => export.run(&config),
    }
}
