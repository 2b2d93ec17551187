//! Withdraws an adjustment: an open offer, or an agreed change before its effective day.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::policies::adjustments::agree::status_at;
use crate::app::policies::adjustments::cancel_scheduled::{end_adjustment, undo_agreed_spread};
use crate::app::policies::adjustments::history::{Offered, offered};
use crate::app::policies::renewals::queue_requote;
use crate::app::policies::{self, queue_letter};
use crate::app::{App, AppError, Caller, access};
use crate::domain::policy::adjustment::{self, AdjustmentEvent, AdjustmentStatus};
use crate::domain::quote::QuoteStatus;
use crate::domain::time::dates::london_date;
use crate::domain::transition::Transition;
use crate::store::tables::{self, PolicyNotification};
use crate::store::{Store, WriteTx};

/// Withdraws an offered change, or an agreed change before its effective day. Refunds the payment of
/// an agreed change. Returns the change and the status of the policy. A repeated call returns the
/// same result.
///
/// # Errors
/// [`AppError::NotFound`] for a change of another customer's policy. A conflict if the change is in
/// force or superseded, or its effective day has begun.
pub async fn withdraw_adjustment(
    app: &App,
    caller: &Caller,
    id: Uuid,
) -> Result<(Offered, QuoteStatus), AppError> {
    let policy = app
        .store
        .read(|tx| {
            let stored = tables::ADJUSTMENTS.get(tx, &id)?;
            Ok::<_, AppError>(stored.ok_or(AppError::NotFound)?.policy)
        })
        .await?;
    policies::apply_due_actions(app, policy).await?;
    let (now, owner) = (app.clock.now(), caller.clone());
    let status = app
        .store
        .write(move |tx| withdraw(tx, &owner, policy, id, now))
        .await?;
    app.work_added.notify_one();
    Ok((offered(app, caller, policy, id).await?, status))
}

/// Returns whether `id` is the id of an adjustment.
///
/// # Errors
/// If the store fails.
pub async fn is_adjustment(store: &Store, id: Uuid) -> Result<bool, AppError> {
    let found = store.read(|tx| tables::ADJUSTMENTS.has(tx, &id));
    Ok(found.await?)
}

fn withdraw(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    uuid: Uuid,
    id: Uuid,
    now: DateTime<Utc>,
) -> Result<QuoteStatus, AppError> {
    let (quote, mut policy) = access::owned_policy(tx, caller, uuid, now)?;
    let found = tables::ADJUSTMENTS.get(tx, &id)?;
    let adjustment = found.ok_or(AppError::NotFound)?;
    let status = status_at(&quote, &policy, &adjustment, now);
    match adjustment::apply(status, AdjustmentEvent::Withdrawn) {
        Transition::Applied(_) => {}
        Transition::AlreadyApplied => return Ok(quote.status),
        Transition::Refused(why) => return Err(AppError::conflict("invalid_state", why)),
    }
    let agreed = status == AdjustmentStatus::Agreed;
    if agreed && adjustment.effective <= london_date(now) {
        let why = "The day of this change has begun, so it can't be withdrawn any more.";
        return Err(AppError::conflict("invalid_state", why));
    }
    undo_agreed_spread(tx, &policy, &adjustment, now)?;
    end_adjustment(tx, &mut policy, adjustment, AdjustmentEvent::Withdrawn, now)?;
    tables::POLICIES.put(tx, &policy.uuid, &policy)?;
    if agreed {
        queue_requote(tx, &policy, id, now)?;
        let news = PolicyNotification::ChangeWithdrawn { adjustment: id };
        queue_letter(tx, uuid, news, now)?;
    }
    Ok(quote.status)
}
