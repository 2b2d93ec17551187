//! Work that waits in one of the queues, and why a letter's last try has failed.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::store::tables::{self, Job, LetterFailure, Work};
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

/// Writes why the last try of a letter has failed, by the id of its job.
pub(in crate::app) fn put_failure(
    tx: &mut WriteTx<'_>,
    id: Uuid,
    failure: &LetterFailure,
) -> Result<(), StoreError> {
    tables::LETTER_FAILURES.put(tx, &id, failure)
}

/// Removes a job, and why its last try has failed.
pub(in crate::app) fn delete(
    tx: &mut WriteTx<'_>,
    queue: &Work,
    key: (DateTime<Utc>, Uuid),
) -> Result<(), StoreError> {
    queue.delete(tx, &key);
    if tables::LETTER_FAILURES.has(tx, &key.1)? {
        tables::LETTER_FAILURES.delete(tx, &key.1);
    }
    Ok(())
}
