//! Orders the requests that wait to hash a password. A hash uses a whole processor, so only a few
//! hashes run at the same time. The queue of registered users contains at most one stranger. The
//! other strangers wait until that stranger leaves the queue.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::app::AppError;

/// The maximum number of waiting requests of strangers, and also of registered users.
const MAX_WAITING: usize = 50;

/// The priority of a waiting request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum WaitsAs {
    /// A user who is logged in, has a mailed link, or uses a browser that logged in before.
    Registered,
    /// Anybody else.
    Stranger,
}

/// The queue, which limits the number of hashes at the same time.
pub(super) struct HashingQueue {
    permits: Arc<Semaphore>,
    registered: Semaphore,
    strangers: Semaphore,
    /// The permit of the one stranger who waits among the registered users.
    next_stranger: Semaphore,
}

/// Permission to compute a hash. Dropping this value gives the permission to the next waiting
/// request.
pub(super) type QueuePermit = OwnedSemaphorePermit;

impl HashingQueue {
    /// Creates a queue for `permits` hashes at the same time, but at least one.
    pub(super) fn new(permits: usize) -> Self {
        Self {
            permits: Arc::new(Semaphore::new(permits.max(1))),
            registered: Semaphore::new(MAX_WAITING),
            strangers: Semaphore::new(MAX_WAITING),
            next_stranger: Semaphore::new(1),
        }
    }

    /// Waits for a permit if none is free. Registered users share one queue with one stranger. The
    /// other strangers wait until that stranger gets a permit or disconnects.
    ///
    /// # Errors
    /// [`AppError::Unavailable`] if [`MAX_WAITING`] requests of the same kind wait already.
    pub(super) async fn acquire(&self, waits_as: WaitsAs) -> Result<QueuePermit, AppError> {
        if let Ok(turn) = self.permits.clone().try_acquire_owned() {
            return Ok(turn);
        }
        let places = match waits_as {
            WaitsAs::Registered => &self.registered,
            WaitsAs::Stranger => &self.strangers,
        };
        let _place = places.try_acquire().map_err(|_| AppError::Unavailable)?;
        let _next = match waits_as {
            WaitsAs::Registered => None,
            WaitsAs::Stranger => Some(self.next_stranger.acquire().await),
        };
        let turn = self.permits.clone().acquire_owned().await;
        turn.map_err(|_| AppError::Unavailable)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use futures_util::future::BoxFuture;

    use super::*;

    /// Returns a request that is already waiting.
    fn wait(
        queue: &HashingQueue,
        waits_as: WaitsAs,
    ) -> BoxFuture<'_, Result<QueuePermit, AppError>> {
        let mut waits = queue.acquire(waits_as).boxed();
        assert!((&mut waits).now_or_never().is_none());
        waits
    }

    fn is_refused(queue: &HashingQueue, waits_as: WaitsAs) -> bool {
        matches!(
            queue.acquire(waits_as).now_or_never(),
            Some(Err(AppError::Unavailable))
        )
    }

    #[tokio::test]
    async fn those_who_are_known_wait_for_one_stranger_and_each_turn_is_handed_on() {
        let queue = HashingQueue::new(1);
        let turn = queue.acquire(WaitsAs::Stranger).await.unwrap();
        let strangers = [(); 2].map(|()| wait(&queue, WaitsAs::Stranger));
        let gone = wait(&queue, WaitsAs::Registered);
        let mut known_waiter = wait(&queue, WaitsAs::Registered);
        drop(gone);
        drop(turn);
        let [mut next, mut last] = strangers;
        assert!((&mut known_waiter).now_or_never().is_none());
        drop((&mut next).now_or_never().unwrap());
        assert!((&mut last).now_or_never().is_none());
        drop(known_waiter.now_or_never().unwrap());
        drop(last.now_or_never().unwrap());
        // A permit is not lost if its next waiting request was dropped.
        let turn = queue.acquire(WaitsAs::Stranger).await;
        let untaken = wait(&queue, WaitsAs::Registered);
        drop((turn, untaken));
        assert_eq!(queue.permits.available_permits(), 1);
    }

    #[tokio::test]
    async fn fifty_strangers_wait_and_fifty_who_are_known_and_no_more() {
        let queue = HashingQueue::new(2);
        let _turns = [(); 2].map(|()| queue.acquire(WaitsAs::Stranger).now_or_never());
        for waits_as in [WaitsAs::Stranger, WaitsAs::Registered] {
            let mut waiting: Vec<_> = (0..MAX_WAITING).map(|_| wait(&queue, waits_as)).collect();
            assert!(is_refused(&queue, waits_as));
            // A request that disconnects frees its place.
            drop(waiting.pop());
            waiting.push(wait(&queue, waits_as));
            assert!(is_refused(&queue, waits_as));
        }
    }
}
