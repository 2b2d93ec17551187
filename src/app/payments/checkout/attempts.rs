//! The rows of payment attempts. Each row is written before the gateway is called.

use chrono::Duration;
use uuid::Uuid;

use crate::app::AppError;
use crate::app::jobs::queue::enqueue;
use crate::domain::payment::Payment;
use crate::store::tables::{self, Task};
use crate::store::{Read, WriteTx};

/// The time from the creation of an attempt until a job first queries the gateway's status.
const FIRST_QUERY_AFTER: Duration = Duration::seconds(20);

/// Returns the attempts to pay for a quote and for changes of its policy, oldest first.
pub(in crate::app) fn attempts(tx: &impl Read, quote: Uuid) -> Result<Vec<Payment>, AppError> {
    let found = tables::PAYMENT_BY_QUOTE.follow(tx, &quote, &tables::PAYMENTS)?;
    let mut attempts: Vec<Payment> = found.into_iter().map(|(_, attempt)| attempt).collect();
    // The id of a charge does not sort by time.
    attempts.sort_by_key(|attempt| (attempt.created, attempt.id));
    Ok(attempts)
}

/// Stores a new attempt with the job that queries its status. The job finds out the outcome even if
/// the process stops and starts again.
pub(in crate::app) fn insert_attempt(
    tx: &mut WriteTx<'_>,
    attempt: &Payment,
) -> Result<(), AppError> {
    tables::PAYMENTS.put_new(tx, &attempt.id, attempt)?;
    let query = Task::AskGateway {
        payment: attempt.id,
    };
    let due = attempt.created + FIRST_QUERY_AFTER;
    enqueue(tx, query, due, attempt.id)
}

/// Stores a new attempt to charge an instalment, with the job that charges it.
pub(in crate::app) fn insert_collection(
    tx: &mut WriteTx<'_>,
    attempt: &Payment,
) -> Result<(), AppError> {
    tables::PAYMENTS.put_new(tx, &attempt.id, attempt)?;
    let charge = Task::Collect {
        payment: attempt.id,
    };
    enqueue(tx, charge, attempt.created, attempt.id)
}
