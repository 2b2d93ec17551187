//! Accepts an adjustment for which no payment is due, and checks a pending adjustment.

use uuid::Uuid;

use crate::app::policies::adjustments::agree::agree;
use crate::app::policies::adjustments::daily_limit::daily_change_limit;
use crate::app::policies::adjustments::history::{Offered, offered, own_adjustment, status_of};
use crate::app::policies::plans::plan_after;
use crate::app::policies::{self, refuse};
use crate::app::{App, AppError, Caller, access};
use crate::domain::policy::adjustment::{
    self, Adjustment, AdjustmentEvent, AdjustmentKind, AdjustmentStatus,
};
use crate::domain::quote::registrations::registrations;
use crate::domain::time::dates::london_date;
use crate::domain::transition::Transition;
use crate::store::tables;

/// Agrees to an adjustment for which no payment is due. A repeated call returns the same
/// adjustment.
///
/// # Errors
/// As [`access::owned_policy`]. [`AppError::NotFound`] for an adjustment of another policy. A
/// conflict if the price has expired, the adjustment is withdrawn or superseded, or a payment is
/// due. A conflict if the policy may not be changed. A refusal if the policy has reached its daily
/// limit of changes.
pub async fn accept_adjustment(
    app: &App,
    caller: &Caller,
    uuid: Uuid,
    id: Uuid,
) -> Result<Offered, AppError> {
    policies::apply_due_actions(app, uuid).await?;
    let now = app.clock.now();
    let (context, adjustment, status, is_spread) = app
        .store
        .read(|tx| {
            let (context, adjustment) = own_adjustment(app, tx, caller, uuid, id)?;
            let status = status_of(&app.clock, tx, &adjustment)?;
            let is_open = status == AdjustmentStatus::Pending;
            let is_spread = is_open
                && plan_after(tx, uuid, adjustment.spread_terms(), london_date(now))?.is_some();
            Ok::<_, AppError>((context, adjustment, status, is_spread))
        })
        .await?;
    let transition = adjustment::apply(status, AdjustmentEvent::Accepted);
    if transition != Transition::AlreadyApplied {
        refuse(context.permitted_actions(app.clock.today()).change)?;
        if let Transition::Refused(why) = transition {
            return Err(AppError::conflict("invalid_state", why));
        }
        if adjustment.kind() == AdjustmentKind::Increase && !is_spread {
            return Err(AppError::conflict(
                "payment_due",
                "This change is agreed as soon as it is paid for.",
            ));
        }
    }
    let registrations = registrations(&context.product, &adjustment.answers);
    let (owner, a_day) = (caller.clone(), daily_change_limit(&app.config, now));
    app.store
        .write(move |tx| {
            let quote_and_policy = access::owned_policy(tx, &owner, uuid, now)?;
            let adjustment = tables::ADJUSTMENTS.get(tx, &id)?;
            let adjustment = adjustment.ok_or(AppError::NotFound)?;
            if adjustment.agreed.is_none() {
                a_day.require_change(tx, uuid)?;
            }
            agree(
                tx,
                quote_and_policy,
                adjustment,
                AdjustmentEvent::Accepted,
                &registrations,
                now,
            )
        })
        .await?;
    app.work_added.notify_one();
    offered(app, caller, uuid, id).await
}

/// Returns a pending adjustment of the caller's own policy.
///
/// # Errors
/// As [`access::owned_policy`]. [`AppError::NotFound`] for an adjustment of another policy. A
/// conflict if the adjustment is not pending, or is not of `kind`. A conflict if the policy may not
/// be changed. A refusal if the policy has reached its daily limit of changes.
pub async fn pending_adjustment(
    app: &App,
    caller: &Caller,
    uuid: Uuid,
    id: Uuid,
    kind: AdjustmentKind,
) -> Result<Adjustment, AppError> {
    policies::apply_due_actions(app, uuid).await?;
    let a_day = daily_change_limit(&app.config, app.clock.now());
    let (context, adjustment, status, one_more) = app
        .store
        .read(|tx| {
            let (context, adjustment) = own_adjustment(app, tx, caller, uuid, id)?;
            let status = status_of(&app.clock, tx, &adjustment)?;
            let one_more = a_day.require_change(tx, uuid);
            Ok::<_, AppError>((context, adjustment, status, one_more))
        })
        .await?;
    let transition = adjustment::apply(status, AdjustmentEvent::Accepted);
    if transition == Transition::AlreadyApplied {
        let why = "This change is agreed already.";
        return Err(AppError::conflict("duplicate_change", why));
    }
    refuse(context.permitted_actions(app.clock.today()).change)?;
    if let Transition::Refused(why) = transition {
        return Err(AppError::conflict("invalid_state", why));
    }
    one_more?;
    if adjustment.kind() != kind {
        return Err(AppError::conflict(
            "wrong_change_kind",
            match adjustment.kind() {
                AdjustmentKind::Increase => "More is due for this change.",
                AdjustmentKind::Decrease => "Money comes back for this change.",
                AdjustmentKind::Keep => "Nothing is due for this change.",
            },
        ));
    }
    Ok(adjustment)
}
