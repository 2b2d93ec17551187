//! Attempts to pay.

use crate::domain::payment::Payment;
use crate::store::{StoreError, WriteTx, tables};

/// Writes an attempt to pay. It always belongs to the same quote, so its index row stays right.
pub(in crate::app) fn put(tx: &mut WriteTx<'_>, payment: &Payment) -> Result<(), StoreError> {
    tables::PAYMENTS.put(tx, &payment.id, payment)?;
    tables::PAYMENT_BY_QUOTE.put(tx, &(payment.quote, payment.id), &())
}

/// Removes an attempt to pay that moved no money.
pub(in crate::app) fn delete(tx: &mut WriteTx<'_>, payment: &Payment) {
    tables::PAYMENTS.delete(tx, &payment.id);
    tables::PAYMENT_BY_QUOTE.delete(tx, &(payment.quote, payment.id));
}
