//! Stores genuine gateway messages of an unknown form, and enqueues a query of the payment's status.

use chrono::{DateTime, Utc};
use tokio::sync::Notify;
use uuid::Uuid;

use crate::app::AppError;
use crate::app::jobs::queue::enqueue;
use crate::clock::Clock;
use crate::domain::payment::{Payment, UnreadMessage};
use crate::store::Store;
use crate::store::tables::{self, PAYMENTS, Task};

/// The maximum number of messages stored for one payment. Further messages are only logged.
const MAX_MESSAGES: usize = 20;

pub(super) const PAID_TWICE: &str =
    "one attempt was paid twice: a person must give the second payment back";

/// Stores a message that the shop can't parse, and enqueues a job that queries the payment's status.
/// Only logs a message that is stored already, or that exceeds [`MAX_MESSAGES`].
pub(in crate::app::payments) async fn record_unread_message(
    store: &Store,
    clock: &Clock,
    work_added: &Notify,
    payment: Uuid,
    reference: String,
    kind: String,
) -> Result<(), AppError> {
    if kind == UnreadMessage::SECOND_PAYMENT {
        tracing::error!(%payment, reference, "{PAID_TWICE}");
    } else {
        tracing::error!(
            %payment, reference, kind,
            "a gateway's message is of a form that we don't know: is its webhook of another API version?"
        );
    }
    let now = clock.now();
    store
        .write(move |tx| {
            let mut row = PAYMENTS.get(tx, &payment)?.ok_or(AppError::NotFound)?;
            if !add(&mut row, &reference, &kind, now) {
                return Ok(());
            }
            tables::PAYMENTS.put(tx, &row.id, &row)?;
            enqueue(tx, Task::AskGateway { payment }, now, payment)
        })
        .await?;
    work_added.notify_one();
    Ok(())
}

/// Adds a message to a payment, and returns whether it was added. Does not add a message with a stored
/// reference, or more than [`MAX_MESSAGES`]. Adds each second payment with a new reference, even above
/// [`MAX_MESSAGES`].
pub(super) fn add(payment: &mut Payment, reference: &str, kind: &str, now: DateTime<Utc>) -> bool {
    let messages = &mut payment.unread_messages;
    let is_known = messages.iter().any(|one| one.reference == reference);
    let is_full = messages.len() >= MAX_MESSAGES && kind != UnreadMessage::SECOND_PAYMENT;
    if is_known || is_full {
        return false;
    }
    messages.push(UnreadMessage {
        reference: reference.to_owned(),
        kind: kind.to_owned(),
        received: now,
        follow_up: None,
    });
    true
}
