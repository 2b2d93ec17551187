//! One connection: what it waits for, since when, and whether it was told to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::task::Waker;
use std::time::{Duration, Instant};

use futures_util::task::AtomicWaker;

use super::Patience;

/// How long a client may keep us waiting in the middle of a request or an answer before its
/// connection may be closed to make room for another.
const STALLED: Duration = Duration::from_secs(2);

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

/// What a connection was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Nothing: it goes on.
    None = 0,
    /// To answer what is under way, and to end.
    Finish = 1,
    /// To end at once.
    Close = 2,
}

/// One connection. Its own task says what it does; the table of connections looks at it and may
/// tell it to end.
pub(super) struct Connection {
    opened: Instant,
    /// The phase in the lowest three bits, and above them when it began, milliseconds after `opened`.
    state: AtomicU64,
    order: AtomicU8,
    task: AtomicWaker,
    /// Requests under way: over HTTP/2 there may be several.
    requests: AtomicU32,
    is_http2: AtomicBool,
    /// How much of answers is still to be sent, bytes.
    unread: AtomicUsize,
    /// Whether a byte was read of it.
    has_bytes: AtomicBool,
}

impl Connection {
    pub(super) fn new() -> Self {
        Self {
            opened: Instant::now(),
            state: AtomicU64::new(Phase::Head as u64),
            order: AtomicU8::new(Order::None as u8),
            task: AtomicWaker::new(),
            requests: AtomicU32::new(0),
            is_http2: AtomicBool::new(false),
            unread: AtomicUsize::new(0),
            has_bytes: AtomicBool::new(false),
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
        self.has_bytes.store(true, Ordering::Relaxed);
        if self.phase() == Phase::Idle && !self.is_http2.load(Ordering::Relaxed) {
            self.enter(Phase::Head);
        }
    }

    /// Whether nothing was read of it yet.
    pub(super) fn is_unread(&self) -> bool {
        !self.has_bytes.load(Ordering::Relaxed)
    }

    /// So many bytes went out.
    pub(super) fn has_written(&self, bytes: usize) {
        let less = |unread: usize| Some(unread.saturating_sub(bytes));
        let (set, get) = (Ordering::Relaxed, Ordering::Relaxed);
        let _ = self.unread.fetch_update(set, get, less);
        if self.phase() == Phase::Sending {
            self.enter(Phase::Sending);
        }
    }

    /// All bytes that were to go out did.
    pub(super) fn has_sent_all(&self) {
        if self.phase() == Phase::Sending {
            self.unread.store(0, Ordering::Relaxed);
            self.enter(Phase::Idle);
        }
    }

    /// A request came whole but for its body.
    pub(super) fn begin(self: &Arc<Self>, over_http2: bool) -> Work {
        if over_http2 {
            self.is_http2.store(true, Ordering::Relaxed);
        }
        self.requests.fetch_add(1, Ordering::Relaxed);
        self.enter(Phase::Working);
        Work(self.clone())
    }

    /// Whether the client has kept us waiting too long.
    pub(super) fn is_overdue(&self, patience: &Patience) -> bool {
        let (phase, lasted) = self.state();
        match phase {
            Phase::Head => lasted >= patience.head,
            Phase::Idle | Phase::Sending => lasted >= patience.idle,
            // Bodies are timed where they are read.
            Phase::Body | Phase::Working => false,
        }
    }

    /// In which order connections are closed to make room for others, the lowest first; none for
    /// one that must not be closed. Those that do nothing come first, the longest of them before
    /// the others; then those whose clients stall.
    pub(super) fn rank(&self) -> Option<(bool, std::cmp::Reverse<Duration>)> {
        let (phase, lasted) = self.state();
        let in_the_middle = match phase {
            Phase::Head | Phase::Idle => false,
            Phase::Body | Phase::Sending if lasted >= STALLED => true,
            Phase::Body | Phase::Sending | Phase::Working => return None,
        };
        Some((in_the_middle, std::cmp::Reverse(lasted)))
    }

    /// How much of an answer waits here to be read, bytes, and how long its client has read nothing.
    pub(super) fn unread(&self) -> Option<(usize, Duration)> {
        let (phase, lasted) = self.state();
        let size = self.unread.load(Ordering::Relaxed);
        (phase == Phase::Sending).then_some((size, lasted))
    }

    /// Whether a client stalls that has read nothing for so long.
    pub(super) fn is_stalled(lasted: Duration) -> bool {
        lasted >= STALLED
    }

    /// Tells it to end; true when it hears that for the first time.
    pub(super) fn tell(&self, order: Order) -> bool {
        let before = self.order.fetch_max(order as u8, Ordering::AcqRel);
        self.task.wake();
        before < order as u8
    }

    /// Whether it was told to end at once.
    pub(super) fn is_closing(&self) -> bool {
        self.order.load(Ordering::Acquire) == Order::Close as u8
    }

    /// What it was told. `task` is woken at the next order.
    pub(super) fn order(&self, task: &Waker) -> Order {
        self.task.register(task);
        match self.order.load(Ordering::Acquire) {
            0 => Order::None,
            1 => Order::Finish,
            _ => Order::Close,
        }
    }
}

fn phase_of(state: u64) -> Phase {
    let named = Phase::ALL
        .into_iter()
        .find(|phase| *phase as u64 == state & 7);
    named.unwrap_or(Phase::Working)
}

/// A request under way on a connection; when it is dropped, its answer is ready.
pub(super) struct Work(Arc<Connection>);

impl Work {
    /// Its sender, for whoever reads the body.
    pub(super) fn sender(&self) -> Sender {
        Sender(self.0.clone())
    }

    /// The answer is ready; it takes `size` bytes of memory until it is sent.
    pub(super) fn answer(self, size: u64) {
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        self.0.unread.fetch_add(size, Ordering::Relaxed);
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        if self.0.requests.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.0.enter(Phase::Sending);
        }
    }
}

/// With an answer whose body is kept by the server anyway, such as a file of the website: it takes no
/// memory of its own while it is sent.
#[derive(Clone, Copy)]
pub struct KeptAnyway;

/// Who sends a request that has a body; with the request's data.
#[derive(Clone)]
pub struct Sender(Arc<Connection>);

impl Sender {
    /// From now on until the result is dropped the body is waited for.
    #[must_use]
    pub fn is_waited_for(&self) -> Option<WaitsForBody<'_>> {
        // Beside one request over HTTP/2 that waits, others may be at work.
        if self.0.is_http2.load(Ordering::Relaxed) {
            return None;
        }
        self.0.enter(Phase::Body);
        Some(WaitsForBody(&self.0))
    }
}

/// A body is waited for.
pub struct WaitsForBody<'a>(&'a Connection);

impl Drop for WaitsForBody<'_> {
    fn drop(&mut self) {
        self.0.enter(Phase::Working);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_waits_for_a_head_for_us_and_for_its_client() {
        let connection = Arc::new(Connection::new());
        assert_eq!(connection.phase(), Phase::Head);
        let work = connection.begin(false);
        assert_eq!(connection.phase(), Phase::Working);
        assert!(connection.rank().is_none(), "work is never closed");
        let sender = work.sender();
        let waits = sender.is_waited_for();
        connection.has_read();
        assert_eq!(connection.phase(), Phase::Body);
        drop(waits);
        assert_eq!(connection.phase(), Phase::Working);
        work.answer(10);
        assert_eq!(connection.phase(), Phase::Sending);
        assert_eq!(connection.unread().map(|(size, _)| size), Some(10));
        connection.has_written(4);
        assert_eq!(connection.phase(), Phase::Sending);
        assert_eq!(connection.unread().map(|(size, _)| size), Some(6));
        connection.has_sent_all();
        assert_eq!(
            (connection.phase(), connection.unread()),
            (Phase::Idle, None)
        );
        connection.has_read();
        assert_eq!(connection.phase(), Phase::Head);
    }

    #[test]
    fn over_http2_several_requests_are_under_way_and_what_comes_between_them_is_no_head() {
        let connection = Arc::new(Connection::new());
        let (first, second) = (connection.begin(true), connection.begin(true));
        assert!(first.sender().is_waited_for().is_none());
        first.answer(1);
        assert_eq!(connection.phase(), Phase::Working);
        second.answer(1);
        connection.has_sent_all();
        connection.has_read();
        assert_eq!(connection.phase(), Phase::Idle);
    }

    #[test]
    fn idle_ones_are_closed_before_stalled_ones_and_the_longest_first() {
        let lasting = |phase, seconds| {
            let opened = Instant::now().checked_sub(Duration::from_secs(seconds));
            let mut connection = Connection::new();
            connection.opened = opened.unwrap();
            connection.state = AtomicU64::new(phase as u64);
            connection.rank()
        };
        let mut ranks = [
            lasting(Phase::Body, 30),
            lasting(Phase::Idle, 5),
            lasting(Phase::Head, 7),
            lasting(Phase::Sending, 3),
        ];
        assert!(ranks.iter().all(Option::is_some));
        let (longest, sooner) = (ranks[2], ranks[1]);
        ranks.sort();
        assert_eq!(ranks[..2], [longest, sooner]);
        assert!(ranks[2] == lasting(Phase::Body, 30) || ranks[2] > ranks[1]);
        assert_eq!(lasting(Phase::Body, 1), None);
        assert_eq!(lasting(Phase::Working, 300), None);
    }
}
