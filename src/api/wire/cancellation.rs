//! The end of a policy before its time, and what it gives back, as they go over the wire.

use chrono::{DateTime, NaiveDate, Utc};
use poem_openapi::Enum;
use serde::Serialize;
use uuid::Uuid;

use super::adjustment::{AdjustmentInfo, AmountLine};
use super::published::{answer, or_default, request};
use super::{Pounds, StatusId};
use crate::app::payments::refunds::RefundProgress;
use crate::app::policies::cancellation::{CancellationProgress, CancellationStage};
use crate::domain::cancellation;
use crate::domain::money::Pence;

/// What a customer may ask for a policy.
#[derive(Clone, Copy, PartialEq, Eq, Enum, Serialize)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum ActivityType {
    Cancellation,
}

/// The status of a request: a `preview`; `pending` until its day; `done`, whatever its refund's status
/// is; `withdrawn` before its day; or `overtaken`, because the policy ended in another way before it.
#[derive(Clone, Copy, Enum, Serialize)]
#[oai(rename_all = "snake_case", remote = "CancellationStage")]
#[serde(rename_all = "snake_case")]
pub enum ActivityStatus {
    Preview,
    Pending,
    Done,
    Withdrawn,
    Overtaken,
}

/// How money that comes back stands: `none` until it is on its way, or where nothing comes back; `disputed`
/// while it waits for a bank's decision about a dispute.
#[derive(Clone, Copy, Enum, Serialize)]
#[oai(rename_all = "snake_case", remote = "RefundProgress")]
#[serde(rename_all = "snake_case")]
pub enum RefundState {
    None,
    Pending,
    Disputed,
    Paid,
    Refused,
}

answer! {
    /// Money that comes back.
    pub struct RefundInfo {
        pub(in crate::api) amount: Pounds,
        pub(in crate::api) lines: Vec<AmountLine>,
        pub(in crate::api) status: RefundState,
    }
}

impl RefundInfo {
    /// Nothing comes back.
    pub(in crate::api) fn nothing() -> Self {
        Self {
            amount: Pounds(Pence::ZERO),
            lines: Vec::new(),
            status: RefundState::None,
        }
    }
}

answer! {
    /// What was undone: a policy that was not taken up, or a change of it that was withdrawn.
    pub struct NotTakenUp {
        /// The policy's status.
        pub(in crate::api) status_id: StatusId,
        /// What comes back.
        pub(in crate::api) refund: RefundInfo,
        /// The change that was dropped or withdrawn; null where the policy was not taken up.
        pub(in crate::api) adjustment: Option<AdjustmentInfo>,
    }
}

answer! {
    /// A reason to cancel.
    pub struct ReasonInfo {
        pub(in crate::api) id: u32,
        pub(in crate::api) title: &'static str,
    }
}

request! {
    /// Something a customer asks for a policy.
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
}

answer! {
    /// Something a customer asked for a policy.
    pub struct ActivityInfo {
        /// Null in a preview.
        id: Option<Uuid>,
        #[serde(rename = "type")]
        kind: ActivityType,
        status: ActivityStatus,
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
}

answer! {
    /// An agreed change that never comes, because the policy ends before it.
    pub struct DroppedChange {
        adjustment_id: Uuid,
        /// The day it was to count from.
        effective_date: NaiveDate,
        /// What was paid for it and comes back, beside the refund of the cancellation.
        amount_back: Pounds,
    }
}

impl From<CancellationProgress> for ActivityInfo {
    fn from(progress: CancellationProgress) -> Self {
        let cancellation = &progress.cancellation;
        let is_preview = progress.stage == CancellationStage::Preview;
        Self {
            id: (!is_preview).then_some(cancellation.id),
            kind: ActivityType::Cancellation,
            status: progress.stage.into(),
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
            dropped_change: progress.dropped.as_ref().map(|dropped| DroppedChange {
                adjustment_id: dropped.adjustment,
                effective_date: dropped.effective,
                amount_back: Pounds(dropped.back),
            }),
        }
    }
}

impl From<&CancellationProgress> for RefundInfo {
    fn from(progress: &CancellationProgress) -> Self {
        let refund = &progress.cancellation.refund;
        Self {
            amount: Pounds(refund.amount),
            lines: refund.lines.iter().map(AmountLine::from).collect(),
            status: progress.refund_progress.into(),
        }
    }
}
