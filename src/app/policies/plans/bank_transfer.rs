//! Records that a customer paid what is due of a plan by bank transfer.

use chrono::{DateTime, Utc};

use crate::app::payments::ledger;
use crate::app::policies::plans::payments::collect_payment;
use crate::app::{AppError, new_id};
use crate::domain::money::Pence;
use crate::domain::money::ledger::Entry;
use crate::domain::payment::{FollowUp, InstalmentNumbers, Payment};
use crate::domain::policy::Policy;
use crate::domain::policy::plan::PaymentPlan;
use crate::domain::time::dates::london_date;
use crate::store::WriteTx;
use crate::store::tables::PAYMENTS;

/// Stores the payment of all that is due, and posts it to the account of the bank. Returns what was paid, in pence,
/// or why it can't be recorded.
///
/// # Errors
/// If the store fails.
pub(in crate::app) fn record_bank_transfer(
    tx: &mut WriteTx<'_>,
    (policy, plan): (&Policy, &PaymentPlan),
    person: &FollowUp,
    now: DateTime<Utc>,
) -> Result<Result<Pence, &'static str>, AppError> {
    let today = london_date(now);
    let due = plan.due(today);
    if due == Pence::ZERO {
        return Ok(Err("nothing is due."));
    }
    if plan.open_charge().is_some() {
        return Ok(Err(
            "the card is being charged. Try again after the outcome is known.",
        ));
    }
    let numbers = InstalmentNumbers::new(&plan.unpaid(today));
    let terms = (policy.revision, due);
    let payment = Payment::by_transfer(new_id(now), policy.uuid, terms, numbers, person, now);
    if !collect_payment(tx, &payment, numbers, now)? {
        return Err(AppError::Internal("what is due was not collected".into()));
    }
    PAYMENTS.put_new(tx, &payment.id, &payment)?;
    let entry = Entry::payment(now, &payment.provider, payment.id, due);
    ledger::post(tx, policy.uuid, &entry)?;
    Ok(Ok(due))
}
