//! `layby resume`.

use std::path::PathBuf;

use clap::Args;

use super::print::{repeat, say};
use super::setup::{self, Failure};
use crate::api::local::{self, Order};
use crate::app::resume;
use crate::config::Config;

/// Lets a shop go on that stopped by itself. The shop may be running.
#[derive(Args)]
pub(super) struct Resume {
    /// Folder of the store.
    #[arg(long, value_name = "DIR")]
    pub(super) data: Option<PathBuf>,
    /// Confirms that this machine's clock is right, though the store's newest write is later, or more than 40
    /// days earlier.
    #[arg(long, required = true)]
    clock: bool,
}

impl Resume {
    pub(super) fn run(self, config: &Config) -> Result<(), Failure> {
        setup::require_store(config)?;
        if local::ask(&config.server.data, &Order::ResumeClock, &mut repeat)? {
            return Ok(());
        }
        let (store, now) = (setup::existing_store(config)?, config.clock().now());
        let line = setup::runtime()?.block_on(resume::confirm_clock(&store, now))?;
        let _ = say(&line);
        Ok(())
    }
}
