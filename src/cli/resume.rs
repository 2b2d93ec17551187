//! `layby resume`.

use clap::Args;

use super::execute::execute;
use super::print::print_line;
use super::setup::CommandError;
use crate::app::commands::StoreCommand;
use crate::config::Config;

/// Releases a shop that is held after a restore. Or resumes a shop whose clock and store disagree. The shop may
/// be running.
#[derive(Args)]
pub(super) struct Resume {
    /// Only lists what was paid and refunded since the backup and is not in the store.
    #[arg(long)]
    dry_run: bool,
    /// Confirms that this machine's clock is right. The store's newest write is more than 10 minutes later,
    /// or more than 40 days earlier.
    #[arg(long, conflicts_with = "dry_run")]
    clock: bool,
}

impl Resume {
    /// Returns whether the command only confirms the clock.
    pub(super) const fn is_for_clock(&self) -> bool {
        self.clock
    }

    pub(super) fn run(self, config: &Config) -> Result<(), CommandError> {
        let is_dry_run = self.dry_run;
        let command = if self.clock {
            StoreCommand::ResumeClock
        } else {
            StoreCommand::Resume { is_dry_run }
        };
        execute(config, command, &mut print_line)
    }
}
