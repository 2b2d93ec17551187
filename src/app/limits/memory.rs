//! Counts in memory.

use std::time::Duration;

use chrono::TimeDelta;
use moka::ops::compute::Op;
use moka::sync::Cache;

use crate::app::AppError;
use crate::store::tables::LimitCount;

/// The maximum number of counts in memory.
const CAPACITY: u64 = 500_000;
/// How long the client of a payment page is stored, and an unused count stays in memory.
pub(super) const CLIENT_AGE: TimeDelta = TimeDelta::hours(24);

/// The counts in memory, by limit and key.
pub(in crate::app) struct Counts(Cache<String, LimitCount>);

impl Counts {
    pub(in crate::app) fn new() -> Self {
        let counts = Cache::builder().max_capacity(CAPACITY);
        let age = CLIENT_AGE.to_std().unwrap_or(Duration::MAX);
        Self(counts.time_to_idle(age).build())
    }

    /// Changes a count atomically, so that simultaneous tries are all counted.
    pub(super) fn change(
        &self,
        name: String,
        change: impl FnOnce(Option<LimitCount>) -> Result<Option<LimitCount>, AppError>,
    ) -> Result<(), AppError> {
        let mut result = Ok(());
        self.0.entry(name).and_compute_with(|entry| {
            match change(entry.map(moka::Entry::into_value)) {
                Ok(Some(count)) => Op::Put(count),
                Ok(None) => Op::Remove,
                Err(error) => {
                    result = Err(error);
                    Op::Nop
                }
            }
        });
        result
    }
}
