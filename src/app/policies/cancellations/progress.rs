//! Lists the cancellations of a policy, each with its status and the progress of its refund.

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use uuid::Uuid;

use crate::app::payments::refunds::unrefunded::{self, RefundProgress};
use crate::app::policies::cancellations::refund_basis::{CancellationDate, RefundBasis};
use crate::app::policies::plans::StoppedPayments;
use crate::app::policies::{self, PolicyContext};
use crate::app::{App, AppError, Caller};
use crate::domain::money::Pence;
use crate::domain::policy::adjustment::AdjustmentKind;
use crate::domain::policy::cancellation::{Cancellation, ScheduledCancellation, ScheduledStatus};
use crate::json_schema::ResponseSchema;
use crate::store::{Direction, Read, tables};

/// The status of a cancellation. `preview`: the customer has not requested the cancellation. `pending`: the
/// day of the cancellation has not begun. `done`: the policy is cancelled, whatever the status of the refund.
/// `withdrawn`: the customer withdrew the cancellation before its day. `overtaken`: the policy ended in
/// another way before the cancellation's day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ResponseSchema)]
#[serde(rename = "ActivityStatus", rename_all = "snake_case")]
pub enum CancellationStage {
    /// The customer has not requested the cancellation.
    Preview,
    /// The day of the cancellation has not begun.
    Pending,
    /// The policy is cancelled.
    Done,
    /// The customer withdrew the cancellation before its day.
    Withdrawn,
    /// The policy ended in another way before the cancellation's day.
    Overtaken,
}

/// An agreed change that does not take effect, because the policy ends before it.
#[derive(Clone, Copy, Debug, Serialize, ResponseSchema)]
pub struct DroppedChange {
    /// The change.
    pub adjustment_id: Uuid,
    /// The day from which the change would have counted.
    pub effective_date: NaiveDate,
    /// The refund of the payment for the change, in pounds. It is in addition to the refund of the
    /// cancellation. 0 if the change had no amount due.
    pub amount_back: Pence,
}

/// A cancellation with its status and the progress of its refund.
#[derive(Clone, Debug)]
pub struct CancellationProgress {
    pub cancellation: Cancellation,
    pub stage: CancellationStage,
    /// Last day that is covered to its end. `None` if cover ends at once, or before it begins.
    pub last_day: Option<NaiveDate>,
    /// When the cancellation was withdrawn or overtaken.
    pub ended_at: Option<DateTime<Utc>>,
    /// Whether the cancellation can be withdrawn now.
    pub can_withdraw: bool,
    pub refund_progress: RefundProgress,
    /// The payments of the policy's plan that stop.
    pub stopped: Option<StoppedPayments>,
    /// The agreed change that the cancellation cancels.
    pub dropped: Option<DroppedChange>,
}

/// Returns the cancellations of a policy, newest first.
///
/// # Errors
/// As [`crate::app::access::owned_policy`].
pub async fn cancellations(
    app: &App,
    caller: &Caller,
    uuid: Uuid,
) -> Result<Vec<CancellationProgress>, AppError> {
    let today = app.clock.today();
    app.store
        .read(|tx| {
            let context = policies::own_policy(app, tx, caller, uuid)?;
            let mut all: Vec<_> = completed_progress(tx, &context)?.into_iter().collect();
            let index = &tables::SCHEDULED_CANCELLATION_BY_POLICY;
            for ((_, id), ()) in index.list(tx, &uuid, Direction::Backward, usize::MAX)? {
                if let Some(one) = tables::SCHEDULED_CANCELLATIONS.get(tx, &id)?
                    && one.status != ScheduledStatus::Done
                {
                    all.push(scheduled_progress(tx, &context, one, today)?);
                }
            }
            Ok(all)
        })
        .await
}

/// Returns the completed cancellation of a policy, or `None` if the policy was not cancelled.
pub(in crate::app) fn completed_progress(
    tx: &impl Read,
    context: &PolicyContext,
) -> Result<Option<CancellationProgress>, AppError> {
    let policy = &context.policy;
    let Some(cancellation) = policy.cancellation.clone() else {
        return Ok(None);
    };
    let back = unrefunded::refund_summary(tx, policy.uuid, cancellation.id)?;
    let is_immediate = cancellation.is_at_once();
    Ok(Some(CancellationProgress {
        stage: CancellationStage::Done,
        last_day: policy.last_day_before(cancellation.effective, is_immediate),
        ended_at: None,
        can_withdraw: false,
        refund_progress: back.progress,
        stopped: StoppedPayments::load(tx, policy.uuid, None)?,
        dropped: dropped_change(tx, policy.uuid, cancellation.dropped)?,
        cancellation,
    }))
}

/// Returns the pending cancellation of a policy, or `None` if none is pending.
pub(in crate::app) fn pending_of(
    tx: &impl Read,
    context: &PolicyContext,
    today: NaiveDate,
) -> Result<Option<CancellationProgress>, AppError> {
    let Some(end) = context.policy.scheduled_end else {
        return Ok(None);
    };
    let scheduled = tables::SCHEDULED_CANCELLATIONS.get(tx, &end.id)?;
    scheduled
        .map(|scheduled| scheduled_progress(tx, context, scheduled, today))
        .transpose()
}

/// Returns the progress of a scheduled cancellation. Calculates the refund of a pending cancellation
/// anew: the amount if nothing changes before the cancellation's day.
fn scheduled_progress(
    tx: &impl Read,
    context: &PolicyContext,
    scheduled: ScheduledCancellation,
    today: NaiveDate,
) -> Result<CancellationProgress, AppError> {
    let policy = &context.policy;
    let pending = scheduled.status == ScheduledStatus::Pending;
    let refund = if pending {
        let end = CancellationDate {
            day: scheduled.effective,
            is_immediate: false,
            is_later: true,
        };
        RefundBasis::load(tx, context)?.refund(tx, end)?
    } else {
        scheduled.refund
    };
    Ok(CancellationProgress {
        stage: match scheduled.status {
            ScheduledStatus::Pending => CancellationStage::Pending,
            ScheduledStatus::Done => CancellationStage::Done,
            ScheduledStatus::Withdrawn => CancellationStage::Withdrawn,
            ScheduledStatus::Overtaken => CancellationStage::Overtaken,
        },
        last_day: policy.last_day_before(scheduled.effective, false),
        ended_at: scheduled.ended_at,
        can_withdraw: pending && today < scheduled.effective && scheduled.notice.is_none(),
        refund_progress: RefundProgress::None,
        stopped: StoppedPayments::load(tx, policy.uuid, Some(scheduled.effective))?,
        dropped: dropped_change(tx, policy.uuid, scheduled.dropped)?,
        cancellation: Cancellation {
            id: scheduled.id,
            reason: Some(scheduled.reason),
            note: scheduled.note,
            effective: scheduled.effective,
            created: scheduled.created,
            refund,
            dropped: scheduled.dropped,
        },
    })
}

/// Returns the change that a cancellation cancels, and the refund of the payment for the change.
pub(in crate::app) fn dropped_change(
    tx: &impl Read,
    policy: Uuid,
    dropped: Option<Uuid>,
) -> Result<Option<DroppedChange>, AppError> {
    let dropped = dropped.map(|id| tables::ADJUSTMENTS.get(tx, &id));
    let Some(change) = dropped.transpose()?.flatten() else {
        return Ok(None);
    };
    let back = unrefunded::refund_summary(tx, policy, change.id)?.amount;
    let unrefunded = unrefunded::unrefunded_for_adjustment(tx, policy, change.id)?;
    Ok(Some(DroppedChange {
        adjustment_id: change.id,
        effective_date: change.effective,
        amount_back: match change.kind() {
            // In a preview, the payment is not refunded yet.
            AdjustmentKind::Increase => back + unrefunded,
            AdjustmentKind::Keep | AdjustmentKind::Decrease => Pence::ZERO,
        },
    }))
}
