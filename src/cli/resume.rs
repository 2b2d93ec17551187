//! `layby resume`.

use clap::Args;

use super::execute::execute;
use super::print::print_line;
use super::setup::CommandError;
use crate::app::commands::StoreCommand;
use crate::config::Config;

/// Resumes a shop whose clock and store disagree. The shop may be running.
#[derive(Args)]
pub(super) struct Resume {
    /// Confirms that this machine's clock is right. The store's newest write is more than 10 minutes later,
    /// or more than 40 days earlier.
    #[arg(long, required = true)]
    clock: bool,
}

impl Resume {
    pub(super) fn run(self, config: &Config) -> Result<(), CommandError> {
        execute(config, StoreCommand::ResumeClock, &mut print_line)
    }
}
