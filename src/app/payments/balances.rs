//! Computes the balances of payments from the stored payments, refunds and disputes.

use uuid::Uuid;

use crate::app::AppError;
use crate::app::payments::checkout::attempts::attempts;
use crate::app::payments::refunds::policy_payments::{disputes_of, refunds_of};
use crate::domain::payment::Payment;
use crate::domain::payment::balance::PaymentBalance;
use crate::store::Read;
use crate::store::tables::PAYMENTS;

/// Returns the attempts to pay for a policy and its changes, each with its balance, oldest first.
///
/// # Errors
/// When the store fails.
pub fn balances_of(
    tx: &impl Read,
    policy: Uuid,
) -> Result<Vec<(Payment, PaymentBalance)>, AppError> {
    let (refunds, disputes) = (refunds_of(tx, policy)?, disputes_of(tx, policy)?);
    let payments = attempts(tx, policy)?.into_iter();
    let with_balance = |payment: Payment| {
        let balance = PaymentBalance::new(&payment, &refunds, &disputes);
        (payment, balance)
    };
    Ok(payments.map(with_balance).collect())
}

/// Returns the balance of one attempt to pay.
///
/// # Errors
/// [`AppError::NotFound`] if there is no such attempt.
pub(in crate::app) fn balance_of(
    tx: &impl Read,
    payment: Uuid,
) -> Result<PaymentBalance, AppError> {
    let payment = PAYMENTS.get(tx, &payment)?.ok_or(AppError::NotFound)?;
    let (refunds, disputes) = (
        refunds_of(tx, payment.quote)?,
        disputes_of(tx, payment.quote)?,
    );
    Ok(PaymentBalance::new(&payment, &refunds, &disputes))
}
