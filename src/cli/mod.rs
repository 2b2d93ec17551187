//! The command line: one file a subcommand.

mod export;
mod migrate;
mod seed;
mod serve;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::config::{Config, Layers};
use crate::store::{Store, StoreError};

/// Sells and services cover online: the shop, its store, its jobs and its website in one.
#[derive(Parser)]
#[command(name = "layby", version, about, arg_required_else_help = true)]
struct Cli {
    /// Settings that differ from the built-in ones.
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs the shop.
    Serve(serve::Serve),
    /// Fills an empty store with believable people, quotes and policies.
    Seed(seed::Seed),
    /// Brings an older store up to this layby's schema; a copy of it is made first.
    Migrate(migrate::Migrate),
    /// Writes something out: quotes, policies, or `openapi`, the API's document.
    Export(export::Export),
}

/// Runs the command line of this process. Answers 0 when it is done, 1 when it failed, with
/// one sentence on standard error; wrong usage exits with 2.
#[must_use]
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    match execute(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("layby: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Why a command failed: one sentence for the operator.
type Failure = Box<dyn std::error::Error>;

/// What is wrong with a store, and where it is.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}", .path.display())]
struct AtStore {
    path: PathBuf,
    #[source]
    why: StoreError,
}

fn execute(cli: Cli) -> Result<(), Failure> {
    let flags = match &cli.command {
        Command::Serve(serve) => serve.flags(),
        Command::Seed(seed) => data_flag(seed.data.as_ref()),
        Command::Migrate(migrate) => data_flag(migrate.data.as_ref()),
        Command::Export(export) => data_flag(export.data.as_ref()),
    };
    let config = Config::load(&Layers::of_process(cli.config.as_deref(), flags)?)?;
    crate::telemetry::init(config.log)?;
    match cli.command {
        Command::Serve(serve) => serve.run(config),
        Command::Seed(seed) => seed.run(config),
        Command::Migrate(migrate) => migrate.run(&config),
        Command::Export(export) => export.run(&config),
    }
}

fn data_flag(data: Option<&PathBuf>) -> Vec<(String, String)> {
    data.map(|path| ("server.data".to_string(), path.display().to_string()))
        .into_iter()
        .collect()
}

fn store_path(config: &Config) -> PathBuf {
    config.server.data.join("layby.redb")
}

/// Opens the store, making its folder first.
fn open_store(config: &Config) -> Result<Store, Failure> {
    let path = store_path(config);
    std::fs::create_dir_all(&config.server.data).map_err(|error| {
        format!(
            "the data folder {} can't be made: {error}",
            config.server.data.display()
        )
    })?;
    Store::open(&path).map_err(|why| AtStore { path, why }.into())
}

/// Where the store is, which must be there.
fn existing_store_path(config: &Config) -> Result<PathBuf, Failure> {
    let path = store_path(config);
    if path.exists() {
        Ok(path)
    } else {
        Err(format!("there is no store at {}", path.display()).into())
    }
}

/// Opens a store that must be there.
fn existing_store(config: &Config) -> Result<Store, Failure> {
    existing_store_path(config)?;
    open_store(config)
}

/// Reads the product files, or says every mistake in them.
fn load_products(config: &Config) -> Result<crate::products::Catalogue, Failure> {
    crate::products::Catalogue::load(config.products.folder.as_deref()).map_err(|mistakes| {
        let lines: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
        lines.join("\n").into()
    })
}

fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    Ok(tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?)
}
