//! Guards a store's file against a wrong clock. A daily run at a wrong time would end cover and quotes early.

use std::sync::{Mutex, OnceLock, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};

use super::wrong_clock::WrongClock;
use crate::clock::Clock;
use crate::store::{StoreError, WriteTx, tables};

/// How far a clock may be behind the newest write.
const MAX_BEHIND: TimeDelta = TimeDelta::minutes(10);
/// How far a clock may be ahead of the newest write. A shop may be off for this long.
const MAX_AHEAD: TimeDelta = TimeDelta::days(40);
/// Shortest time between two stored write times.
const STORE_EVERY: TimeDelta = TimeDelta::minutes(1);

/// Compares the clock with the store's newest write. Does nothing before [`ClockGuard::start`].
#[derive(Default)]
pub(super) struct ClockGuard(OnceLock<Watch>);

struct Watch {
    clock: Clock,
    newest: Mutex<Option<DateTime<Utc>>>,
}

impl ClockGuard {
    /// Starts to compare `clock` with the time of the newest write.
    pub(super) fn start(&self, clock: Clock, newest: Option<DateTime<Utc>>) {
        let newest = Mutex::new(newest);
        // A second call has no effect. Each caller passes the same clock.
        let _ = self.0.set(Watch { clock, newest });
    }

    /// Returns why the clock is wrong. Returns `None` for a right clock, for an inactive guard, and
    /// without a known time of a write.
    pub(super) fn error(&self) -> Option<WrongClock> {
        let watch = self.0.get()?;
        let newest = (*watch.newest.lock().unwrap_or_else(PoisonError::into_inner))?;
        let now = watch.clock.now();
        let is_wrong = now < newest - MAX_BEHIND || newest + MAX_AHEAD < now;
        is_wrong.then_some(WrongClock { now, newest })
    }

    /// Returns the time to store with a write that begins now. Returns `None` if the guard is inactive,
    /// or if less than a minute has passed since the newest stored time.
    pub(super) fn due(&self) -> Option<DateTime<Utc>> {
        let watch = self.0.get()?;
        let newest = *watch.newest.lock().unwrap_or_else(PoisonError::into_inner);
        let now = watch.clock.now();
        let is_due = newest.is_none_or(|newest| newest + STORE_EVERY <= now);
        is_due.then_some(now)
    }

    /// Records that `moment` is stored.
    pub(super) fn note(&self, moment: DateTime<Utc>) {
        if let Some(watch) = self.0.get() {
            *watch.newest.lock().unwrap_or_else(PoisonError::into_inner) = Some(moment);
        }
    }
}

/// Stores `moment` as the time of the newest write.
pub(super) fn put(tx: &mut WriteTx<'_>, moment: DateTime<Utc>) -> Result<(), StoreError> {
    tables::NEWEST_WRITE.put(tx, &(), &moment)
}
