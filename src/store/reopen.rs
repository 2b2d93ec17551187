//! Reopens the store after a failure of the disk or the database. Until the store is open again, writes
//! fail. The writer thread retries with growing pauses, until it succeeds or the outage is too long.

use std::time::{Duration, Instant};

use tokio::sync::{mpsc, watch};

use crate::metrics;
use crate::store::engine::Engine;
use crate::store::error::StoreError;

/// First pause between two tries. Each later pause is twice the pause before, up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// Longest pause between two tries.
const LONGEST_PAUSE: Duration = Duration::from_secs(3);
/// Longest outage of a store in a file, without the time of repairs. After this time, the writer no longer
/// tries to reopen the store.
pub(super) const MAX_OUTAGE: Duration = Duration::from_secs(60);
/// A database may become available at any time, so the length of an outage never ends the retries.
pub(super) const UNLIMITED_OUTAGE: Duration = Duration::MAX;
/// Interval at which a pause checks the queue.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

#[derive(Clone, Debug)]
pub(super) enum StoreHealth {
    /// The store can be read and written.
    Open,
    /// The store is being reopened after a failure.
    Reopening,
    /// The store could not be reopened, for this reason.
    GivenUp(StoreError),
}

/// A time in which the disk or the database fails. It ends with the first successful write.
pub(super) struct Outage {
    /// The next pause. `None` before the first try.
    pause: Option<Duration>,
    /// Time of the pauses and tries so far, without the time of repairs.
    waited: Duration,
    max_duration: Duration,
}

impl Outage {
    /// Returns an outage that has not begun.
    pub(super) fn new(max_duration: Duration) -> Self {
        Self {
            pause: None,
            waited: Duration::ZERO,
            max_duration,
        }
    }

    /// Reopens the store. Writes fail at once until the store is open. Ends when the store is open or
    /// given up, or when the writer's handle is dropped.
    pub(super) fn reopen<M>(
        &mut self,
        engine: &Engine,
        waiting: &mut mpsc::Receiver<M>,
        condition: &watch::Sender<StoreHealth>,
    ) {
        condition.send_replace(StoreHealth::Reopening);
        loop {
            if !self.pause(waiting) {
                return;
            }
            let began = Instant::now();
            match engine.reopen() {
                Ok(()) => {
                    metrics::reopened();
                    let took_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
                    tracing::warn!(took_ms, "the store is open again");
                    condition.send_replace(StoreHealth::Open);
                    return;
                }
                Err(why) => {
                    // A failing disk may be slow, so the time of the try counts, except the time of a
                    // repair.
                    let took = began.elapsed().saturating_sub(engine.repair().duration());
                    self.waited = self.waited.saturating_add(took);
                    if why.is_final() || self.waited >= self.max_duration {
                        condition.send_replace(StoreHealth::GivenUp(why));
                        return;
                    }
                    tracing::error!(error = %why, "the store can't be reopened yet");
                }
            }
        }
    }

    /// Waits before another try. Drops the queued writes meanwhile, so that their callers get an error.
    /// Returns `false` when the writer's handle is dropped.
    fn pause<M>(&mut self, waiting: &mut mpsc::Receiver<M>) -> bool {
        let pause = self.pause.unwrap_or_default();
        let until = Instant::now() + pause;
        loop {
            while waiting.try_recv().is_ok() {}
            if waiting.is_closed() {
                return false;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            std::thread::sleep(left.min(POLL_INTERVAL));
        }
        self.waited = self.waited.saturating_add(pause);
        let next = self.pause.map_or(FIRST_PAUSE, |pause| pause * 2);
        self.pause = Some(next.min(LONGEST_PAUSE));
        true
    }
}
