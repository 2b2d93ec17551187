//! Closes an unresolved payment whose outcome is known.

use chrono::{DateTime, Utc};

use crate::app::AppError;
use crate::app::payments::status::outcome::queue_card_letter;
use crate::app::policies::{plans, renewals};
use crate::domain::payment::{
    self, Payment, PaymentEvent, PaymentResolution, PaymentWay, Purpose, Unresolved,
    UnresolvedReason,
};
use crate::domain::transition::Transition;
use crate::store::{WriteTx, tables};

/// The text for the customer about a payment that the gateway took back, after a person has closed
/// the case.
const RECOVERED: &str = "Your card's bank or the payment company took this payment back. You owe us \
                         nothing more for it.";

/// Stores the resolution of `payment`, which is unresolved for `reason`. Later reports of the
/// gateway still apply, unless the money went back at the gateway.
pub(in crate::app) fn close_unresolved(
    tx: &mut WriteTx<'_>,
    mut payment: Payment,
    reason: UnresolvedReason,
    resolution: PaymentResolution,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let is_recovered = resolution.method == PaymentWay::Recovered;
    payment.message = is_recovered.then(|| RECOVERED.to_string());
    let is_unpaid = resolution.method == PaymentWay::NotPaid;
    if is_unpaid
        && let Transition::Applied(status) = payment::apply(payment.status, PaymentEvent::Failed)
    {
        payment.status = status;
    }
    // The customer's letter states that no money was taken.
    if is_unpaid && payment.instrument().is_some() {
        if let Purpose::Instalments(_) = payment.purpose {
            plans::fail_payment(tx, &payment, now)?;
        } else {
            let unpaid = |tx: &mut WriteTx<'_>, policy, _, now| {
                renewals::queue_unpaid_letter(tx, policy, now)
            };
            queue_card_letter(tx, payment.quote, unpaid, now)?;
        }
    }
    if resolution.method == PaymentWay::GivenBack {
        plans::drop_charge(tx, &payment)?;
    }
    payment.unresolved = Some(Unresolved {
        reason,
        resolution: Some(resolution),
    });
    payment.updated = now;
    Ok(tables::PAYMENTS.put(tx, &payment.id, &payment)?)
}
