//! A cancellation in the form that the API returns to the customer.

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use uuid::Uuid;

use crate::app::payments::{AmountLine, RefundInfo};
use crate::app::policies::cancellations::progress::{
    CancellationProgress, CancellationStage, DroppedChange,
};
use crate::app::policies::plans::StoppedPayments;
use crate::domain::policy::cancellation::{self, is_shop_reason};
use crate::json_schema::ResponseSchema;

/// The kind of a customer's request.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
#[serde(rename_all = "snake_case")]
pub enum ActivityType {
    Cancellation,
}

/// A customer's request to cancel a policy, or the shop's cancellation.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
pub struct ActivityInfo {
    /// The id of the request. Null in a preview.
    id: Option<Uuid>,
    #[serde(rename = "type")]
    kind: ActivityType,
    status: CancellationStage,
    /// The id of the reason. Null for a policy that was not taken up.
    reason_id: Option<u32>,
    /// The title of the reason. Null for a policy that was not taken up.
    reason: Option<String>,
    note: Option<String>,
    /// Whether the shop, and not the customer, ends the policy.
    is_by_shop: bool,
    /// First day without cover. For cover that ends at once, the day on which it ends.
    effective_date: NaiveDate,
    /// Last day that is covered to its end. Null if the cover ends at once, or before it begins.
    last_day: Option<NaiveDate>,
    created: DateTime<Utc>,
    /// When the cancellation was withdrawn or overtaken. Null for every other status.
    ended_at: Option<DateTime<Utc>>,
    /// Whether `PUT /api/v1/activity/{id}/withdraw` can withdraw the cancellation now.
    can_withdraw: bool,
    /// The refund. For a pending cancellation, the refund if nothing changes before its day.
    refund: RefundInfo,
    /// The payments of a plan that are not collected any more. Null without a plan.
    stopped_payments: Option<StoppedPayments>,
    /// The agreed change that does not take effect because of the cancellation. Null if there is none.
    dropped_change: Option<DroppedChange>,
}

impl From<CancellationProgress> for ActivityInfo {
    fn from(progress: CancellationProgress) -> Self {
        let cancellation = &progress.cancellation;
        let is_preview = progress.stage == CancellationStage::Preview;
        Self {
            id: (!is_preview).then_some(cancellation.id),
            kind: ActivityType::Cancellation,
            status: progress.stage,
            reason_id: cancellation.reason,
            reason: cancellation
                .reason
                .and_then(cancellation::reason)
                .map(str::to_string),
            note: cancellation.note.clone(),
            is_by_shop: cancellation.reason.is_some_and(is_shop_reason),
            effective_date: cancellation.effective,
            last_day: progress.last_day,
            created: cancellation.created,
            ended_at: progress.ended_at,
            can_withdraw: progress.can_withdraw,
            refund: RefundInfo::from(&progress),
            stopped_payments: progress.stopped,
            dropped_change: progress.dropped,
        }
    }
}

impl From<&CancellationProgress> for RefundInfo {
    fn from(progress: &CancellationProgress) -> Self {
        let refund = &progress.cancellation.refund;
        Self {
            amount: refund.amount,
            lines: refund.lines.iter().map(AmountLine::from).collect(),
            status: progress.refund_progress,
        }
    }
}
