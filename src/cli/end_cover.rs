//! `layby end-cover`.

use clap::{Args, ValueEnum};

use super::execute::execute;
use super::print::print_line;
use super::setup::CommandError;
use crate::app::commands::StoreCommand;
use crate::app::policies::cancellations::end_cover::{CoverEnd, EndCause};
use crate::config::Config;

/// Gives a customer 14 days' notice that the cover ends, by a letter, or withdraws the notice. The shop may be
/// running.
#[derive(Args)]
pub(super) struct EndCover {
    /// The policy's reference.
    policy: String,
    /// The cause, which the letter names.
    #[arg(long, value_enum, required_unless_present = "withdraw")]
    cause: Option<CauseArg>,
    /// Withdraws the notice: cover goes on.
    #[arg(long, conflicts_with = "cause")]
    withdraw: bool,
    /// The person who ends the cover.
    #[arg(long, value_name = "NAME")]
    by: String,
    /// The reason. The customer doesn't see it.
    #[arg(long, value_name = "TEXT")]
    why: String,
}

#[derive(Clone, Copy, ValueEnum)]
enum CauseArg {
    /// The customer's bank took a payment back, and the dispute is lost.
    LostDispute,
    /// What the customer said about the policy is not true.
    Fraud,
}

impl EndCover {
    pub(super) fn run(self, config: &Config) -> Result<(), CommandError> {
        let order = CoverEnd {
            policy: self.policy,
            cause: self.cause.map(|cause| match cause {
                CauseArg::LostDispute => EndCause::LostDispute,
                CauseArg::Fraud => EndCause::Fraud,
            }),
            by: self.by,
            why: self.why,
        };
        execute(config, StoreCommand::EndCover(order), &mut print_line)
    }
}
