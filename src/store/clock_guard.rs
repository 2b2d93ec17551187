//! Guards a store's file against a wrong clock: a day's work by one would end what isn't over.

use std::sync::{Mutex, OnceLock, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};

use super::wrong_clock::WrongClock;
use crate::clock::Clock;
use crate::store::{StoreError, WriteTx, tables};

/// A clock may be this much earlier than the newest write.
const MAX_BEHIND: TimeDelta = TimeDelta::minutes(10);
/// A clock may be this much later than the newest write: a shop may be off for as long.
const MAX_AHEAD: TimeDelta = TimeDelta::days(40);
/// The moment of a write is stored at most this often.
const STORE_EVERY: TimeDelta = TimeDelta::minutes(1);

/// Compares the clock with the newest write of the store. Nothing is compared before [`ClockGuard::watch`].
#[derive(Default)]
pub(super) struct ClockGuard(OnceLock<Watch>);

struct Watch {
    clock: Clock,
    newest: Mutex<Option<DateTime<Utc>>>,
}

impl ClockGuard {
    /// Begins to compare `clock` with the moment that the store has.
    pub(super) fn watch(&self, clock: Clock, newest: Option<DateTime<Utc>>) {
        let newest = Mutex::new(newest);
        // A second clock of the same store would be the same one.
        let _ = self.0.set(Watch { clock, newest });
    }

    /// Why the clock is wrong.
    pub(super) fn wrong(&self) -> Option<WrongClock> {
        let watch = self.0.get()?;
        let newest = (*watch.newest.lock().unwrap_or_else(PoisonError::into_inner))?;
        let now = watch.clock.now();
        let is_wrong = now < newest - MAX_BEHIND || newest + MAX_AHEAD < now;
        is_wrong.then_some(WrongClock { now, newest })
    }

    /// The moment to store with a write that begins now; none where that was done a short time ago.
    pub(super) fn due(&self) -> Option<DateTime<Utc>> {
        let watch = self.0.get()?;
        let newest = *watch.newest.lock().unwrap_or_else(PoisonError::into_inner);
        let now = watch.clock.now();
        let is_due = newest.is_none_or(|newest| newest + STORE_EVERY <= now);
        is_due.then_some(now)
    }

    /// Notes that `moment` is stored.
    pub(super) fn note(&self, moment: DateTime<Utc>) {
        if let Some(watch) = self.0.get() {
            *watch.newest.lock().unwrap_or_else(PoisonError::into_inner) = Some(moment);
        }
    }
}

/// Stores `moment` as that of the newest write.
pub(super) fn put(tx: &mut WriteTx<'_>, moment: DateTime<Utc>) -> Result<(), StoreError> {
    tables::NEWEST_WRITE.put(tx, &(), &moment)
}
