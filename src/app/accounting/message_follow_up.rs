//! For `layby resolve`: stores what a person did about a gateway's message.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::AppError;
use crate::app::accounting::resolution::{Resolution, refusal};
use crate::app::accounting::unresolved::number;
use crate::domain::payment::{FollowUp, Payment};
use crate::store::tables::PAYMENTS;
use crate::store::{StoreError, WriteTx};

/// Stores what a person did about a message or a second payment.
pub(super) fn close_message(
    tx: &mut WriteTx<'_>,
    order: &Resolution,
    now: DateTime<Utc>,
) -> Result<String, AppError> {
    let id = order.id;
    let is_named = |row: &Result<(Uuid, Payment), StoreError>| {
        row.as_ref().map_or(true, |(_, payment)| {
            let mut messages = payment.unread_messages.iter();
            messages.any(|one| one.id(payment.id) == id && one.follow_up.is_none())
        })
    };
    let found = PAYMENTS.rows(&*tx, &()).find(is_named).transpose()?;
    let Some((_, mut payment)) = found else {
        return Err(refusal(format!("{id}: there is no such message.")));
    };
    let owner = payment.id;
    let messages = payment.unread_messages.iter_mut();
    for message in messages.filter(|one| one.id(owner) == id) {
        message.follow_up = Some(FollowUp {
            by: order.by.clone(),
            why: order.why.clone(),
            at: now,
        });
    }
    let number = number(tx, payment.quote)?.unwrap_or_default();
    PAYMENTS.put(tx, &owner, &payment)?;
    Ok(format!("message {id} of {number} is followed up"))
}
