//! One connection: what it waits for, since when, and whether its client is late.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::api::http::server::slots::ConnectionSlot;
use crate::metrics;

/// How long a client may keep us waiting where others wait for its place, or for the memory that its
/// answers take.
const STALLED: Duration = Duration::from_secs(2);

/// How often a connection that stalls looks whether its place is wanted.
const TICK: Duration = Duration::from_millis(500);

/// What a connection waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// For the rest of a head, or for the first request.
    Head = 0,
    /// For the next request.
    Idle = 1,
    /// For more of a body.
    Body = 2,
    /// For us.
    Working = 3,
    /// For its client to read the answer.
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

/// One connection, with its place.
pub(super) struct Connection {
    slot: ConnectionSlot,
    opened: Instant,
    /// The phase in the lowest three bits, and above them when it began, milliseconds after `opened`.
    state: AtomicU64,
    /// Requests under way: over HTTP/2 there may be several.
    requests: AtomicU32,
    is_http2: AtomicBool,
    /// How much of answers is still to be sent, bytes.
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

    /// The phase, and how long it has lasted.
    fn state(&self) -> (Phase, Duration) {
        let state = self.state.load(Ordering::Relaxed);
        let lasted = self.opened.elapsed();
        let since = Duration::from_millis(state >> 3);
        (phase_of(state), lasted.saturating_sub(since))
    }

    /// Bytes came. Between two requests they begin the next head; over HTTP/2 they may be anything.
    pub(super) fn has_read(&self) {
        if self.phase() == Phase::Idle && !self.is_http2.load(Ordering::Relaxed) {
            self.enter(Phase::Head);
        }
    }

    /// Bytes went out. Heads are among them, so that a little less counts as unread than is.
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

    /// All bytes that were to go out did.
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

    /// A request came whole but for its body.
    pub(super) fn begin(self: &Arc<Self>, over_http2: bool) -> ConnectionWork {
        if over_http2 {
            self.is_http2.store(true, Ordering::Relaxed);
        }
        self.requests.fetch_add(1, Ordering::Relaxed);
        self.enter(Phase::Working);
        ConnectionWork(self.clone())
    }

    /// Returns when the client has kept us waiting too long.
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
            // Bodies are timed where they are read.
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

/// A request under way on a connection; when it is dropped, its answer is ready.
pub(super) struct ConnectionWork(Arc<Connection>);

impl ConnectionWork {
    /// Its sender, for whoever reads the body.
    pub(super) fn sender(&self) -> BodySender {
        BodySender(self.0.clone())
    }

    /// The answer is ready; it takes `size` bytes of memory until it is sent.
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

/// With an answer whose body is kept by the server anyway, such as a file of the website: it takes no
/// memory of its own while it is sent.
#[derive(Clone, Copy)]
pub struct SharedBody;

/// Who sends a request that has a body; with the request's data.
#[derive(Clone)]
pub struct BodySender(Arc<Connection>);

impl BodySender {
    /// From now on until the result is dropped the body is waited for.
    #[must_use]
    pub fn wait(&self) -> Option<BodyWait<'_>> {
        // Beside one request over HTTP/2 that waits, others may be at work.
        if self.0.is_http2.load(Ordering::Relaxed) {
            return None;
        }
        self.0.enter(Phase::Body);
        Some(BodyWait(&self.0))
    }
}

/// A body is waited for.
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
        let most = connection.slot.slots.limits.unread;
        work.finish(most as u64 + 1);
        assert!(connection.slot.slots.has_too_much_unread());
        connection.has_written(1);
        assert_eq!(connection.phase(), Phase::Sending);
        assert!(!connection.slot.slots.has_too_much_unread());
        connection.has_sent_all();
        assert_eq!(connection.phase(), Phase::Idle);
        assert!(!connection.slot.slots.has_too_much_unread());
        connection.has_read();
        assert_eq!(connection.phase(), Phase::Head);
        connection.begin(false).finish(most as u64 + 1);
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
