//! `layby resolve`.

use clap::{Args, ValueEnum};
use uuid::Uuid;

use super::execute::execute;
use super::print::print_line;
use super::setup::CommandError;
use crate::app::accounting::resolve::{PaymentWay, RefundMethod, Resolution, ResolutionWay};
use crate::app::commands::StoreCommand;
use crate::config::Config;

/// Records how a refund was settled by hand, and mails its customer. Also records how an unresolved payment
/// ended, or that a payout's unknown line is the shop's own money. It counts once. The shop may be running.
#[derive(Args)]
pub(super) struct Resolve {
    /// The id of the refund, the payment or the line, from `layby export payments --status unresolved`.
    id: Uuid,
    /// How the customer got the refund, or how the payment ended.
    #[arg(long, value_enum, default_value = "transfer")]
    method: MethodArg,
    /// Who resolves it.
    #[arg(long, value_name = "NAME")]
    by: String,
    /// The reason, and the bank transfer.
    #[arg(long, value_name = "TEXT")]
    why: String,
}

#[derive(Clone, Copy, ValueEnum)]
enum MethodArg {
    /// You paid it by bank transfer.
    Transfer,
    /// They had it already: by a lost dispute, or by a refund by hand at the gateway.
    AlreadyRefunded,
    /// Of a payment: the card was not charged.
    NotPaid,
    /// Of a payment: you gave the money back at the gateway.
    GivenBack,
    /// Of a payment that the gateway took back: the customer paid another way, or you ended the cover.
    Recovered,
}

impl Resolve {
    pub(super) fn run(self, config: &Config) -> Result<(), CommandError> {
        let resolution = Resolution {
            id: self.id,
            method: match self.method {
                MethodArg::Transfer => ResolutionWay::Refund(RefundMethod::Transfer),
                MethodArg::AlreadyRefunded => ResolutionWay::Refund(RefundMethod::AlreadyRefunded),
                MethodArg::NotPaid => ResolutionWay::Payment(PaymentWay::NotPaid),
                MethodArg::GivenBack => ResolutionWay::Payment(PaymentWay::GivenBack),
                MethodArg::Recovered => ResolutionWay::Payment(PaymentWay::Recovered),
            },
            by: self.by,
            why: self.why,
        };
        execute(config, StoreCommand::Resolve(resolution), &mut print_line)
    }
}
