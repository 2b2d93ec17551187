//! Waiting for the network where nothing may be awaited: a closure that reads runs in one piece.
//! The connections are driven by a runtime of the engine's own, so that a thread which waits here
//! never waits for itself.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use tokio::runtime::{Handle, RuntimeFlavor};

/// How long one answer of the database may take.
pub(super) const ANSWER: Duration = Duration::from_millis(1200);

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Waits on this thread; none when it took longer than `until`.
pub(super) fn wait<F: Future>(future: F, until: Instant) -> Option<F::Output> {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    // The budget that a runtime gives to a task isn't renewed while the task is here.
    let mut future = pin!(tokio::task::unconstrained(future));
    loop {
        if let Poll::Ready(done) = future.as_mut().poll(&mut context) {
            return Some(done);
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return None;
        }
        thread::park_timeout(left);
    }
}

/// Runs something that waits on its thread. What else the runtime has to do goes on on another.
pub(in crate::store) fn in_place<T>(run: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(run),
        // A runtime of one thread, which is a test's, waits with us.
        _ => run(),
    }
}
