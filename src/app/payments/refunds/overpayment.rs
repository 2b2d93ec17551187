//! The status of payments that bought nothing, while their refunds proceed.

use chrono::{DateTime, Utc};

use crate::app::AppError;
use crate::app::payments::balance_of;
use crate::domain::money::Pence;
use crate::domain::payment::refund::Refund;
use crate::domain::payment::{self, Payment, PaymentEvent};
use crate::domain::transition::Transition;
use crate::store::{WriteTx, tables};

/// Stores the refund's outcome on a payment that bought nothing. Other payments are left unchanged.
/// The payment counts as refunded only once nothing is owed.
pub(in crate::app::payments) fn record_surplus(
    tx: &mut WriteTx<'_>,
    refund: &Refund,
    mut payment: Payment,
    event: PaymentEvent,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    if !refund.is_surplus() {
        return Ok(());
    }
    let balance = balance_of(tx, payment.id)?;
    let is_whole = event != PaymentEvent::Refunded || balance.owed_back == Pence::ZERO;
    if let Transition::Applied(status) = payment::apply(payment.status, event)
        && is_whole
    {
        payment.status = status;
    }
    if refund.message.is_some() {
        payment.message.clone_from(&refund.message);
    }
    payment.updated = now;
    Ok(tables::PAYMENTS.put(tx, &payment.id, &payment)?)
}
