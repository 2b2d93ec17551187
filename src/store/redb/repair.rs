//! The repair of a store after an unclean shutdown: its progress, its losses, and its cancellation.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use redb::RepairSession;

/// The state of a repair. All clones share one state.
#[derive(Clone, Debug, Default)]
pub struct Repair(Arc<State>);

#[derive(Debug, Default)]
struct State {
    under_way: AtomicBool,
    /// Progress in percent.
    done: AtomicU8,
    /// Percent at the start of the current pass, and percent that the pass adds.
    pass: (AtomicU8, AtomicU8),
    /// Bytes read in the current pass.
    read: AtomicU64,
    /// Bytes of the file.
    size: AtomicU64,
    fell_back: AtomicBool,
    stop: AtomicBool,
    /// Start of the current repair, and duration of the last repair.
    lasted: Mutex<(Option<Instant>, Duration)>,
}

impl Repair {
    /// Returns the progress in percent. `None` while no repair runs.
    #[must_use]
    pub fn percent(&self) -> Option<u8> {
        let percent = self.0.done.load(Relaxed);
        self.0.under_way.load(Relaxed).then_some(percent)
    }

    /// Cancels the current repair as soon as possible, and each later repair. A cancelled repair doesn't
    /// harm the store.
    pub fn stop(&self) {
        self.0.stop.store(true, Relaxed);
    }

    /// Returns whether the repair was cancelled.
    pub(in crate::store) fn is_stopped(&self) -> bool {
        self.0.stop.load(Relaxed)
    }

    /// Returns whether the newest commit was incomplete or damaged, so that the repair used the commit
    /// before it.
    pub(in crate::store) fn has_fallen_back(&self) -> bool {
        self.0.fell_back.load(Relaxed)
    }

    /// Resets the progress before a file of `size` bytes is opened.
    pub(in crate::store) fn opening(&self, size: u64) {
        self.0.size.store(size.max(1), Relaxed);
        self.0.fell_back.store(false, Relaxed);
        self.0.done.store(0, Relaxed);
        self.with_timer(|lasted| *lasted = (None, Duration::ZERO));
    }

    fn with_timer<T>(&self, with: impl FnOnce(&mut (Option<Instant>, Duration)) -> T) -> T {
        with(&mut self.0.lasted.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns how long the repair of the last opened file took.
    pub(in crate::store) fn duration(&self) -> Duration {
        self.with_timer(|(_, took)| *took)
    }

    /// Returns whether a repair was necessary.
    #[cfg(test)]
    pub(in crate::store) fn was_needed(&self) -> bool {
        self.0.done.load(Relaxed) > 0
    }

    /// Records that the file is open, or can't be opened.
    pub(in crate::store) fn finish(&self) {
        self.0.under_way.store(false, Relaxed);
        self.with_timer(|(began, took)| {
            *took = began.take().map_or(*took, |began| began.elapsed())
        });
    }

    /// Receives redb's progress. At 0.0, the repair begins. At 0.3, the newest commit is damaged, and the
    /// repair uses the commit before it. At 0.6, the pages of the used commit are verified. At 0.9, the
    /// pages of all rows are marked as used.
    pub(in crate::store) fn on_progress(&self, session: &mut RepairSession) {
        let from = (session.progress() * 100.0) as u8;
        if !self.0.under_way.swap(true, Relaxed) {
            let megabytes = self.0.size.load(Relaxed) >> 20;
            tracing::warn!(megabytes, "the store was not closed properly: repairing it");
            self.with_timer(|(began, _)| *began = Some(Instant::now()));
        }
        if (30..60).contains(&from) {
            self.0.fell_back.store(true, Relaxed);
        }
        let takes = match from {
            0..30 => 60,
            30..90 => 30,
            _ => 9,
        };
        self.0.pass.0.store(from, Relaxed);
        self.0.pass.1.store(takes, Relaxed);
        self.0.read.store(0, Relaxed);
        self.set_percent(from);
        if self.0.stop.load(Relaxed) {
            session.abort();
        }
    }

    /// Records that `bytes` more bytes were read.
    ///
    /// # Errors
    /// If a repair is in progress and was cancelled.
    pub(in crate::store) fn has_read(&self, bytes: usize) -> io::Result<()> {
        if !self.0.under_way.load(Relaxed) {
            return Ok(());
        }
        if self.is_stopped() {
            return Err(io::Error::other("told to stop"));
        }
        let read = self.0.read.fetch_add(bytes as u64, Relaxed);
        let share = read as f64 / self.0.size.load(Relaxed) as f64;
        let pass_percent = f64::from(self.0.pass.1.load(Relaxed)) * share.min(1.0);
        self.set_percent(self.0.pass.0.load(Relaxed) + pass_percent as u8);
        Ok(())
    }

    /// Raises the progress, which never falls. Logs every ten percent.
    fn set_percent(&self, percent: u8) {
        let before = self.0.done.fetch_max(percent, Relaxed);
        if percent / 10 > before / 10 {
            tracing::info!(percent, "repairing the store");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_goes_with_what_is_read_and_never_back() {
        let repair = Repair::default();
        assert_eq!(repair.percent(), None);
        repair.opening(1000);
        repair.0.under_way.store(true, Relaxed);
        repair.0.pass.1.store(60, Relaxed);
        for (bytes, percent) in [(500, 0), (250, 30), (250, 45), (9000, 60), (1, 60)] {
            repair.has_read(bytes).unwrap();
            assert_eq!(repair.percent(), Some(percent));
        }
        repair.0.pass.0.store(30, Relaxed);
        repair.0.read.store(0, Relaxed);
        repair.has_read(1).unwrap();
        assert_eq!(repair.percent(), Some(60));
        repair.stop();
        repair.has_read(1).unwrap_err();
        repair.finish();
        assert_eq!(repair.percent(), None);
        repair.has_read(1).unwrap();
    }
}
