//! Attempts to pay.

use crate::domain::payment::Payment;
use crate::store::{StoreError, WriteTx, tables};

/// Writes an attempt to pay; its quote never changes.
pub(in crate::app) fn put(tx: &mut WriteTx<'_>, payment: &Payment) -> Result<(), StoreError> {
    tables::PAYMENTS.put(tx, &payment.id, payment)?;
    tables::PAYMENT_BY_QUOTE.put(tx, &(payment.quote, payment.id), &())
}
