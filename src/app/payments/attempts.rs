//! Attempts to pay as rows: written before the gateway is asked.

use chrono::{DateTime, Duration, Utc};
use uuid::Uuid;

use crate::app::work::queue::enqueue;
use crate::app::{AppError, quotes};
use crate::domain::money::Pence;
use crate::domain::payment::Payment;
use crate::domain::quote::Quote;
use crate::store::tables::{self, Task};
use crate::store::{Read, WriteTx};

/// Seconds before a job first asks the gateway for the outcome; the wait grows with each try.
const FIRST_ASK: i64 = 20;

/// A quote's attempts, those for its changes too, oldest first.
pub(in crate::app) fn attempts(tx: &impl Read, quote: Uuid) -> Result<Vec<Payment>, AppError> {
    let found = tables::PAYMENT_BY_QUOTE.follow(tx, &quote, &tables::PAYMENTS)?;
    Ok(found.into_iter().map(|(_, attempt)| attempt).collect())
}

/// Stores a new attempt with the job that asks the gateway for its outcome, so that the outcome is
/// learned even if the process stops.
pub(in crate::app) fn write_down(tx: &mut WriteTx<'_>, attempt: &Payment) -> Result<(), AppError> {
    tables::PAYMENTS.put_new(tx, &attempt.id, attempt)?;
    let ask = Task::AskGateway {
        payment: attempt.id,
    };
    let due = attempt.created + Duration::seconds(FIRST_ASK);
    enqueue(tx, ask, due, attempt.id)
}

/// What the customer accepted, if it can be paid for now: the revision, what it costs, and
/// whether it is to renew by itself.
pub(in crate::app) fn accepted(
    quote: &Quote,
    now: DateTime<Utc>,
) -> Result<(u32, Pence, bool), AppError> {
    if !quote.is_buyable(now) {
        return Err(quotes::not_buyable(quote, now));
    }
    quote
        .accepted
        .as_ref()
        .map(|accepted| (accepted.revision, accepted.amount, accepted.auto_renew))
        .ok_or_else(|| {
            AppError::conflict(
                "not_accepted",
                "Please check your answers and accept the quote before you pay.",
            )
        })
}
