//! Applies the outcome of a payment to the plan that it pays for.

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use crate::app::AppError;
use crate::app::policies::plans::advance::attempt_id;
use crate::app::policies::queue_letter;
use crate::domain::money::Pence;
use crate::domain::payment::{DeclineClass, InstalmentNumbers, Payment, PaymentStatus};
use crate::domain::policy::plan::{PaymentPlan, PlanStatus};
use crate::domain::quote::QuoteStatus;
use crate::domain::time::dates::london_date;
use crate::metrics;
use crate::store::tables::{self, PolicyNotification};
use crate::store::{Read, WriteTx};

/// Collects the instalments that a payment paid. Returns false if the payment must go back: one of them is
/// collected already, the amounts have changed, or the policy has ended.
pub(in crate::app) fn collect_payment(
    tx: &mut WriteTx<'_>,
    payment: &Payment,
    numbers: InstalmentNumbers,
    now: DateTime<Utc>,
) -> Result<bool, AppError> {
    let policy = payment.quote;
    let Some(mut plan) = tables::PLANS.get(tx, &policy)? else {
        return Ok(false);
    };
    let today = london_date(now);
    if !plan.collect(&numbers.numbers(), payment.amount, today) {
        return Ok(false);
    }
    if payment.instrument().is_some() {
        plan.record_charge_day(payment.paid_on().min(today));
        metrics::count_collection("paid");
    }
    tables::PLANS.put(tx, &policy, &plan)?;
    if plan.due(NaiveDate::MAX) == Pence::ZERO {
        queue_letter(tx, policy, PolicyNotification::PlanPaid, now)?;
    }
    Ok(true)
}

/// Applies the failure of a charge to its plan, and queues the letter about the first failure. A card that
/// must not be charged again becomes unusable.
pub(in crate::app) fn fail_payment(
    tx: &mut WriteTx<'_>,
    payment: &Payment,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let policy = payment.quote;
    let class = payment.decline.as_ref().map(|decline| decline.class);
    if class == Some(DeclineClass::Never)
        && let Some(card) = payment.instrument()
        && let Some(mut card) = tables::INSTRUMENTS.get(tx, &card)?
    {
        card.is_unusable = true;
        tables::INSTRUMENTS.put(tx, &card.id, &card)?;
    }
    let Some(mut plan) = tables::PLANS.get(tx, &policy)? else {
        return Ok(());
    };
    let charge = plan.open_charge();
    let Some(charge) = charge.filter(|charge| attempt_id(policy, *charge) == payment.id) else {
        return Ok(());
    };
    let was_active = plan.status == PlanStatus::Active;
    let may_retry = !matches!(class, Some(DeclineClass::Never | DeclineClass::Customer));
    let _ = plan.fail_charge(charge, may_retry, london_date(now));
    tables::PLANS.put(tx, &policy, &plan)?;
    metrics::count_collection("failed");
    if was_active && plan.status != PlanStatus::Active {
        queue_letter(tx, policy, PolicyNotification::InstalmentFailed, now)?;
    }
    Ok(())
}

/// Ends the open charge of a plan whose money went back.
pub(in crate::app) fn drop_charge(tx: &mut WriteTx<'_>, payment: &Payment) -> Result<(), AppError> {
    let policy = payment.quote;
    let Some(mut plan) = tables::PLANS.get(tx, &policy)? else {
        return Ok(());
    };
    let charge = plan.open_charge();
    if let Some(charge) = charge.filter(|charge| attempt_id(policy, *charge) == payment.id) {
        plan.drop_charge(charge);
        tables::PLANS.put(tx, &policy, &plan)?;
    }
    Ok(())
}

/// Returns the status of the attempt for a plan's open charge. Returns `None` if no charge is open.
pub(in crate::app) fn open_charge_status(
    tx: &impl Read,
    policy: Uuid,
    plan: &PaymentPlan,
) -> Result<Option<PaymentStatus>, AppError> {
    let Some(charge) = plan.open_charge() else {
        return Ok(None);
    };
    let attempt = tables::PAYMENTS.get(tx, &attempt_id(policy, charge))?;
    Ok(Some(
        attempt.map_or(PaymentStatus::Processing, |own| own.status),
    ))
}

/// Refuses another payment or a change of the plan while a charge is open.
///
/// # Errors
/// A conflict that says what the shop knows about the charge.
pub(in crate::app) fn require_no_open_charge(
    tx: &impl Read,
    policy: Uuid,
    plan: &PaymentPlan,
) -> Result<(), AppError> {
    let why = match open_charge_status(tx, policy, plan)? {
        None => return Ok(()),
        Some(PaymentStatus::Unresolved) => {
            "We could not find out whether your card was charged. Please call us before you pay again."
        }
        Some(_) => {
            "A charge of your card has no outcome yet. Most take a few minutes, some a day. Please wait."
        }
    };
    Err(AppError::conflict("charge_open", why))
}

/// Returns whether an attempt is the open charge of its plan: the policy is live, and still has the card.
pub(in crate::app) fn is_charge_open(tx: &impl Read, attempt: &Payment) -> Result<bool, AppError> {
    let policy = attempt.quote;
    let plan = tables::PLANS.get(tx, &policy)?;
    let charge = plan.and_then(|plan| plan.open_charge());
    let is_open = charge.is_some_and(|charge| attempt_id(policy, charge) == attempt.id);
    let quote = tables::QUOTES.get(tx, &policy)?;
    let is_live = quote.is_some_and(|quote| quote.status == QuoteStatus::Live);
    let row = tables::POLICIES.get(tx, &policy)?;
    let has_card = row.is_some_and(|row| row.instrument == attempt.instrument());
    Ok(is_open && is_live && has_card)
}
