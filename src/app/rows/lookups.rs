//! Vehicles that were looked up.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use crate::domain::lookup::LookedUp;
use crate::store::tables;
use crate::store::{StoreError, WriteTx};

/// How long a look-up is kept.
pub(in crate::app) const KEPT: TimeDelta = TimeDelta::days(30);

/// Keeps a look-up.
pub(in crate::app) fn put(
    tx: &mut WriteTx<'_>,
    id: Uuid,
    looked_up: &LookedUp,
) -> Result<(), StoreError> {
    tables::LOOKUPS.put(tx, &id, looked_up)
}

/// Whether a look-up's time is over.
pub(in crate::app) fn is_over(looked_up: &LookedUp, now: DateTime<Utc>) -> bool {
    looked_up.at + KEPT <= now
}

/// Deletes a look-up.
pub(in crate::app) fn delete(tx: &mut WriteTx<'_>, id: Uuid) {
    tables::LOOKUPS.delete(tx, &id);
}
