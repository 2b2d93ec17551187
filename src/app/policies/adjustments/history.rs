//! Lists the adjustments of a policy, each with its status.

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use uuid::Uuid;

use crate::app::payments::refunds::unrefunded::{self, RefundProgress};
use crate::app::payments::{AmountLine, RefundInfo};
use crate::app::policies::adjustments::agree::status_at;
use crate::app::policies::cover::live_cover::already_covered;
use crate::app::policies::plans::{PlanOffer, plan_after};
use crate::app::policies::{self, PolicyContext};
use crate::app::{App, AppError, Caller};
use crate::clock::Clock;
use crate::domain::money::Pence;
use crate::domain::policy::adjustment::{
    self, Adjustment, AdjustmentEvent, AdjustmentKind, AdjustmentStatus, AnswerChange,
    DifferenceKind,
};
use crate::domain::quote::registrations::registrations;
use crate::domain::time::dates::london_date;
use crate::domain::transition::Transition;
use crate::json_schema::ResponseSchema;
use crate::store::{Direction, Read, tables};

/// Returns the changes of a policy, newest first.
pub(in crate::app) fn adjustments(
    tx: &impl Read,
    policy: Uuid,
) -> Result<Vec<Adjustment>, AppError> {
    let mut found = Vec::new();
    let rows = tables::ADJUSTMENT_BY_POLICY.list(tx, &policy, Direction::Backward, usize::MAX)?;
    for ((_, id), ()) in rows {
        found.extend(tables::ADJUSTMENTS.get(tx, &id)?);
    }
    Ok(found)
}

/// Returns the premiums that applied during the term, oldest first. Each is the premium of a whole
/// term in pence, with the day from which it applied.
pub(in crate::app) fn premiums(
    tx: &impl Read,
    context: &PolicyContext,
) -> Result<Vec<(NaiveDate, Pence)>, AppError> {
    let mut applied = adjustments(tx, context.policy.uuid)?;
    applied.retain(|change| change.status == AdjustmentStatus::Applied);
    applied.sort_by_key(|change| change.revision);
    let first = applied
        .first()
        .map_or(context.premium(), |change| change.before);
    let changed = applied
        .iter()
        .map(|change| (change.effective, change.price.taxed));
    Ok(std::iter::once((context.policy.inception, first))
        .chain(changed)
        .collect())
}

/// An answer before and after a change, or an instance that the change adds or removes, such as a vehicle.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
pub struct ChangedAnswer {
    kind: DifferenceKind,
    /// The answer's dotted path in the form. For an instance: the dataset and the index, from 0.
    path: String,
    /// The question. For an instance: "Added" or "Removed".
    label: String,
    /// The earlier answer, or the removed instance. Null if there is none.
    before: Option<String>,
    /// The new answer, or the added instance. Null if there is none.
    after: Option<String>,
}

impl From<&AnswerChange> for ChangedAnswer {
    fn from(change: &AnswerChange) -> Self {
        let unless_empty = |words: &str| (!words.is_empty()).then(|| words.to_string());
        Self {
            kind: change.kind(),
            path: change.path.clone(),
            label: change.label.clone(),
            before: unless_empty(&change.before),
            after: unless_empty(&change.after),
        }
    }
}

/// Converts a number of days for the API. A negative number becomes 0.
pub(super) fn published_days(days: i64) -> u32 {
    u32::try_from(days).unwrap_or(0)
}

/// A change of a policy.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
#[serde(rename = "AdjustmentInfo")]
pub struct Offered {
    adjustment_id: Uuid,
    kind: AdjustmentKind,
    status: AdjustmentStatus,
    /// The day from which the change counts, from 00:00 in London.
    effective_date: NaiveDate,
    /// The premium of a whole term without the change, in pounds, with tax and without charges.
    premium_before: Pence,
    /// The premium of a whole term with the change, in pounds, with tax and without charges.
    premium_after: Pence,
    /// The amount due, in pounds, with tax. A negative amount is refunded when the change takes effect.
    amount_now: Pence,
    /// The tax in `amount_now`, in pounds.
    tax_now: Pence,
    /// Days left in the term, the first day of the change included.
    days_left: u32,
    /// Days of the whole term.
    days_in_term: u32,
    /// The lines that explain `amount_now`. Their sum is `amount_now`.
    lines: Vec<AmountLine>,
    changes: Vec<ChangedAnswer>,
    /// Notices to the customer that need no action. Empty unless the change is pending.
    notices: Vec<String>,
    created: DateTime<Utc>,
    /// The moment from which the offered price is no longer held.
    expires: DateTime<Utc>,
    /// When the change was agreed, and paid if an amount was due. Null if the change is not agreed.
    agreed: Option<DateTime<Utc>>,
    /// When the change took effect. Null if the change has not taken effect.
    applied: Option<DateTime<Utc>>,
    /// When the change was withdrawn, or dropped because the policy ends before it. Null for every other
    /// change.
    ended_at: Option<DateTime<Utc>>,
    /// Whether `PUT /api/v1/policy/ntu/{adjustment_id}` can withdraw the change now.
    can_withdraw: bool,
    /// The refund of a decrease, or of a paid increase that was withdrawn or dropped. Null without a refund.
    /// The refund's status is `none` until the refund is ordered.
    pub refund: Option<RefundInfo>,
    /// The policy's plan after the change, if the amount is spread over its payments. Nothing is then due at
    /// once. Null for a change that is not pending, and without a plan.
    plan: Option<PlanOffer>,
    /// Whether the amount is spread over the payments of the policy's plan, so that nothing was due at once.
    is_spread: bool,
    /// The policy's revision that the change made. Null before the change takes effect.
    revision: Option<u32>,
}

/// Returns one page of a policy's changes, newest first. A page has `limit` changes, and `page`
/// counts from 1.
///
/// # Errors
/// As [`crate::app::access::owned_policy`].
pub async fn changes(
    app: &App,
    caller: &Caller,
    uuid: Uuid,
    (page, limit): (usize, usize),
) -> Result<Vec<Offered>, AppError> {
    let before = page.saturating_sub(1).saturating_mul(limit);
    let up_to = before.saturating_add(limit);
    app.store
        .read(|tx| {
            policies::own_policy(app, tx, caller, uuid)?;
            let index = &tables::ADJUSTMENT_BY_POLICY;
            let rows = index.list(tx, &uuid, Direction::Backward, up_to)?;
            let mut found = Vec::new();
            for ((_, id), ()) in rows.into_iter().skip(before) {
                if let Some(change) = tables::ADJUSTMENTS.get(tx, &id)? {
                    found.push(offered_in(app, tx, caller, change)?);
                }
            }
            Ok(found)
        })
        .await
}

/// Returns the registrations that the policy covers after the change.
pub(in crate::app) fn registrations_after(
    app: &App,
    tx: &impl Read,
    change: &Adjustment,
) -> Result<Vec<String>, AppError> {
    let context = policies::policy_unchecked(app, tx, change.policy)?;
    Ok(registrations(&context.product, &change.answers))
}

pub(in crate::app) fn own_adjustment(
    app: &App,
    tx: &impl Read,
    caller: &Caller,
    uuid: Uuid,
    id: Uuid,
) -> Result<(PolicyContext, Adjustment), AppError> {
    let context = policies::own_policy(app, tx, caller, uuid)?;
    let found = tables::ADJUSTMENTS.get(tx, &id)?;
    let found = found.filter(|change| change.policy == uuid);
    Ok((context, found.ok_or(AppError::NotFound)?))
}

pub(in crate::app) fn status_of(
    clock: &Clock,
    tx: &impl Read,
    adjustment: &Adjustment,
) -> Result<AdjustmentStatus, AppError> {
    let quote = tables::QUOTES
        .get(tx, &adjustment.policy)?
        .ok_or(AppError::NotFound)?;
    let policy = tables::POLICIES.get(tx, &adjustment.policy)?;
    let policy = policy.ok_or(AppError::NotFound)?;
    Ok(status_at(&quote, &policy, adjustment, clock.now()))
}

/// Returns the adjustment `id` of the caller's own policy, with its present status.
///
/// # Errors
/// As [`crate::app::access::owned_policy`]. [`AppError::NotFound`] for an adjustment of another
/// policy.
pub(in crate::app) async fn offered(
    app: &App,
    caller: &Caller,
    uuid: Uuid,
    id: Uuid,
) -> Result<Offered, AppError> {
    app.store
        .read(|tx| {
            let (_, adjustment) = own_adjustment(app, tx, caller, uuid, id)?;
            offered_in(app, tx, caller, adjustment)
        })
        .await
}

pub(in crate::app) fn offered_in(
    app: &App,
    tx: &impl Read,
    caller: &Caller,
    adjustment: Adjustment,
) -> Result<Offered, AppError> {
    let status = status_of(&app.clock, tx, &adjustment)?;
    let mut notices = Vec::new();
    let mut plan = None;
    let today = app.clock.today();
    if status == AdjustmentStatus::Pending {
        // A payment may be due since the offer. Agreeing is then refused.
        plan =
            plan_after(tx, adjustment.policy, adjustment.spread_terms(), today).unwrap_or_default();
        let own = adjustment.policy;
        let mut added = registrations_after(app, tx, &adjustment)?;
        let covered = tables::POLICIES.get(tx, &own)?;
        let covered = covered.ok_or(AppError::NotFound)?.registrations;
        added.retain(|registration| !covered.contains(registration));
        notices = already_covered(tx, caller, &added, Some(own), app.clock.now())?;
    }
    let spread = adjustment.spread.clone();
    let spread = spread.or_else(|| plan.as_ref().map(|(_, spread)| spread.clone()));
    let plan = plan.map(|(plan, _)| plan);
    let is_spread = spread.is_some();
    let back = unrefunded::refund_summary(tx, adjustment.policy, adjustment.id)?;
    let amount = if back.progress != RefundProgress::None {
        Some(back.amount)
    } else if is_to_come_back(status, adjustment.kind()) {
        Some(spread.map_or(-adjustment.figures.amount, |spread| spread.refund))
    } else {
        None
    };
    let refund = amount.map(|amount| RefundInfo::for_change(&adjustment, amount, back.progress));
    let now = app.clock.now();
    let can_withdraw = match adjustment::apply(status, AdjustmentEvent::Withdrawn) {
        Transition::Applied(_) if status == AdjustmentStatus::Agreed => {
            london_date(now) < adjustment.effective
        }
        Transition::Applied(_) => true,
        Transition::AlreadyApplied | Transition::Refused(_) => false,
    };
    let figures = &adjustment.figures;
    Ok(Offered {
        adjustment_id: adjustment.id,
        kind: adjustment.kind(),
        status,
        effective_date: adjustment.effective,
        premium_before: adjustment.before,
        premium_after: adjustment.price.taxed,
        amount_now: figures.amount,
        tax_now: figures.tax,
        days_left: published_days(figures.days_left),
        days_in_term: published_days(figures.days_in_term),
        lines: figures.lines.iter().map(AmountLine::from).collect(),
        changes: adjustment.changes.iter().map(ChangedAnswer::from).collect(),
        notices,
        created: adjustment.created,
        expires: adjustment.expires(),
        agreed: adjustment.agreed,
        applied: adjustment.applied,
        ended_at: adjustment.ended_at,
        can_withdraw,
        refund,
        plan: plan.as_ref().map(PlanOffer::from),
        is_spread,
        revision: adjustment.revision,
    })
}

/// Returns whether the change is a decrease that can still take effect, so that a refund will follow.
fn is_to_come_back(status: AdjustmentStatus, kind: AdjustmentKind) -> bool {
    let to_come = [AdjustmentStatus::Pending, AdjustmentStatus::Agreed];
    kind == AdjustmentKind::Decrease && to_come.contains(&status)
}
