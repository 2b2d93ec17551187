//! Ends a policy whose plan was not paid until the day of the notice.

use chrono::NaiveDate;
use uuid::Uuid;

use crate::app::policies::cancellations::end::{Termination, end};
use crate::app::policies::cancellations::refund_basis::RefundBasis;
use crate::app::policies::{self, PolicyContext};
use crate::app::{App, AppError};
use crate::domain::deterministic_id::id_from_parts;
use crate::domain::policy::cancellation::NOT_PAID;
use crate::domain::policy::plan::{PlanStatus, REMINDER_DAYS};
use crate::domain::quote::{QuoteEvent, QuoteStatus};
use crate::domain::time::dates::{add_days, london_date, start_of_day};
use crate::store::{Read, StoreError, tables};

/// Cancels a policy as of the day of its notice. Does nothing if that day has not come, if the customer paid, or
/// if the policy has ended.
///
/// # Errors
/// If the store fails, or the policy changes meanwhile.
pub(in crate::app) async fn end_unpaid(app: &App, policy: Uuid) -> Result<(), AppError> {
    policies::apply_due_actions(app, policy).await?;
    let now = app.clock.now();
    let today = london_date(now);
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
        PlanStatus::Notice {
            ends_on,
            is_reminded: true,
            ..
        } if plan.open_charge().is_none() => Some(ends_on).filter(|day| *day <= today),
        _ => None,
    }))
}
