//! Finds the row of a task's subject, and the task's gateway.

use crate::store::tables::{self, Task};
use crate::store::{AnyTable, Read, StoreError};

/// Returns the table of a task's subject, and whether the row exists. Returns `None` for a task about a
/// mailbox or an address, which has no such row.
pub(super) fn subject(
    tx: &impl Read,
    task: &Task,
) -> Result<Option<(&'static str, bool)>, StoreError> {
    Ok(Some(match task {
        Task::AskGateway { payment } | Task::Collect { payment } => {
            (tables::PAYMENTS.name(), tables::PAYMENTS.has(tx, payment)?)
        }
        Task::SandboxCallback { payment, .. } => {
            (tables::SANDBOX.name(), tables::SANDBOX.has(tx, payment)?)
        }
        Task::Refund { refund } => (tables::REFUNDS.name(), tables::REFUNDS.has(tx, refund)?),
        Task::Renew { policy } | Task::RenewByCard { policy } => {
            (tables::POLICIES.name(), tables::POLICIES.has(tx, policy)?)
        }
        Task::RemoveCard { instrument } => (
            tables::INSTRUMENTS.name(),
            tables::INSTRUMENTS.has(tx, instrument)?,
        ),
        // A letter may concern a quote that was never bought.
        Task::MailPolicy { policy, .. } => (tables::QUOTES.name(), tables::QUOTES.has(tx, policy)?),
        Task::ClaimPolicies { user, .. } | Task::MailConfirmation { user } => {
            (tables::USERS.name(), tables::USERS.has(tx, user)?)
        }
        Task::MakeDocument { document } => (
            tables::DOCUMENTS.name(),
            tables::DOCUMENTS.has(tx, document)?,
        ),
        Task::MailQuote { .. }
        | Task::MailPassword { .. }
        | Task::MailNotice { .. }
        | Task::ReleaseQuotes { .. } => return Ok(None),
    }))
}

/// Returns the name of the gateway that a task calls. Returns `None` if the task calls none or a row is gone.
pub(super) fn gateway(tx: &impl Read, task: &Task) -> Result<Option<String>, StoreError> {
    let payment = match task {
        Task::AskGateway { payment } | Task::Collect { payment } => Some(*payment),
        Task::Refund { refund } => tables::REFUNDS
            .get(tx, refund)?
            .map(|refund| refund.payment),
        Task::RemoveCard { instrument } => {
            let card = tables::INSTRUMENTS.get(tx, instrument)?;
            return Ok(card.map(|card| card.gateway));
        }
        Task::RenewByCard { policy } => {
            let policy = tables::POLICIES.get(tx, policy)?;
            let card = policy.and_then(|policy| policy.instrument);
            let card = card
                .map(|id| tables::INSTRUMENTS.get(tx, &id))
                .transpose()?;
            return Ok(card.flatten().map(|card| card.gateway));
        }
        _ => None,
    };
    let payment = payment
        .map(|id| tables::PAYMENTS.get(tx, &id))
        .transpose()?;
    Ok(payment.flatten().map(|payment| payment.provider))
}
