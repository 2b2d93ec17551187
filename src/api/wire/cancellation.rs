//! The end of a policy before its time, and what it gives back, as they go over the wire.

use chrono::{DateTime, NaiveDate, Utc};
use poem_openapi::Enum;
use serde::Serialize;
use uuid::Uuid;

use super::adjustment::AmountLine;
use super::published::{answer, or_default, request};
use super::{Pounds, StatusId};
use crate::app::policies::cancellation::{CancellationProgress, RefundProgress};
use crate::domain::cancellation;

/// What a customer may ask for a policy.
#[derive(Clone, Copy, PartialEq, Eq, Enum, Serialize)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum ActivityType {
    Cancellation,
}

/// The status of a request: a preview, a refund still pending, or done.
#[derive(Clone, Copy, Enum, Serialize)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum ActivityStatus {
    Preview,
    Pending,
    Done,
}

/// How money that comes back stands.
#[derive(Clone, Copy, Enum, Serialize)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum RefundState {
    None,
    Pending,
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

answer! {
    /// A policy that was not taken up.
    pub struct NotTakenUp {
        pub(in crate::api) status_id: StatusId,
        pub(in crate::api) refund: RefundInfo,
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
        effective_date: NaiveDate,
        created: DateTime<Utc>,
        refund: RefundInfo,
    }
}

impl From<CancellationProgress> for ActivityInfo {
    fn from(progress: CancellationProgress) -> Self {
        let cancellation = &progress.cancellation;
        let status = match progress.refund_progress {
            None => ActivityStatus::Preview,
            Some(RefundProgress::Pending) => ActivityStatus::Pending,
            Some(RefundProgress::Nothing | RefundProgress::Paid | RefundProgress::Refused) => {
                ActivityStatus::Done
            }
        };
        Self {
            id: progress.refund_progress.map(|_| cancellation.id),
            kind: ActivityType::Cancellation,
            status,
            reason_id: cancellation.reason,
            reason: cancellation
                .reason
                .and_then(cancellation::reason)
                .map(str::to_string),
            note: cancellation.note.clone(),
            effective_date: cancellation.effective,
            created: cancellation.created,
            refund: RefundInfo::from(&progress),
        }
    }
}

impl From<&CancellationProgress> for RefundInfo {
    fn from(progress: &CancellationProgress) -> Self {
        let refund = &progress.cancellation.refund;
        let status = match progress.refund_progress {
            None | Some(RefundProgress::Nothing) => RefundState::None,
            Some(RefundProgress::Pending) => RefundState::Pending,
            Some(RefundProgress::Paid) => RefundState::Paid,
            Some(RefundProgress::Refused) => RefundState::Refused,
        };
        Self {
            amount: Pounds(refund.amount),
            lines: refund.lines.iter().map(AmountLine::from).collect(),
            status,
        }
    }
}
