//! `layby status`.

use clap::Args;

use super::execute::execute;
use super::print::print_line;
use super::setup::CommandError;
use crate::app::commands::StoreCommand;
use crate::app::status::ShopStatus;
use crate::config::Config;

/// Shows the state of the shop on one screen: version, store, disk, queues, jobs that were set aside,
/// unresolved money, and what happened today. The shop may be running.
#[derive(Args)]
pub(super) struct StatusArgs {
    /// Prints a JSON object instead.
    #[arg(long)]
    json: bool,
}

impl StatusArgs {
    pub(super) fn run(self, config: &Config) -> Result<(), CommandError> {
        let mut reply = String::new();
        execute(config, StoreCommand::Status, &mut |line| reply = line)?;
        if self.json {
            print_line(reply);
            return Ok(());
        }
        let status: ShopStatus = serde_json::from_str(&reply)?;
        status.lines().into_iter().for_each(print_line);
        Ok(())
    }
}
