//! Payments that bought nothing, as their refunds go.

use chrono::{DateTime, Utc};

use crate::app::{AppError, rows};
use crate::domain::payment::{self, Payment, PaymentEvent};
use crate::domain::refund::Refund;
use crate::domain::transition::Transition;
use crate::store::WriteTx;

/// Notes on a payment that bought nothing whether it was given back.
pub(super) fn note_surplus(
    tx: &mut WriteTx<'_>,
    refund: &Refund,
    mut payment: Payment,
    event: PaymentEvent,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    if !refund.is_surplus() {
        return Ok(());
    }
    if let Transition::Applied(status) = payment::apply(payment.status, event) {
        payment.status = status;
    }
    if refund.message.is_some() {
        payment.message.clone_from(&refund.message);
    }
    payment.updated = now;
    Ok(rows::payments::put(tx, &payment)?)
}
