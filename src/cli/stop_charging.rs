//! `layby stop-charging`.

use clap::Args;

use super::execute::execute;
use super::print::print_line;
use super::setup::CommandError;
use crate::app::commands::StoreCommand;
use crate::app::policies::stop_charging;
use crate::config::Config;

/// Ends the charges of a policy's card at once, for a caller who objects or for an estate. The shop may be
/// running.
#[derive(Args)]
pub(super) struct StopCharging {
    /// The policy's reference.
    policy: String,
    /// The person who stops the charges.
    #[arg(long, value_name = "NAME")]
    by: String,
    /// The reason.
    #[arg(long, value_name = "TEXT")]
    why: String,
}

impl StopCharging {
    pub(super) fn run(self, config: &Config) -> Result<(), CommandError> {
        let order = stop_charging::ChargingStop {
            policy: self.policy,
            by: self.by,
            why: self.why,
        };
        execute(config, StoreCommand::StopCharging(order), &mut print_line)
    }
}
