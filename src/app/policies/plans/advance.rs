//! Does what a plan needs on its day: a charge, a notice or a reminder.

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use crate::app::AppError;
use crate::app::payments::checkout::attempts::insert_collection;
use crate::app::policies::queue_letter;
use crate::domain::payment::instrument::charge_id;
use crate::domain::payment::{InstalmentNumbers, Instrument, Payment, Purpose};
use crate::domain::policy::Policy;
use crate::domain::policy::plan::{
    Charge, EndNotice, NoticeLetter, PaymentPlan, PlanEvent, PlanStatus, REMINDER_DAYS,
};
use crate::domain::quote::QuoteStatus;
use crate::domain::time::dates::{add_days, london_date};
use crate::domain::transition::Transition;
use crate::metrics;
use crate::store::WriteTx;
use crate::store::tables::{self, PolicyNotification};

/// Starts today's charge of a plan, or gives the notice or the reminder that is due. `gateways` can charge
/// stored cards. Returns false if nothing was done: the policy has ended, ends today, or is to be ended.
pub(in crate::app) fn advance_plan(
    tx: &mut WriteTx<'_>,
    (day, policy): &(NaiveDate, Uuid),
    gateways: &[&'static str],
    now: DateTime<Utc>,
) -> Result<bool, AppError> {
    let today = london_date(now);
    let (plan, row) = (
        tables::PLANS.get(tx, policy)?,
        tables::POLICIES.get(tx, policy)?,
    );
    let quote = tables::QUOTES.get(tx, policy)?;
    let is_live = quote.is_some_and(|quote| quote.status == QuoteStatus::Live);
    let (Some(mut plan), Some(row)) = (plan, row.filter(|_| is_live)) else {
        return Ok(false);
    };
    let ends = row.expiry < today || row.scheduled_end.is_some_and(|end| end.on <= today);
    if ends || plan.next_day() != Some(*day) {
        return Ok(false);
    }
    if let Some(charge) = plan.start_charge(today) {
        match chargeable_card(tx, row.instrument, gateways)? {
            Some(card) => insert_collection(tx, &new_charge(&row, charge, card, now))?,
            None => fail_without_card(tx, &mut plan, *policy, charge, now)?,
        }
    } else if let Transition::Applied(_) = plan.apply(PlanEvent::Notice { on: today }) {
        queue_letter(tx, *policy, PolicyNotification::PlanNotice, now)?;
    } else if needs_reminder(plan.status, today) {
        let _ = plan.apply(PlanEvent::Reminder);
        queue_letter(tx, *policy, PolicyNotification::PlanReminder, now)?;
    } else {
        return Ok(false);
    }
    tables::PLANS.put(tx, policy, &plan)?;
    Ok(true)
}

fn needs_reminder(status: PlanStatus, today: NaiveDate) -> bool {
    match status {
        PlanStatus::Notice(EndNotice {
            ends_on,
            letter: NoticeLetter::Notice,
            is_sent: true,
            ..
        }) => add_days(ends_on, -REMINDER_DAYS) <= today,
        _ => false,
    }
}

/// Records that the last letter about the end of cover was sent on a London day.
pub(in crate::app) fn record_letter(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    on: NaiveDate,
) -> Result<(), AppError> {
    if let Some(mut plan) = tables::PLANS.get(tx, &policy)? {
        let _ = plan.apply(PlanEvent::LetterSent { on });
        tables::PLANS.put(tx, &policy, &plan)?;
    }
    Ok(())
}

/// Returns the card if one of `gateways` can charge it.
fn chargeable_card(
    tx: &WriteTx<'_>,
    instrument: Option<Uuid>,
    gateways: &[&'static str],
) -> Result<Option<Instrument>, AppError> {
    let card = instrument.map(|id| tables::INSTRUMENTS.get(tx, &id));
    let card = card.transpose()?.flatten();
    let can_charge = |card: &Instrument| {
        let is_usable = card.removed.is_none() && !card.is_unusable;
        is_usable && gateways.iter().any(|gateway| *gateway == card.gateway)
    };
    Ok(card.filter(can_charge))
}

/// Fails a charge at once, because the policy has no card to charge.
fn fail_without_card(
    tx: &mut WriteTx<'_>,
    plan: &mut PaymentPlan,
    policy: Uuid,
    charge: Charge,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let was_active = plan.status == PlanStatus::Active;
    let _ = plan.fail_charge(charge, false, london_date(now));
    metrics::count_collection("failed");
    if was_active {
        queue_letter(tx, policy, PolicyNotification::InstalmentFailed, now)?;
    }
    Ok(())
}

/// Returns the id of the attempt for a charge of a policy's plan.
pub(super) fn attempt_id(policy: Uuid, charge: Charge) -> Uuid {
    let purpose = Purpose::Instalments(InstalmentNumbers::new(&[charge.number]));
    let number = u32::try_from(charge.number).unwrap_or(u32::MAX);
    charge_id(policy, purpose, number, charge.attempt)
}

fn new_charge(policy: &Policy, charge: Charge, card: Instrument, now: DateTime<Utc>) -> Payment {
    let purpose = Purpose::Instalments(InstalmentNumbers::new(&[charge.number]));
    let id = attempt_id(policy.uuid, charge);
    let terms = (policy.revision, charge.amount);
    Payment::by_card(id, policy.uuid, terms, card, purpose, now)
}
