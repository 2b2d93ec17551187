//! Finds the payment of a line of a payout report, or of a gateway's list.

use uuid::Uuid;

use crate::app::AppError;
use crate::domain::payment::Payment;
use crate::store::Read;
use crate::store::tables::{PAYMENT_BY_REFERENCE, PAYMENTS};

/// Returns the gateway's payment that one of the names identifies. A name is our id or the
/// gateway's reference. Skips unreadable rows.
pub(in crate::app) fn payment(
    tx: &impl Read,
    provider: &str,
    names: &[String],
) -> Result<Option<Payment>, AppError> {
    for name in names {
        let id = match Uuid::parse_str(name) {
            Ok(id) => Some(id),
            Err(_) => {
                PAYMENT_BY_REFERENCE.get_readable(tx, &(provider.to_string(), name.clone()))?
            }
        };
        if let Some(id) = id
            && let Some(payment) = PAYMENTS.get_readable(tx, &id)?
            && payment.provider == provider
        {
            return Ok(Some(payment));
        }
    }
    Ok(None)
}
