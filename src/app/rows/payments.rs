//! Attempts to pay.

use uuid::Uuid;

use crate::domain::payment::Payment;
use crate::store::{StoreError, WriteTx, tables};

/// What an attempt is found by: its provider and what that one calls it.
pub(in crate::app) fn references(payment: &Payment) -> Vec<(String, String)> {
    let own = payment.references.values();
    own.map(|reference| (payment.provider.clone(), reference.clone()))
        .collect()
}

/// Writes an attempt to pay. It always belongs to the same quote, so that index row stays right.
pub(in crate::app) fn put(tx: &mut WriteTx<'_>, payment: &Payment) -> Result<(), StoreError> {
    let now = references(payment);
    let before = tables::PAYMENTS.get(tx, &payment.id)?;
    let mut gone = before.as_ref().map(references).unwrap_or_default();
    gone.retain(|key| !now.contains(key));
    forget(tx, payment.id, &gone)?;
    for key in &now {
        tables::PAYMENT_BY_REFERENCE.put(tx, key, &payment.id)?;
    }
    tables::PAYMENTS.put(tx, &payment.id, payment)?;
    tables::PAYMENT_BY_QUOTE.put(tx, &(payment.quote, payment.id), &())
}

/// Removes an attempt to pay that moved no money.
pub(in crate::app) fn delete(tx: &mut WriteTx<'_>, payment: &Payment) -> Result<(), StoreError> {
    forget(tx, payment.id, &references(payment))?;
    tables::PAYMENTS.delete(tx, &payment.id);
    tables::PAYMENT_BY_QUOTE.delete(tx, &(payment.quote, payment.id));
    Ok(())
}

/// Removes index rows that lead to this attempt.
fn forget(tx: &mut WriteTx<'_>, id: Uuid, keys: &[(String, String)]) -> Result<(), StoreError> {
    for key in keys {
        if tables::PAYMENT_BY_REFERENCE.get(tx, key)? == Some(id) {
            tables::PAYMENT_BY_REFERENCE.delete(tx, key);
        }
    }
    Ok(())
}
