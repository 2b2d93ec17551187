//! Putting a store in order that was not closed properly: how far it has come, whether it lost
//! anything, and how it is told to stop.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use redb::RepairSession;

/// A repair for whoever waits for it; clones are of the same one.
#[derive(Clone, Debug, Default)]
pub struct Repair(Arc<State>);

#[derive(Debug, Default)]
struct State {
    under_way: AtomicBool,
    /// Percent that are done.
    done: AtomicU8,
    /// Percent that were done when the present pass began, and percent that it takes.
    pass: (AtomicU8, AtomicU8),
    /// Bytes read in the present pass.
    read: AtomicU64,
    /// Bytes of the file.
    size: AtomicU64,
    fell_back: AtomicBool,
    stop: AtomicBool,
    /// When it began, and how long it took.
    lasted: Mutex<(Option<Instant>, Duration)>,
}

impl Repair {
    /// Percent that are done; none while nothing is being repaired.
    #[must_use]
    pub fn percent(&self) -> Option<u8> {
        let percent = self.0.done.load(Relaxed);
        self.0.under_way.load(Relaxed).then_some(percent)
    }

    /// Has the repair given up as soon as it can be. The store is none the worse for it.
    pub fn stop(&self) {
        self.0.stop.store(true, Relaxed);
    }

    /// Whether it was told to stop.
    pub(in crate::store) fn is_stopped(&self) -> bool {
        self.0.stop.load(Relaxed)
    }

    /// Whether the newest commit was given up, because it couldn't be read whole.
    pub(in crate::store) fn fell_back(&self) -> bool {
        self.0.fell_back.load(Relaxed)
    }

    /// A file of so many bytes is about to be opened.
    pub(in crate::store) fn opening(&self, size: u64) {
        self.0.size.store(size.max(1), Relaxed);
        self.0.fell_back.store(false, Relaxed);
        self.0.done.store(0, Relaxed);
        self.lasted(|lasted| *lasted = (None, Duration::ZERO));
    }

    fn lasted<T>(&self, with: impl FnOnce(&mut (Option<Instant>, Duration)) -> T) -> T {
        with(&mut self.0.lasted.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// How long the file that was opened last was being repaired.
    pub(in crate::store) fn took(&self) -> Duration {
        self.lasted(|(_, took)| *took)
    }

    /// Whether there was anything to repair.
    #[cfg(test)]
    pub(in crate::store) fn was_needed(&self) -> bool {
        self.0.done.load(Relaxed) > 0
    }

    /// The file is open, or can't be opened.
    pub(in crate::store) fn ended(&self) {
        self.0.under_way.store(false, Relaxed);
        self.lasted(|(began, took)| *took = began.take().map_or(*took, |began| began.elapsed()));
    }

    /// What the engine tells of a repair: at 0.0 it begins, at 0.3 it has given up the newest
    /// commit, at 0.6 every page was read, at 0.9 the table of free pages is nearly made.
    pub(in crate::store) fn hear(&self, session: &mut RepairSession) {
        let from = (session.progress() * 100.0) as u8;
        if !self.0.under_way.swap(true, Relaxed) {
            let megabytes = self.0.size.load(Relaxed) >> 20;
            tracing::warn!(megabytes, "the store was not closed properly: repairing it");
            self.lasted(|(began, _)| *began = Some(Instant::now()));
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
        self.reached(from);
        if self.0.stop.load(Relaxed) {
            session.abort();
        }
    }

    /// So many bytes more were read.
    ///
    /// # Errors
    /// When it was told to stop.
    pub(in crate::store) fn has_read(&self, bytes: usize) -> io::Result<()> {
        if !self.0.under_way.load(Relaxed) {
            return Ok(());
        }
        if self.is_stopped() {
            return Err(io::Error::other("told to stop"));
        }
        let read = self.0.read.fetch_add(bytes as u64, Relaxed);
        let share = read as f64 / self.0.size.load(Relaxed) as f64;
        let of_pass = f64::from(self.0.pass.1.load(Relaxed)) * share.min(1.0);
        self.reached(self.0.pass.0.load(Relaxed) + of_pass as u8);
        Ok(())
    }

    /// Progress never goes back, and each tenth of it is logged.
    fn reached(&self, percent: u8) {
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
        repair.ended();
        assert_eq!(repair.percent(), None);
        repair.has_read(1).unwrap();
    }
}
