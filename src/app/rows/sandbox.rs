//! The sandbox gateway's own books.

use uuid::Uuid;

use crate::domain::sandbox::SandboxPayment;
use crate::store::{StoreError, WriteTx, tables};

/// Writes a payment in the sandbox's books.
pub(in crate::app) fn put(
    tx: &mut WriteTx<'_>,
    payment: &SandboxPayment,
) -> Result<(), StoreError> {
    tables::SANDBOX.put(tx, &payment.payment, payment)
}

/// Removes a payment of the shop's from the sandbox's books.
pub(in crate::app) fn delete(tx: &mut WriteTx<'_>, payment: Uuid) {
    tables::SANDBOX.delete(tx, &payment);
}
