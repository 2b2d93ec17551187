//! `layby migrate`.

use clap::Args;

use super::Failure;
use crate::config::Config;
use crate::store::SCHEMA;

/// Checks the store's version, and brings an older store up to this one.
#[derive(Args)]
pub(super) struct Migrate {
    /// Folder of the store.
    #[arg(long, value_name = "DIR")]
    pub(super) data: Option<std::path::PathBuf>,
    /// Only says what would be done.
    #[arg(long)]
    dry_run: bool,
}

impl Migrate {
    pub(super) fn run(self, config: &Config) -> Result<(), Failure> {
        // Opening refuses a store that is newer than this program.
        let about = super::existing_store(config)?.about()?;
        println!(
            "store schema {}, written by layby {}; this layby {} knows schema {SCHEMA}",
            about.schema,
            about.written_by,
            env!("CARGO_PKG_VERSION"),
        );
        // Schema 1 is the first, so there is no older one to bring up.
        if self.dry_run {
            println!("nothing would be changed");
        } else {
            println!("nothing to change");
        }
        Ok(())
    }
}
