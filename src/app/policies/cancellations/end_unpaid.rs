//! Ends a policy whose plan was not paid until the day of the notice.

use std::time::Duration;

use chrono::NaiveDate;
use tokio::time::Instant;
use uuid::Uuid;

use crate::app::payments::checkout::attempts::attempts;
use crate::app::payments::status;
use crate::app::policies::cancellations::end::{Termination, end};
use crate::app::policies::cancellations::refund_basis::RefundBasis;
use crate::app::policies::{self, PolicyContext};
use crate::app::{App, AppError};
use crate::domain::deterministic_id::id_from_parts;
use crate::domain::payment::{Payment, Purpose};
use crate::domain::policy::cancellation::NOT_PAID;
use crate::domain::policy::plan::{EndNotice, NoticeLetter, PlanStatus, REMINDER_DAYS};
use crate::domain::quote::{QuoteEvent, QuoteStatus};
use crate::domain::time::dates::{add_days, london_date, start_of_day};
use crate::store::{Read, StoreError, tables};

/// How long the job waits for gateways to report and to close the pages of one policy.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// Cancels a policy as of the day of its notice. Does nothing if that day has not come, if the customer paid, or
/// if the policy has ended. Also does nothing while a payment that began before that day has no outcome.
///
/// # Errors
/// If the store fails, or the policy changes meanwhile.
pub(in crate::app) async fn end_unpaid(app: &App, policy: Uuid) -> Result<(), AppError> {
    policies::apply_due_actions(app, policy).await?;
    let now = app.clock.now();
    let today = london_date(now);
    let Some(effective) = app.store.read(|tx| notice_end(tx, policy, today)).await? else {
        return Ok(());
    };
    let open = app
        .store
        .read(|tx| open_payments(tx, policy, effective))
        .await?;
    let deadline = Instant::now() + MAX_WAIT;
    status::sync_earlier_attempts(app, &open, deadline).await?;
    status::close_open_pages(app, open.iter(), deadline).await?;
    let basis = app
        .store
        .read(|tx| {
            let context: PolicyContext = policies::policy_unchecked(app, tx, policy)?;
            let is_live = context.quote.status == QuoteStatus::Live;
            match notice_end(tx, policy, today)?.filter(|_| is_live) {
                Some(_) => RefundBasis::load(tx, &context).map(Some),
                None => Ok(None),
            }
        })
        .await?;
    let Some(basis) = basis else {
        return Ok(());
    };
    app.store
        .write(move |tx| {
            let quote = tables::QUOTES.get(tx, &policy)?;
            let own = quote.zip(tables::POLICIES.get(tx, &policy)?);
            let own = own.filter(|(quote, _)| quote.status == QuoteStatus::Live);
            // The customer may have paid meanwhile.
            let (Some(own), Some(effective)) = (own, notice_end(tx, policy, today)?) else {
                return Ok(());
            };
            // The term is over before: the daily round ends the policy.
            if own.1.expiry < effective {
                return Ok(());
            }
            if !open_payments(tx, policy, effective)?.is_empty() {
                return Ok(());
            }
            let ending = Termination {
                event: QuoteEvent::Cancelled,
                id: id_from_parts(&[b"not paid", policy.as_bytes()]),
                reason: Some(NOT_PAID),
                note: None,
                effective,
                is_immediate: false,
                // The reminder was sent on this day at the latest.
                requested: start_of_day(add_days(effective, -REMINDER_DAYS)),
                dropped: None,
            };
            end(tx, own, basis.clone(), ending, now)
        })
        .await?;
    app.work_added.notify_one();
    Ok(())
}

/// Returns the first day without cover, if the customer was reminded of it and it has come.
fn notice_end(
    tx: &impl Read,
    policy: Uuid,
    today: NaiveDate,
) -> Result<Option<NaiveDate>, StoreError> {
    let plan = tables::PLANS.get(tx, &policy)?;
    Ok(plan.and_then(|plan| match plan.status {
        PlanStatus::Notice(EndNotice {
            ends_on,
            letter: NoticeLetter::Reminder,
            is_sent: true,
            ..
        }) if plan.open_charge().is_none() => Some(ends_on).filter(|day| *day <= today),
        _ => None,
    }))
}

/// Returns the payments of instalments that began before the London day `effective` and have no outcome.
fn open_payments(
    tx: &impl Read,
    policy: Uuid,
    effective: NaiveDate,
) -> Result<Vec<Payment>, AppError> {
    let mut open = attempts(tx, policy)?;
    open.retain(|payment| {
        let is_for_plan = matches!(payment.purpose, Purpose::Instalments(_));
        let has_outcome = payment.charged().is_some();
        is_for_plan && !has_outcome && payment.created < start_of_day(effective)
    });
    Ok(open)
}
