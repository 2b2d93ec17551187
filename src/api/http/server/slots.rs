//! The slots for connections. If the slots run out, stalled connections must give up their slots.

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

use crate::api::http::client_shares::{ClientShare, ClientShares};
use crate::api::http::server::Limits;
use crate::config::client_network;
use crate::metrics;

/// How long a connection waits for a slot. Meanwhile, connections that stall for two seconds give up
/// their slots.
const SLOT_WAIT: Duration = Duration::from_secs(3);

/// Shortest time between two log lines about connections that were closed, refused or not accepted.
const LOGGED_EVERY: Duration = Duration::from_secs(60);

/// The slots of a server.
pub(super) struct ConnectionSlots {
    pub(super) limits: Limits,
    free: Arc<Semaphore>,
    shares: Arc<ClientShares>,
    has_no_file: AtomicBool,
    is_stopping: AtomicBool,
    /// Bytes of responses that are not sent yet.
    unread: AtomicUsize,
    shortage: Mutex<Shortage>,
}

/// The slot of one connection. Dropping it frees the slot.
pub(super) struct ConnectionSlot {
    pub(super) slots: Arc<ConnectionSlots>,
    /// `None` for a trusted proxy, which may take all slots.
    share: Option<ClientShare>,
    _permit: OwnedSemaphorePermit,
}

impl ConnectionSlot {
    /// Checks whether a stalled connection must give up this slot. The reasons are
    /// [`ConnectionSlots::is_contended`] and a client that has reached its limit.
    pub(super) fn is_wanted(&self) -> bool {
        self.slots.is_contended() || self.share.as_ref().is_some_and(ClientShare::is_last)
    }
}

/// How many connections were closed, refused or not accepted since the last log line.
#[derive(Default)]
struct Shortage {
    closed: usize,
    refused: usize,
    failed: usize,
    logged: Option<Instant>,
}

impl ConnectionSlots {
    pub(super) fn new(limits: Limits) -> Arc<Self> {
        Arc::new(Self {
            free: Arc::new(Semaphore::new(limits.in_all)),
            shares: ClientShares::new(limits.per_client),
            has_no_file: AtomicBool::new(false),
            is_stopping: AtomicBool::new(false),
            unread: AtomicUsize::new(0),
            shortage: Mutex::default(),
            limits,
        })
    }

    /// Waits for a slot for a connection from `peer`. Returns `None` if no slot becomes free within
    /// [`SLOT_WAIT`]. Also returns `None` if the client has reached its limit, unless `peer` is a trusted
    /// proxy.
    pub(super) async fn acquire(self: &Arc<Self>, peer: IpAddr) -> Option<ConnectionSlot> {
        let mut share = None;
        if !self.limits.is_trusted(peer) {
            share = self.shares.acquire(client_network(peer), 1);
            if share.is_none() {
                self.note_refused();
                return None;
            }
        }
        let free = self.free.clone().acquire_owned();
        let Ok(Ok(permit)) = timeout(SLOT_WAIT, free).await else {
            self.note_refused();
            return None;
        };
        Some(ConnectionSlot {
            slots: self.clone(),
            share,
            _permit: permit,
        })
    }

    /// Checks whether no slot is free, accepting a connection has just failed, or the server is stopping.
    fn is_contended(&self) -> bool {
        self.free.available_permits() == 0
            || self.has_no_file.load(Ordering::Relaxed)
            || self.is_stopping.load(Ordering::Relaxed)
    }

    /// Adds bytes of a response that is not sent yet.
    pub(super) fn add_unread(&self, bytes: usize) {
        self.unread.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(super) fn remove_unread(&self, bytes: usize) {
        self.unread.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Checks whether responses that are not sent yet take too much memory.
    pub(super) fn has_too_much_unread(&self) -> bool {
        self.unread.load(Ordering::Relaxed) > self.limits.unread
    }

    /// Waits for `pause` after accepting a connection failed, probably because no file descriptor was free.
    /// Meanwhile, stalled connections must give up their slots.
    pub(super) async fn pause_without_files(&self, pause: Duration) {
        self.note(|shortage| shortage.failed += 1);
        self.has_no_file.store(true, Ordering::Relaxed);
        sleep(pause).await;
        self.has_no_file.store(false, Ordering::Relaxed);
    }

    /// Makes connections that stall give up their slots from now on, because the server is stopping.
    pub(super) fn stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
    }

    /// Records that a connection was closed because it stalled.
    pub(super) fn note_closed(&self) {
        metrics::count_rejected_connection("closed");
        self.note(|shortage| shortage.closed += 1);
    }

    fn note_refused(&self) {
        metrics::count_rejected_connection("refused");
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
    /// Logs at most once a minute how many connections were open, and the counts since the last line.
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
