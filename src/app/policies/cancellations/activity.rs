//! A cancellation in the form that the API returns to the customer.

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use uuid::Uuid;

use crate::app::payments::{AmountLine, RefundInfo};
use crate::app::policies::cancellations::progress::{
    CancellationProgress, CancellationStage, DroppedChange,
};
use crate::domain::policy::cancellation;
use crate::json_schema::ResponseSchema;

/// The requests that a customer may make for a policy.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
#[serde(rename_all = "snake_case")]
pub enum ActivityType {
    Cancellation,
}

/// Something a customer asked for a policy.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
pub struct ActivityInfo {
    /// Null in a preview.
    id: Option<Uuid>,
    #[serde(rename = "type")]
    kind: ActivityType,
    status: CancellationStage,
    reason_id: Option<u32>,
    reason: Option<String>,
    note: Option<String>,
    /// First day without cover.
    effective_date: NaiveDate,
    /// Last day that is covered to its end. Null where the cover ends at once, or before it begins.
    last_day: Option<NaiveDate>,
    created: DateTime<Utc>,
    /// When it was withdrawn or overtaken.
    ended_at: Option<DateTime<Utc>>,
    /// Whether `PUT /api/v1/activity/{id}/withdraw` takes it back now.
    can_withdraw: bool,
    /// The refund. For a pending cancellation, the refund if nothing changes until its day.
    refund: RefundInfo,
    /// The agreed change that never comes because of it.
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
            effective_date: cancellation.effective,
            last_day: progress.last_day,
            created: cancellation.created,
            ended_at: progress.ended_at,
            can_withdraw: progress.can_withdraw,
            refund: RefundInfo::from(&progress),
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
