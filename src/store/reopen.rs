//! After a failure of the disk or the database the engine takes no more writes until the store is closed and opened
//! again. That is done here, with growing pauses, until it succeeds or too long has passed.

use std::time::{Duration, Instant};

use tokio::sync::{mpsc, watch};

use crate::metrics;
use crate::store::engine::Engine;
use crate::store::error::StoreError;

/// First pause between two tries; each is twice the one before.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// Longest pause between two tries.
const LONGEST_PAUSE: Duration = Duration::from_secs(3);
/// Time without success, without that of repairs, after which the store is given up.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);
/// A database that went away comes back, however long that takes.
pub(super) const ENDLESS: Duration = Duration::MAX;
/// How often somebody who waits looks around.
const GLANCE: Duration = Duration::from_millis(20);

/// How the store is.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// It is read and written.
    Open,
    /// The disk or the database has failed, and the store is being closed and opened again.
    Reopening,
    /// It could not be opened again, for this reason.
    GivenUp(StoreError),
}

/// A time in which the disk fails. It is over when a write has reached the disk.
pub(super) struct Outage {
    /// The next pause; none before the first try.
    pause: Option<Duration>,
    /// Time without success.
    waited: Duration,
    patience: Duration,
}

impl Outage {
    /// One that has not begun.
    pub(super) fn new(patience: Duration) -> Self {
        Self {
            pause: None,
            waited: Duration::ZERO,
            patience,
        }
    }

    /// Opens the store again; whoever writes meanwhile hears at once that it is closed. Ends when
    /// the store is open, given up, or when nobody is left who could write.
    pub(super) fn reopen<M>(
        &mut self,
        engine: &Engine,
        waiting: &mut mpsc::Receiver<M>,
        condition: &watch::Sender<Condition>,
    ) {
        condition.send_replace(Condition::Reopening);
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
                    condition.send_replace(Condition::Open);
                    return;
                }
                Err(why) => {
                    // A disk may take long to fail. Only repairs aren't counted.
                    let took = began.elapsed().saturating_sub(engine.repair().took());
                    self.waited = self.waited.saturating_add(took);
                    if why.is_final() || self.waited >= self.patience {
                        condition.send_replace(Condition::GivenUp(why));
                        return;
                    }
                    tracing::error!(error = %why, "the store can't be opened again yet");
                }
            }
        }
    }

    /// Waits before another try; false when nobody is left who could write. What was queued before
    /// the store was closed is dropped, which tells those who wait for it.
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
            std::thread::sleep(left.min(GLANCE));
        }
        self.waited = self.waited.saturating_add(pause);
        let next = self.pause.map_or(FIRST_PAUSE, |pause| pause * 2);
        self.pause = Some(next.min(LONGEST_PAUSE));
        true
    }
}
