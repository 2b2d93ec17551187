//! Work that waits in one of the queues.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::store::tables::{Job, Work};
use crate::store::{StoreError, WriteTx};

/// Writes a job under when it is due and its id.
pub(in crate::app) fn put(
    tx: &mut WriteTx<'_>,
    queue: &Work,
    key: (DateTime<Utc>, Uuid),
    job: &Job,
) -> Result<(), StoreError> {
    queue.put(tx, &key, job)
}

/// Removes a job.
pub(in crate::app) fn delete(tx: &mut WriteTx<'_>, queue: &Work, key: (DateTime<Utc>, Uuid)) {
    queue.delete(tx, &key);
}
