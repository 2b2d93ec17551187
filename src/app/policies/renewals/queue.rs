//! Queues letters and jobs about a renewal.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use crate::app::AppError;
use crate::app::jobs::queue::enqueue;
use crate::app::payments::checkout::attempts::attempts;
use crate::app::policies::queue_letter;
use crate::domain::payment::{DeclineClass, FailureClass, Payment, PaymentStatus};
use crate::domain::policy::Policy;
use crate::domain::policy::renewal::{self, RenewalEvent};
use crate::domain::quote::{Quote, QuoteStatus};
use crate::domain::time::dates::{add_days, london_date, start_of_day};
use crate::domain::transition::Transition;
use crate::store::WriteTx;
use crate::store::tables::{self, PolicyNotification, Task};

/// Queues the letter about a saved renewal quote, due at `due`. The letter has the renewal's price, or
/// states that underwriting declined or referred the renewal.
pub(in crate::app) fn queue_quote_letter(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    status: QuoteStatus,
    quote: Uuid,
    due: DateTime<Utc>,
) -> Result<(), AppError> {
    let news = match status {
        QuoteStatus::Declined | QuoteStatus::Refer => PolicyNotification::NotRenewable { quote },
        _ => PolicyNotification::RenewalQuoted { quote },
    };
    queue_letter(tx, policy, news, due)
}

/// Days from the reminder to an automatic renewal's charge.
pub(in crate::app) const REMINDER_DAYS: i64 = 7;
/// The hour of the reminder, in London.
const REMINDER_HOUR: TimeDelta = TimeDelta::hours(8);

/// Queues the reminder of the charge for `renewal`, whose letter was sent just now. Queues none if its day is over.
/// The letter job sends nothing if the policy does not renew automatically then.
pub(in crate::app) fn queue_reminder(
    tx: &mut WriteTx<'_>,
    policy: &Policy,
    renewal: &Quote,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let Some(charge_day) = renewal::charge_day(policy.expiry, london_date(now)) else {
        return Ok(());
    };
    let due = start_of_day(add_days(charge_day, -REMINDER_DAYS)) + REMINDER_HOUR;
    if due <= now {
        return Ok(());
    }
    let news = PolicyNotification::RenewalReminder {
        quote: renewal.uuid,
    };
    queue_letter(tx, policy.uuid, news, due)
}

/// Queues a job that quotes a policy's renewal again, if the renewal is quoted already. `subject_id` is the
/// change or cancellation that altered the policy's present answers or the answers agreed for a later day.
pub(in crate::app) fn queue_requote(
    tx: &mut WriteTx<'_>,
    policy: &Policy,
    subject_id: Uuid,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    if policy.renewal.quote().is_none() {
        return Ok(());
    }
    let policy = policy.uuid;
    enqueue(tx, Task::Renew { policy }, now, subject_id)
}

/// Queues the renewal letter after a cancellation is withdrawn. The letter job sends nothing if the
/// customer was notified of the renewal's newest revision already.
pub(in crate::app) fn send_renewal_notice(
    tx: &mut WriteTx<'_>,
    policy: &Policy,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let Some(renewal) = policy.renewal.quote() else {
        return Ok(());
    };
    match tables::QUOTES.get(tx, &renewal)? {
        Some(quote) => queue_quote_letter(tx, policy.uuid, quote.status, renewal, now),
        None => Ok(()),
    }
}

/// Queues the letter that the result of the stored card's charge for `quote` is unknown.
pub(in crate::app) fn queue_unclear_letter(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    quote: Uuid,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    // The letter job chooses the text, because the gateway may report before the job runs.
    queue_letter(tx, policy, PolicyNotification::CardRefused { quote }, now)
}

/// Records that a try of the stored card failed for good. If another try may succeed, plans it, and queues a
/// letter about the first failed try. Otherwise queues the letter that the renewal is unpaid.
pub(in crate::app) fn retry_or_refuse(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    charge: &Payment,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let Some(mut row) = tables::POLICIES.get(tx, &policy)? else {
        return Ok(());
    };
    let is_same_card = row.instrument.is_some() && row.instrument == charge.instrument();
    let may_retry = is_same_card && row.auto_renew && may_succeed(charge);
    let others = attempts(tx, charge.quote)?.into_iter();
    let failed = others.filter(|other| {
        let is_charge = other.instrument().is_some() && other.id != charge.id;
        is_charge && other.status == PaymentStatus::Failed
    });
    let failed = failed.count() + 1;
    let next = renewal::next_try(failed, london_date(now), row.expiry);
    let Some(on) = next.filter(|_| may_retry) else {
        return queue_unpaid_letter(tx, policy, now);
    };
    let retried = renewal::apply(row.renewal, RenewalEvent::CardRetried { on });
    let (Some(quote), Transition::Applied(status)) = (row.renewal.quote(), retried) else {
        return Ok(());
    };
    row.renewal = status;
    tables::POLICIES.put(tx, &row.uuid, &row)?;
    if failed == 1 {
        queue_letter(tx, policy, PolicyNotification::CardRefused { quote }, now)?;
    }
    Ok(())
}

/// Returns whether another try of a failed charge may succeed. A charge that never arrived has no decline.
fn may_succeed(charge: &Payment) -> bool {
    match &charge.decline {
        Some(decline) => !matches!(decline.class, DeclineClass::Never | DeclineClass::Customer),
        None => charge
            .failure
            .is_some_and(|failure| failure.class == FailureClass::Abandoned),
    }
}

/// Queues the letter, once, that the stored card has not paid for the renewal.
pub(in crate::app) fn queue_unpaid_letter(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let Some(mut row) = tables::POLICIES.get(tx, &policy)? else {
        return Ok(());
    };
    let refused = renewal::apply(row.renewal, RenewalEvent::CardRefused);
    let (Some(quote), Transition::Applied(status)) = (row.renewal.quote(), refused) else {
        return Ok(());
    };
    row.renewal = status;
    tables::POLICIES.put(tx, &row.uuid, &row)?;
    queue_letter(tx, policy, PolicyNotification::CardRefused { quote }, now)
}
