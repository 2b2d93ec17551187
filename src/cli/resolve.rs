//! `layby resolve`.

use clap::{Args, ValueEnum};
use uuid::Uuid;

use super::execute::execute;
use super::print::print_line;
use super::setup::CommandError;
use crate::app::accounting::resolve::{
    DisputeResult, PaymentWay, RefundFinding, RefundMethod, Resolution, ResolutionWay,
};
use crate::app::commands::StoreCommand;
use crate::config::Config;

/// Records how a person closed a refund, and mails the customer. Also records whether a gateway made an
/// unconfirmed refund, or how an unresolved payment or a dispute ended. Also accepts an unknown payout line as the shop's
/// own money. Each item can be resolved once. The shop may be running.
#[derive(Args)]
pub(super) struct Resolve {
    /// The id of the refund, payment, dispute, plan or payout line, from `layby export payments --status unresolved`.
    id: Uuid,
    /// How the customer got the refund, what the gateway did, or how the payment ended.
    #[arg(long, value_enum, default_value = "transfer")]
    method: MethodArg,
    /// The person who resolves the item.
    #[arg(long, value_name = "NAME")]
    by: String,
    /// The reason, and the reference of a bank transfer.
    #[arg(long, value_name = "TEXT")]
    why: String,
}

#[derive(Clone, Copy, ValueEnum)]
enum MethodArg {
    /// For a refund: you paid the refund by bank transfer.
    Transfer,
    /// For a refund: the customer had the money already, by a lost dispute or a refund at the gateway.
    AlreadyRefunded,
    /// For an unconfirmed refund: the gateway made it.
    RefundMade,
    /// For an unconfirmed refund: the gateway did not make it. It is requested again, unless it was closed.
    RefundNotMade,
    /// For a payment: the card was not charged.
    NotPaid,
    /// For a payment: you refunded the money at the gateway.
    GivenBack,
    /// For a payment that the gateway took back: the customer paid another way, or you ended the cover.
    Recovered,
    /// For a dispute that the gateway does not report: it was decided for you.
    DisputeWon,
    /// For a dispute that the gateway does not report: it was decided against you, or you did not answer.
    DisputeLost,
    /// For a message that the shop could not read, a second payment, a refund at the gateway by hand or after a
    /// backup, or a lost sale that `layby resume` found: you dealt with it.
    FollowedUp,
    /// For a monthly plan: the customer paid all that is due by bank transfer.
    PlanPaid,
}

impl Resolve {
    pub(super) fn run(self, config: &Config) -> Result<(), CommandError> {
        let resolution = Resolution {
            id: self.id,
            method: match self.method {
                MethodArg::Transfer => ResolutionWay::Refund(RefundMethod::Transfer),
                MethodArg::AlreadyRefunded => ResolutionWay::Refund(RefundMethod::AlreadyRefunded),
                MethodArg::RefundMade => ResolutionWay::Lookup(RefundFinding::Made),
                MethodArg::RefundNotMade => ResolutionWay::Lookup(RefundFinding::NotMade),
                MethodArg::NotPaid => ResolutionWay::Payment(PaymentWay::NotPaid),
                MethodArg::GivenBack => ResolutionWay::Payment(PaymentWay::GivenBack),
                MethodArg::Recovered => ResolutionWay::Payment(PaymentWay::Recovered),
                MethodArg::DisputeWon => ResolutionWay::Dispute(DisputeResult::Won),
                MethodArg::DisputeLost => ResolutionWay::Dispute(DisputeResult::Lost),
                MethodArg::FollowedUp => ResolutionWay::Message,
                MethodArg::PlanPaid => ResolutionWay::PlanPayment,
            },
            by: self.by,
            why: self.why,
        };
        execute(config, StoreCommand::Resolve(resolution), &mut print_line)
    }
}
