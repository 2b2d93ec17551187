//! The places for connections: how many there are, and whether others wait for one.

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

use crate::api::http::client_shares::{Share, Shares};
use crate::api::http::server::Limits;
use crate::config::client_network;
use crate::metrics;

/// How long a connection waits for a place. Those that stall for two seconds leave theirs meanwhile.
const PLACE_TIME: Duration = Duration::from_secs(3);

/// How often is logged that connections run out.
const LOGGED_EVERY: Duration = Duration::from_secs(60);

/// The places of a server.
pub(super) struct Places {
    pub(super) limits: Limits,
    free: Arc<Semaphore>,
    shares: Arc<Shares>,
    has_no_file: AtomicBool,
    is_stopping: AtomicBool,
    /// How much of answers is still to be sent, bytes.
    unread: AtomicUsize,
    shortage: Mutex<Shortage>,
}

/// The place of one connection, free again when it is dropped.
pub(super) struct Place {
    pub(super) places: Arc<Places>,
    /// None for a trusted proxy, which may have all places.
    share: Option<Share>,
    _permit: OwnedSemaphorePermit,
}

impl Place {
    /// Whether a connection that stalls has to leave it to another.
    pub(super) fn is_wanted(&self) -> bool {
        self.places.are_wanted() || self.share.as_ref().is_some_and(Share::is_last)
    }
}

/// What became of connections for which there was no place, since it was last logged.
#[derive(Default)]
struct Shortage {
    closed: usize,
    refused: usize,
    failed: usize,
    logged: Option<Instant>,
}

impl Places {
    pub(super) fn new(limits: Limits) -> Arc<Self> {
        Arc::new(Self {
            free: Arc::new(Semaphore::new(limits.in_all)),
            shares: Shares::new(limits.of_one),
            has_no_file: AtomicBool::new(false),
            is_stopping: AtomicBool::new(false),
            unread: AtomicUsize::new(0),
            shortage: Mutex::default(),
            limits,
        })
    }

    /// Waits for a place for a connection from `peer`. Returns `None` if its client has all that one
    /// client may, or if none becomes free.
    pub(super) async fn take(self: &Arc<Self>, peer: IpAddr) -> Option<Place> {
        let mut share = None;
        if !self.limits.is_trusted(peer) {
            share = self.shares.take(client_network(peer), 1);
            if share.is_none() {
                self.note_refused();
                return None;
            }
        }
        let free = self.free.clone().acquire_owned();
        let Ok(Ok(permit)) = timeout(PLACE_TIME, free).await else {
            self.note_refused();
            return None;
        };
        Some(Place {
            places: self.clone(),
            share,
            _permit: permit,
        })
    }

    /// Whether connections that stall leave their places to others.
    fn are_wanted(&self) -> bool {
        self.free.available_permits() == 0
            || self.has_no_file.load(Ordering::Relaxed)
            || self.is_stopping.load(Ordering::Relaxed)
    }

    /// Adds to the answers that are still to be sent, bytes.
    pub(super) fn add_unread(&self, bytes: usize) {
        self.unread.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(super) fn remove_unread(&self, bytes: usize) {
        self.unread.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Whether answers that are still to be sent take too much memory.
    pub(super) fn has_too_much_unread(&self) -> bool {
        self.unread.load(Ordering::Relaxed) > self.limits.unread
    }

    /// Pauses because no file is left for a connection.
    pub(super) async fn pause_without_files(&self, pause: Duration) {
        self.note(|shortage| shortage.failed += 1);
        self.has_no_file.store(true, Ordering::Relaxed);
        sleep(pause).await;
        self.has_no_file.store(false, Ordering::Relaxed);
    }

    /// From now on no connection may stall.
    pub(super) fn stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
    }

    /// A connection was closed because it stalled.
    pub(super) fn note_closed(&self) {
        metrics::turned_away("closed");
        self.note(|shortage| shortage.closed += 1);
    }

    fn note_refused(&self) {
        metrics::turned_away("refused");
        self.note(|shortage| shortage.refused += 1);
    }

    fn note(&self, count: impl FnOnce(&mut Shortage)) {
        let open = self.limits.in_all - self.free.available_permits();
        let mut shortage = self.shortage.lock().unwrap_or_else(PoisonError::into_inner);
        count(&mut shortage);
        shortage.log(open);
    }
}

impl Shortage {
    /// Says once a minute that connections ran out, and for how many.
    fn log(&mut self, open: usize) {
        let is_time = self
            .logged
            .is_none_or(|logged| logged.elapsed() >= LOGGED_EVERY);
        if !is_time {
            return;
        }
        tracing::warn!(
            open,
            closed = self.closed,
            refused = self.refused,
            failed = self.failed,
            "connections run out: some that stalled were closed, others refused, or no file was left for them"
        );
        *self = Self {
            logged: Some(Instant::now()),
            ..Self::default()
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortage_is_logged_once_a_minute_with_all_that_came_of_it() {
        let mut shortage = Shortage {
            failed: 1,
            ..Shortage::default()
        };
        shortage.log(7);
        assert_eq!(shortage.failed, 0, "it is said at once");
        for (seconds, is_logged) in [(1, false), (59, false), (61, true)] {
            shortage.failed += 1;
            shortage.logged = Instant::now().checked_sub(Duration::from_secs(seconds));
            shortage.log(7);
            assert_eq!(shortage.failed == 0, is_logged, "{seconds} s");
        }
    }
}
