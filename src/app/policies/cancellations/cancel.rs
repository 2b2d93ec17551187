//! Cancels a policy today or on a later day, withdraws a cancellation, and declines a policy before
//! inception.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::idempotency::{self, IdempotencyKey, Once};
use crate::app::payments::refunds::unrefunded::RefundProgress;
use crate::app::policies::cancellations::end::{Termination, end};
use crate::app::policies::cancellations::progress::{cancellations, dropped_change};
use crate::app::policies::cancellations::refund_basis::{CancellationDate, RefundBasis};
use crate::app::policies::cancellations::request::{CancellationRequest, check};
use crate::app::policies::cancellations::{CancellationProgress, CancellationStage, scheduled};
use crate::app::policies::plans::StoppedPayments;
use crate::app::policies::{self, PolicyContext, refuse};
use crate::app::{App, AppError, Caller, access, new_id};
use crate::domain::policy::cancellation::Cancellation;
use crate::domain::quote::QuoteEvent;
use crate::domain::time::dates::london_date;
use crate::store::{Read, WriteTx, tables};

/// Returns what cancelling the policy would refund. Stores no cancellation.
///
/// # Errors
/// As [`cancel`].
pub async fn preview_cancellation(
    app: &App,
    caller: &Caller,
    uuid: Uuid,
    request: &CancellationRequest,
) -> Result<CancellationProgress, AppError> {
    policies::apply_due_actions(app, uuid).await?;
    let now = app.clock.now();
    let today = london_date(now);
    app.store
        .read(|tx| {
            let context = policies::own_policy(app, tx, caller, uuid)?;
            check(&context, request, today)?;
            let basis = RefundBasis::load(tx, &context)?;
            let on = CancellationDate {
                day: request.effective,
                is_immediate: request.effective == today,
                is_later: request.effective != today,
            };
            let dropped = basis
                .scheduled
                .as_ref()
                .filter(|_| basis.cancels_scheduled_change(on));
            let cancellation = Cancellation {
                id: Uuid::nil(),
                reason: Some(request.reason),
                note: request.note.clone(),
                effective: on.day,
                created: now,
                refund: basis.refund(tx, on)?,
                dropped: dropped.map(|change| change.id),
            };
            Ok(CancellationProgress {
                stage: CancellationStage::Preview,
                last_day: context.policy.last_day_before(on.day, on.is_immediate),
                ended_at: None,
                can_withdraw: false,
                refund_progress: RefundProgress::None,
                stopped: StoppedPayments::load(tx, uuid, on.is_later.then_some(on.day))?,
                dropped: dropped_change(tx, uuid, cancellation.dropped)?,
                cancellation,
            })
        })
        .await
}

/// Cancels a policy. If the requested day is today, the policy ends at once. If the day is later, the
/// policy ends at the start of the day. The refund is made when the policy ends.
///
/// # Errors
/// [`AppError::Invalid`] for a day outside the term, an unknown reason or a long note. A conflict
/// if the policy has ended. Also a conflict if a later day is requested and another cancellation is
/// pending.
pub async fn cancel(
    app: &App,
    caller: &Caller,
    uuid: Uuid,
    request: CancellationRequest,
    key: Option<IdempotencyKey>,
) -> Result<CancellationProgress, AppError> {
    policies::apply_due_actions(app, uuid).await?;
    let now = app.clock.now();
    let cancelled = idempotency::once(&app.store, key, now, async {
        let (context, basis) = cancellable(app, caller, uuid).await?;
        check(&context, &request, london_date(now))?;
        Ok(ask(caller, basis, request, now))
    });
    requested_cancellation(app, caller, uuid, cancelled.await?).await
}

/// Cancels a policy before it begins, with a full refund.
///
/// # Errors
/// A conflict if the policy has begun or ended.
pub async fn decline_policy(
    app: &App,
    caller: &Caller,
    uuid: Uuid,
    key: Option<IdempotencyKey>,
) -> Result<CancellationProgress, AppError> {
    policies::apply_due_actions(app, uuid).await?;
    let now = app.clock.now();
    let undone = idempotency::once(&app.store, key, now, async {
        let (context, basis) = cancellable(app, caller, uuid).await?;
        refuse(context.permitted_actions(london_date(now)).not_take_up)?;
        Ok(void_policy(caller, basis, now))
    });
    requested_cancellation(app, caller, uuid, undone.await?).await
}

/// Withdraws a cancellation before its day. A repeated call returns the same result.
///
/// # Errors
/// [`AppError::NotFound`] for a cancellation of another customer's policy. A conflict if the
/// cancellation's day has begun, or the policy has ended.
pub async fn withdraw_cancellation(
    app: &App,
    caller: &Caller,
    id: Uuid,
) -> Result<CancellationProgress, AppError> {
    let policy = app
        .store
        .read(|tx| {
            let scheduled = tables::SCHEDULED_CANCELLATIONS.get(tx, &id)?;
            match scheduled {
                Some(scheduled) => Ok(scheduled.policy),
                None => Err(not_known(tx, caller, id, app.clock.now())),
            }
        })
        .await?;
    policies::apply_due_actions(app, policy).await?;
    let (now, owner) = (app.clock.now(), caller.clone());
    app.store
        .write(move |tx| scheduled::withdraw(tx, &owner, id, now))
        .await?;
    app.work_added.notify_one();
    cancellation(app, caller, policy, id).await
}

/// Returns the caller's policy, and the basis of its refund.
async fn cancellable(
    app: &App,
    caller: &Caller,
    uuid: Uuid,
) -> Result<(PolicyContext, RefundBasis), AppError> {
    app.store
        .read(|tx| {
            let context = policies::own_policy(app, tx, caller, uuid)?;
            let basis = RefundBasis::load(tx, &context)?;
            Ok((context, basis))
        })
        .await
}

/// Returns the cancellation that this call, or an earlier call with the same key, stored.
async fn requested_cancellation(
    app: &App,
    caller: &Caller,
    uuid: Uuid,
    once: Once<Uuid>,
) -> Result<CancellationProgress, AppError> {
    if let Once::First(_) = once {
        app.work_added.notify_one();
    }
    cancellation(app, caller, uuid, once.answer()).await
}

async fn cancellation(
    app: &App,
    caller: &Caller,
    uuid: Uuid,
    id: Uuid,
) -> Result<CancellationProgress, AppError> {
    let all = cancellations(app, caller, uuid).await?;
    let mut own = all.into_iter().filter(|one| one.cancellation.id == id);
    own.next().ok_or(AppError::NotFound)
}

/// Returns the error for an unknown cancellation id. A cancellation of another customer's policy
/// gets the same error, so that the error does not reveal which ids exist.
fn not_known(tx: &impl Read, caller: &Caller, id: Uuid, now: DateTime<Utc>) -> AppError {
    let owned = access::owned_policy(tx, caller, id, now);
    owned.err().unwrap_or(AppError::NotFound)
}

/// Cancels a policy, or stores a cancellation for a later day. Returns the cancellation's id. Uses
/// the moment `now` of the check, because the rules may differ after midnight.
fn ask(
    caller: &Caller,
    basis: RefundBasis,
    request: CancellationRequest,
    now: DateTime<Utc>,
) -> impl Fn(&mut WriteTx<'_>) -> Result<Uuid, AppError> + use<> {
    let (caller, id) = (caller.clone(), new_id(now));
    move |tx| {
        let (quote, policy) = access::owned_policy(tx, &caller, basis.policy.uuid, now)?;
        let request = request.clone();
        if london_date(now) < request.effective {
            return scheduled::ask(tx, (quote, policy), &basis, request, (id, now)).map(|()| id);
        }
        let ending = Termination {
            event: QuoteEvent::Cancelled,
            id,
            reason: Some(request.reason),
            note: request.note,
            effective: request.effective,
            is_immediate: true,
            requested: now,
            dropped: None,
        };
        end(tx, (quote, policy), basis.clone(), ending, now).map(|()| id)
    }
}

/// Cancels a policy before it begins. Returns the cancellation's id.
fn void_policy(
    caller: &Caller,
    basis: RefundBasis,
    now: DateTime<Utc>,
) -> impl Fn(&mut WriteTx<'_>) -> Result<Uuid, AppError> + use<> {
    let (caller, id) = (caller.clone(), new_id(now));
    move |tx| {
        let own = access::owned_policy(tx, &caller, basis.policy.uuid, now)?;
        let ending = Termination {
            event: QuoteEvent::NotTakenUp,
            id,
            reason: None,
            note: None,
            effective: london_date(now),
            is_immediate: true,
            requested: now,
            dropped: None,
        };
        end(tx, own, basis.clone(), ending, now).map(|()| id)
    }
}
