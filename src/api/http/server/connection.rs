//! One connection: its phase, the phase's start, and whether its client is late.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::api::http::server::slots::ConnectionSlot;
use crate::metrics;

/// How long a client may stall while its slot is wanted, or while unsent responses take too much memory.
const STALLED: Duration = Duration::from_secs(2);

/// How often a stalled connection checks whether it must end.
const TICK: Duration = Duration::from_millis(500);

/// What a connection waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The rest of a head, or the first request.
    Head = 0,
    /// The next request.
    Idle = 1,
    /// More of a body.
    Body = 2,
    /// The server's work.
    Working = 3,
    /// The client, which has to read the response.
    Sending = 4,
}

impl Phase {
    const ALL: [Self; 5] = [
        Self::Head,
        Self::Idle,
        Self::Body,
        Self::Working,
        Self::Sending,
    ];
}

/// One connection with its slot.
pub(super) struct Connection {
    slot: ConnectionSlot,
    opened: Instant,
    /// The phase in the lowest three bits. The bits above contain the phase's start, in milliseconds
    /// after `opened`.
    state: AtomicU64,
    /// Number of requests in progress. HTTP/2 allows several.
    requests: AtomicU32,
    is_http2: AtomicBool,
    /// Bytes of responses that are not sent yet, without those of a [`SharedBody`].
    unread: AtomicUsize,
}

impl Connection {
    pub(super) fn new(slot: ConnectionSlot) -> Self {
        metrics::add_to_connections(1);
        Self {
            slot,
            opened: Instant::now(),
            state: AtomicU64::new(Phase::Head as u64),
            requests: AtomicU32::new(0),
            is_http2: AtomicBool::new(false),
            unread: AtomicUsize::new(0),
        }
    }

    fn enter(&self, phase: Phase) {
        let since = u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(u64::MAX >> 3);
        self.state
            .store(since << 3 | phase as u64, Ordering::Relaxed);
    }

    fn phase(&self) -> Phase {
        phase_of(self.state.load(Ordering::Relaxed))
    }

    /// Returns the phase and its duration so far.
    fn state(&self) -> (Phase, Duration) {
        let state = self.state.load(Ordering::Relaxed);
        let lasted = self.opened.elapsed();
        let since = Duration::from_millis(state >> 3);
        (phase_of(state), lasted.saturating_sub(since))
    }

    /// Records that bytes arrived. Between two HTTP/1 requests, the bytes start the next head. Over HTTP/2,
    /// the bytes may be any frame, so the phase does not change.
    pub(super) fn has_read(&self) {
        if self.phase() == Phase::Idle && !self.is_http2.load(Ordering::Relaxed) {
            self.enter(Phase::Head);
        }
    }

    /// Records that bytes were sent. `bytes` includes heads and `unread` does not, so `unread` becomes a
    /// little too small.
    pub(super) fn has_written(&self, bytes: usize) {
        let left = |unread: usize| Some(unread.saturating_sub(bytes));
        let order = Ordering::Relaxed;
        if let Ok(unread) = self.unread.fetch_update(order, order, left) {
            self.slot.slots.remove_unread(unread.min(bytes));
        }
        if self.phase() == Phase::Sending {
            self.enter(Phase::Sending);
        }
    }

    /// Records that all bytes are sent.
    pub(super) fn has_sent_all(&self) {
        if self.phase() == Phase::Sending {
            self.forget_unread();
            self.enter(Phase::Idle);
        }
    }

    fn forget_unread(&self) {
        let bytes = self.unread.swap(0, Ordering::Relaxed);
        self.slot.slots.remove_unread(bytes);
    }

    /// Begins a request whose head has arrived. The body may arrive later.
    pub(super) fn begin(self: &Arc<Self>, over_http2: bool) -> ConnectionWork {
        if over_http2 {
            self.is_http2.store(true, Ordering::Relaxed);
        }
        self.requests.fetch_add(1, Ordering::Relaxed);
        self.enter(Phase::Working);
        ConnectionWork(self.clone())
    }

    /// Waits until the client exceeds a time limit, or must give up its connection because it stalls.
    pub(super) async fn is_late(&self) {
        let timeouts = &self.slot.slots.limits.timeouts;
        let soonest = STALLED.min(timeouts.head).min(timeouts.idle);
        while !self.is_overdue() {
            let (_, lasted) = self.state();
            sleep(soonest.saturating_sub(lasted).max(TICK)).await;
        }
    }

    fn is_overdue(&self) -> bool {
        let (phase, lasted) = self.state();
        let timeouts = &self.slot.slots.limits.timeouts;
        let is_over = match phase {
            Phase::Working => return false,
            Phase::Head => lasted >= timeouts.head,
            Phase::Idle | Phase::Sending => lasted >= timeouts.idle,
            // `bodies::read` limits the time of a body.
            Phase::Body => false,
        };
        if is_over || lasted < STALLED {
            return is_over;
        }
        let is_wanted = self.slot.is_wanted()
            || self.unread.load(Ordering::Relaxed) > 0 && self.slot.slots.has_too_much_unread();
        if is_wanted {
            self.slot.slots.note_closed();
        }
        is_wanted
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.forget_unread();
        metrics::add_to_connections(-1);
    }
}

fn phase_of(state: u64) -> Phase {
    let named = Phase::ALL
        .into_iter()
        .find(|phase| *phase as u64 == state & 7);
    named.unwrap_or(Phase::Working)
}

/// A request in progress on a connection. Dropping the value ends the request.
pub(super) struct ConnectionWork(Arc<Connection>);

impl ConnectionWork {
    /// Returns the connection's handle for the code that reads the body.
    pub(super) fn sender(&self) -> BodySender {
        BodySender(self.0.clone())
    }

    /// Ends the request. Its response takes `size` bytes of memory until the server has sent them.
    pub(super) fn finish(self, size: u64) {
        if size > 0 {
            let size = usize::try_from(size).unwrap_or(usize::MAX);
            self.0.unread.fetch_add(size, Ordering::Relaxed);
            self.0.slot.slots.add_unread(size);
        }
    }
}

impl Drop for ConnectionWork {
    fn drop(&mut self) {
        if self.0.requests.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.0.enter(Phase::Sending);
        }
    }
}

/// Marks a response whose body stays in the server's memory after the response, such as a file of the
/// website. Sending such a body takes no extra memory. The mark is an extension of the response.
#[derive(Clone, Copy)]
pub struct SharedBody;

/// The connection of a request that has a body, in the request's data.
#[derive(Clone)]
pub struct BodySender(Arc<Connection>);

impl BodySender {
    /// Enters the phase `Body` until the result is dropped. Over HTTP/2, does nothing and returns `None`.
    #[must_use]
    pub fn wait(&self) -> Option<BodyWait<'_>> {
        // Over HTTP/2, other requests of the connection may be in progress while one request waits for
        // its body.
        if self.0.is_http2.load(Ordering::Relaxed) {
            return None;
        }
        self.0.enter(Phase::Body);
        Some(BodyWait(&self.0))
    }
}

/// While this value exists, the connection waits for a body.
pub struct BodyWait<'a>(&'a Connection);

impl Drop for BodyWait<'_> {
    fn drop(&mut self) {
        self.0.enter(Phase::Working);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::http::server::Limits;
    use crate::api::http::server::slots::ConnectionSlots;
    use crate::config::{Config, Layers};

    async fn connection() -> Arc<Connection> {
        let config = Config::load(&Layers::default()).unwrap();
        let places = ConnectionSlots::new(Limits::from_settings(&config.server));
        let place = places.acquire([127, 0, 0, 1].into()).await;
        Arc::new(Connection::new(place.unwrap()))
    }

    #[tokio::test]
    async fn a_connection_waits_for_a_head_for_us_and_for_its_client() {
        let connection = connection().await;
        assert_eq!(connection.phase(), Phase::Head);
        let work = connection.begin(false);
        assert_eq!(connection.phase(), Phase::Working);
        let sender = work.sender();
        let waits = sender.wait();
        connection.has_read();
        assert_eq!(connection.phase(), Phase::Body);
        drop(waits);
        assert_eq!(connection.phase(), Phase::Working);
        let max_unread = connection.slot.slots.limits.unread;
        work.finish(max_unread as u64 + 1);
        assert!(connection.slot.slots.has_too_much_unread());
        connection.has_written(1);
        assert_eq!(connection.phase(), Phase::Sending);
        assert!(!connection.slot.slots.has_too_much_unread());
        connection.has_sent_all();
        assert_eq!(connection.phase(), Phase::Idle);
        assert!(!connection.slot.slots.has_too_much_unread());
        connection.has_read();
        assert_eq!(connection.phase(), Phase::Head);
        connection.begin(false).finish(max_unread as u64 + 1);
        let places = connection.slot.slots.clone();
        assert!(places.has_too_much_unread());
        drop((sender, connection));
        assert!(!places.has_too_much_unread(), "it ended");
    }

    #[tokio::test]
    async fn over_http2_several_requests_are_under_way_and_what_comes_between_them_is_no_head() {
        let connection = connection().await;
        let (first, second) = (connection.begin(true), connection.begin(true));
        assert!(first.sender().wait().is_none());
        first.finish(1);
        assert_eq!(connection.phase(), Phase::Working);
        second.finish(1);
        connection.has_sent_all();
        connection.has_read();
        assert_eq!(connection.phase(), Phase::Idle);
    }
}
