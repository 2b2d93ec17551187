//! Applies the actions that are due on a policy: a scheduled change or cancellation. The daily round
//! applies each action after its day has begun. A call that adjusts, cancels or pays for a policy
//! applies the due actions first, to avoid an outdated state.

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use crate::app::policies::PolicyContext;
use crate::app::policies::adjustments::apply_adjustment;
use crate::app::policies::cancellations::{DueCancellation, RefundBasis, apply_scheduled};
use crate::app::policies::context::policy_unchecked;
use crate::app::{App, AppError};
use crate::domain::policy::ScheduledEvent;
use crate::domain::policy::adjustment::Adjustment;
use crate::domain::quote::QuoteStatus;
use crate::domain::quote::registrations::registrations;
use crate::domain::time::dates::london_date;
use crate::store::{Read, WriteTx, tables};

/// Maximum number of actions applied in one call. A policy has at most one scheduled change and one
/// scheduled cancellation. Other calls may change the policy between the read and the write.
const MAX_ACTIONS: u32 = 10;

/// An action that is due on a policy, with the data that it needs.
#[derive(Clone)]
enum DueAction {
    Change(Box<Adjustment>, Vec<String>),
    End(Box<DueCancellation>),
}

/// Applies the actions that are due on a policy up to today: the change first, then the cancellation.
/// Each action counts from its own day.
///
/// # Errors
/// If the policy can't be read, or the store fails. An internal error if actions are still due after
/// [`MAX_ACTIONS`] tries.
pub(in crate::app) async fn apply_due_actions(app: &App, policy: Uuid) -> Result<(), AppError> {
    for _ in 0..MAX_ACTIONS {
        let now = app.clock.now();
        let due = app
            .store
            .read(|tx| next_due_action(app, tx, policy, now))
            .await?;
        let Some(due) = due else {
            return Ok(());
        };
        app.store
            .write(move |tx| apply_due_action(tx, policy, due.clone(), now))
            .await?;
        app.work_added.notify_one();
    }
    Err(AppError::Internal(
        "what is agreed for a policy can't be done".into(),
    ))
}

fn next_due_action(
    app: &App,
    tx: &impl Read,
    uuid: Uuid,
    now: DateTime<Utc>,
) -> Result<Option<DueAction>, AppError> {
    let today = london_date(now);
    let Some(policy) = tables::POLICIES.get(tx, &uuid)? else {
        return Ok(None);
    };
    let (change, end) = (
        due(policy.scheduled_change, today),
        due(policy.scheduled_end, today),
    );
    if change.is_none() && end.is_none() {
        return Ok(None);
    }
    let context = policy_unchecked(app, tx, uuid)?;
    if context.quote.status != QuoteStatus::Live {
        return Ok(None);
    }
    // Only the shop's notice may end a policy before an agreed change.
    let change = change.filter(|change| end.is_none_or(|end| change.on < end.on));
    match (change, end) {
        (Some(_), _) => Ok(change_of(&context)),
        (None, Some(end)) => {
            let cancellation = tables::SCHEDULED_CANCELLATIONS.get(tx, &end.id)?;
            let cancellation = cancellation.ok_or(AppError::NotFound)?;
            let basis = RefundBasis::load(tx, &context)?;
            Ok(Some(DueAction::End(Box::new(DueCancellation {
                scheduled: cancellation,
                basis,
            }))))
        }
        (None, None) => Ok(None),
    }
}

fn due(scheduled: Option<ScheduledEvent>, today: NaiveDate) -> Option<ScheduledEvent> {
    scheduled.filter(|scheduled| scheduled.on <= today)
}

fn change_of(context: &PolicyContext) -> Option<DueAction> {
    let change = context.scheduled.clone()?;
    let registrations = registrations(&context.product, &change.answers);
    Some(DueAction::Change(Box::new(change), registrations))
}

fn apply_due_action(
    tx: &mut WriteTx<'_>,
    uuid: Uuid,
    due: DueAction,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let quote = tables::QUOTES.get(tx, &uuid)?;
    let Some((quote, policy)) = quote.zip(tables::POLICIES.get(tx, &uuid)?) else {
        return Err(AppError::NotFound);
    };
    if quote.status != QuoteStatus::Live {
        return Ok(());
    }
    match due {
        DueAction::Change(change, registrations) => {
            let still = policy
                .scheduled_change
                .is_some_and(|scheduled| scheduled.id == change.id);
            if still {
                apply_adjustment(tx, (quote, policy), *change, &registrations, now)?;
            }
            Ok(())
        }
        DueAction::End(end) => apply_scheduled(tx, (quote, policy), *end, now),
    }
}
