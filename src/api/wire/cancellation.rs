//! The end of a policy before its time, and what it gives back, as they go over the wire.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::StatusId;
use super::adjustment::AdjustmentInfo;
use super::refund::{AmountLine, RefundInfo};
use crate::app::policies::cancellation::{CancellationProgress, CancellationStage, DroppedChange};
use crate::domain::cancellation;
use crate::schema::{RequestSchema, ResponseSchema, or_default};

/// What a customer may ask for a policy.
#[derive(Serialize, ResponseSchema)]
#[serde(rename_all = "snake_case")]
pub enum ActivityType {
    Cancellation,
}

/// What was undone: a policy that was not taken up, or a change of it that was withdrawn.
#[derive(Serialize, ResponseSchema)]
pub struct NotTakenUp {
    /// The policy's status.
    pub(in crate::api) status_id: StatusId,
    /// What comes back.
    pub(in crate::api) refund: RefundInfo,
    /// The change that was dropped or withdrawn; null where the policy was not taken up.
    pub(in crate::api) adjustment: Option<AdjustmentInfo>,
}

/// A reason to cancel.
#[derive(Serialize, ResponseSchema)]
pub struct ReasonInfo {
    pub(in crate::api) id: u32,
    pub(in crate::api) title: &'static str,
}

/// Something a customer asks for a policy.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct ActivityRequest {
    /// `cancellation`.
    #[serde(rename = "type")]
    pub(in crate::api) kind: String,
    pub(in crate::api) policy_uuid: String,
    pub(in crate::api) reason_id: Option<u32>,
    /// First day without cover: today, when the cover ends at once, or a day of the policy's
    /// `cancel_days`, when it ends as this day begins in London. Left out, it is today.
    pub(in crate::api) effective_date: Option<NaiveDate>,
    pub(in crate::api) note: Option<String>,
    /// True to see the refund; nothing changes.
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) preview: bool,
}

/// Something a customer asked for a policy.
#[derive(Serialize, ResponseSchema)]
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
    given_up: Option<DateTime<Utc>>,
    /// Whether `PUT /api/v1/activity/{id}/withdraw` takes it back now.
    can_withdraw: bool,
    /// What comes back for it; of one that is pending what would come back if nothing changed
    /// until its day.
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
            given_up: progress.given_up,
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
