//! Waits for the network in code without `await`, such as a closure that reads. The engine has its own
//! runtime for its connections. So a thread that blocks here never blocks the connection that the thread
//! waits for.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use tokio::runtime::{Handle, RuntimeFlavor};

/// Longest time for one answer of the database.
pub(super) const ANSWER: Duration = Duration::from_millis(1200);

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Blocks this thread until the future ends. Returns `None` if the future has not ended at `until`.
pub(super) fn wait<F: Future>(future: F, until: Instant) -> Option<F::Output> {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    // The runtime can't renew the task's budget while the task blocks here, so the future runs
    // unconstrained.
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

/// Runs a closure that blocks its thread. A runtime with several threads moves its other tasks to another
/// thread.
pub(in crate::store) fn block_on<T>(run: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(run),
        // A runtime with one thread, as in tests, blocks with the closure.
        _ => run(),
    }
}
