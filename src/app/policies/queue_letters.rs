//! Queues letters about a policy.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::AppError;
use crate::app::jobs::queue::enqueue;
use crate::domain::deterministic_id;
use crate::store::WriteTx;
use crate::store::tables::{PolicyNotification, Task};

/// Queues a letter about a policy. The same notification at the same moment is queued once.
pub(in crate::app) fn queue_letter(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    news: PolicyNotification,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let kind = format!("{news:?}");
    let id = deterministic_id::id_from_parts(&[policy.as_bytes(), kind.as_bytes()]);
    enqueue(tx, Task::MailPolicy { policy, news }, now, id)
}
