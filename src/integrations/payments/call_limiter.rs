//! Limits the calls of one gateway, so that a provider that never answers delays no other gateway.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::{AcquireError, Semaphore, SemaphorePermit};
use tokio::task::futures::TaskLocalFuture;
use tokio::time::timeout;

use crate::clock::Clock;

/// Maximum number of calls of a gateway at the same time.
const MAX_CALLS: usize = 4;
/// How many of these calls may be background work. So a customer who begins to pay soon finds a place.
const MAX_BACKGROUND_CALLS: usize = 3;
/// Number of time-outs in a row that opens the circuit.
const MAX_TIMEOUTS: u32 = 3;
/// The time between two calls while the circuit is open.
const TRIAL_INTERVAL: TimeDelta = TimeDelta::seconds(30);
/// Divisor of a call's maximum time: 2 s of 10 s. If a caller gives up after this time, the call counts
/// as a time-out. The checkout and the waiting page give up calls for attempts after 3 s.
const MIN_WAIT_PART: u32 = 5;

tokio::task_local! {
    /// Set for background work; see [`run_in_background`].
    static IS_BACKGROUND: ();
}

/// Runs background work: a job, or the query of a waiting page. Its calls leave a place of each gateway free.
/// The work is on the heap, because a job's future is large.
pub fn run_in_background<F: Future>(work: F) -> TaskLocalFuture<(), Pin<Box<F>>> {
    IS_BACKGROUND.scope((), Box::pin(work))
}

/// The places for calls and the circuit breaker of one gateway.
#[derive(Debug)]
pub(super) struct CallLimiter {
    gateway: &'static str,
    clock: Clock,
    places: Semaphore,
    background_places: Semaphore,
    circuit: Mutex<Circuit>,
}

#[derive(Clone, Copy, Debug)]
enum Circuit {
    /// Calls are sent. `timeouts` is the number of time-outs since the last answer.
    Closed { timeouts: u32 },
    /// The provider doesn't answer. Since `last_trial` no call may be sent for [`TRIAL_INTERVAL`].
    Open { last_trial: DateTime<Utc> },
}

/// A call under way. It has one of the places until it is dropped.
pub(super) struct RunningCall<'a> {
    limiter: &'a CallLimiter,
    _places: (SemaphorePermit<'a>, Option<SemaphorePermit<'a>>),
    started: Instant,
    max_time: Duration,
    has_ended: bool,
}

impl CallLimiter {
    pub(super) const fn new(gateway: &'static str, clock: Clock) -> Self {
        Self {
            gateway,
            clock,
            places: Semaphore::const_new(MAX_CALLS),
            background_places: Semaphore::const_new(MAX_BACKGROUND_CALLS),
            circuit: Mutex::new(Circuit::Closed { timeouts: 0 }),
        }
    }

    /// Waits up to `max_time` for a place for a call.
    ///
    /// # Errors
    /// Returns the reason if no place becomes free, or if the circuit is open.
    pub(super) async fn start_call(
        &self,
        max_time: Duration,
    ) -> Result<RunningCall<'_>, &'static str> {
        let Ok(Ok(places)) = timeout(max_time, self.reserve()).await else {
            return Err("too many other calls wait for an answer");
        };
        if !self.allows_call() {
            return Err("the last calls had no answer");
        }
        Ok(RunningCall {
            limiter: self,
            _places: places,
            started: Instant::now(),
            max_time,
            has_ended: false,
        })
    }

    /// Waits for a place. Background work first waits for one of its own places.
    async fn reserve(
        &self,
    ) -> Result<(SemaphorePermit<'_>, Option<SemaphorePermit<'_>>), AcquireError> {
        let background = match IS_BACKGROUND.try_with(|()| ()) {
            Ok(()) => Some(self.background_places.acquire().await?),
            Err(_) => None,
        };
        Ok((self.places.acquire().await?, background))
    }

    /// Returns whether a call may be sent now. If the circuit is open, each call that may be sent blocks
    /// further calls for [`TRIAL_INTERVAL`].
    fn allows_call(&self) -> bool {
        let now = self.clock.now();
        let mut circuit = self.lock_circuit();
        if let Circuit::Open { last_trial } = &mut *circuit {
            // The clock may be set back.
            if (TimeDelta::zero()..TRIAL_INTERVAL).contains(&(now - *last_trial)) {
                return false;
            }
            *last_trial = now;
        }
        true
    }

    /// Closes the circuit: the provider has answered, in any way.
    pub(super) fn record_answer(&self) {
        let closed = Circuit::Closed { timeouts: 0 };
        let before = std::mem::replace(&mut *self.lock_circuit(), closed);
        if matches!(before, Circuit::Open { .. }) {
            tracing::info!(gateway = self.gateway, "a gateway answers again");
        }
    }

    /// Counts a call without an answer. Opens the circuit after [`MAX_TIMEOUTS`].
    pub(super) fn record_timeout(&self) {
        let last_trial = self.clock.now();
        let mut circuit = self.lock_circuit();
        let Circuit::Closed { timeouts } = *circuit else {
            return;
        };
        let timeouts = timeouts + 1;
        if timeouts < MAX_TIMEOUTS {
            *circuit = Circuit::Closed { timeouts };
            return;
        }
        *circuit = Circuit::Open { last_trial };
        drop(circuit);
        tracing::error!(
            gateway = self.gateway,
            "a gateway doesn't answer: it gets one call in 30 seconds until it does"
        );
    }

    fn lock_circuit(&self) -> MutexGuard<'_, Circuit> {
        self.circuit.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RunningCall<'_> {
    /// Ends a call whose result is known.
    pub(super) fn end(mut self) {
        self.has_ended = true;
    }
}

impl Drop for RunningCall<'_> {
    /// Counts a call as a time-out if its caller gave up after part of the maximum time
    /// ([`MIN_WAIT_PART`]). Without this count, the circuit stays closed if each caller gives up before the
    /// call's own time-out.
    fn drop(&mut self) {
        if !self.has_ended && self.started.elapsed() >= self.max_time / MIN_WAIT_PART {
            self.limiter.record_timeout();
        }
    }
}
