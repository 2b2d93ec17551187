//! Who may hash a password next. A hash takes a processor for a while, so few are made at once, and
//! of those that wait the ones that somebody we know waits for come first.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::app::AppError;

/// Most hashes that wait.
const WAITING: usize = 50;

/// Who waits for a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum WaitsAs {
    /// Somebody who is logged in, has a mailed link, or uses a browser that logged in before.
    Known,
    /// Anybody.
    Stranger,
}

/// The queue. Only so many hashes are made at once.
pub(super) struct HashingQueue(Mutex<Queue>);

struct Queue {
    free: usize,
    known: VecDeque<oneshot::Sender<Turn>>,
    strangers: VecDeque<oneshot::Sender<Turn>>,
}

/// The right to make a hash; the next in the queue has it when it is dropped.
pub(super) struct Turn(Option<Arc<HashingQueue>>);

impl HashingQueue {
    /// A queue of which so many are served at once.
    pub(super) fn new(at_once: usize) -> Arc<Self> {
        Arc::new(Self(Mutex::new(Queue {
            free: at_once.max(1),
            known: VecDeque::new(),
            strangers: VecDeque::new(),
        })))
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a turn.
    ///
    /// # Errors
    /// [`AppError::Unavailable`] when too many wait. Somebody known takes the place of the stranger
    /// who came last.
    pub(super) async fn turn(self: &Arc<Self>, waits_as: WaitsAs) -> Result<Turn, AppError> {
        let waits = {
            let mut queue = self.queue();
            if queue.free > 0 {
                queue.free -= 1;
                return Ok(Turn(Some(self.clone())));
            }
            queue.enter(waits_as)?
        };
        waits.await.map_err(|_| AppError::Unavailable)
    }

    /// Hands a turn that ended to the next who still waits.
    fn next(self: Arc<Self>) {
        let mut queue = self.queue();
        let mut turn = Turn(Some(self.clone()));
        while let Some(next) = queue.leave() {
            match next.send(turn) {
                Ok(()) => return,
                // Whoever waited there hung up.
                Err(unused) => turn = unused,
            }
        }
        turn.0 = None;
        queue.free += 1;
    }
}

impl Queue {
    fn enter(&mut self, waits_as: WaitsAs) -> Result<oneshot::Receiver<Turn>, AppError> {
        if self.known.len() + self.strangers.len() >= WAITING {
            self.known.retain(|waiting| !waiting.is_closed());
            self.strangers.retain(|waiting| !waiting.is_closed());
        }
        if self.known.len() + self.strangers.len() >= WAITING {
            let last = match waits_as {
                WaitsAs::Known => self.strangers.pop_back(),
                WaitsAs::Stranger => None,
            };
            // Who waited with what is dropped here hears that we are busy.
            last.ok_or(AppError::Unavailable)?;
        }
        let (sender, receiver) = oneshot::channel();
        match waits_as {
            WaitsAs::Known => self.known.push_back(sender),
            WaitsAs::Stranger => self.strangers.push_back(sender),
        }
        Ok(receiver)
    }

    fn leave(&mut self) -> Option<oneshot::Sender<Turn>> {
        self.known
            .pop_front()
            .or_else(|| self.strangers.pop_front())
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(queue) = self.0.take() {
            queue.next();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Enters the queue now; the result is to be awaited.
    fn enter(queue: &HashingQueue, waits_as: WaitsAs) -> Result<oneshot::Receiver<Turn>, AppError> {
        queue.queue().enter(waits_as)
    }

    #[tokio::test]
    async fn those_who_are_known_come_first_and_each_turn_is_handed_on() {
        let queue = HashingQueue::new(1);
        let turn = queue.turn(WaitsAs::Stranger).await.ok().unwrap();
        let mut stranger = enter(&queue, WaitsAs::Stranger).ok().unwrap();
        let gone = enter(&queue, WaitsAs::Known).ok().unwrap();
        let mut known = enter(&queue, WaitsAs::Known).ok().unwrap();
        drop(gone);
        drop(turn);
        assert!(stranger.try_recv().is_err());
        drop(known.try_recv().unwrap());
        drop(stranger.try_recv().unwrap());
        assert_eq!(queue.queue().free, 1);
        // A turn that was handed on and is not taken any more is not lost.
        let turn = queue.turn(WaitsAs::Stranger).await.ok().unwrap();
        let untaken = enter(&queue, WaitsAs::Known).ok().unwrap();
        drop(turn);
        drop(untaken);
        assert_eq!(queue.queue().free, 1);
    }

    #[tokio::test]
    async fn fifty_wait_and_somebody_known_takes_a_strangers_place() {
        let queue = HashingQueue::new(2);
        let turns = (
            queue.turn(WaitsAs::Stranger).await.ok().unwrap(),
            queue.turn(WaitsAs::Stranger).await.ok().unwrap(),
        );
        let enters = |_| enter(&queue, WaitsAs::Stranger).ok().unwrap();
        let mut strangers: Vec<_> = (0..WAITING).map(enters).collect();
        assert!(enter(&queue, WaitsAs::Stranger).is_err());
        let mut known = enter(&queue, WaitsAs::Known).ok().unwrap();
        let mut last = strangers.pop().unwrap();
        assert!(matches!(
            last.try_recv(),
            Err(oneshot::error::TryRecvError::Closed)
        ));
        // Who hangs up makes room.
        drop(strangers.pop());
        let another = enter(&queue, WaitsAs::Stranger).ok().unwrap();
        drop(turns.0);
        assert!(known.try_recv().is_ok());
        drop((turns.1, strangers, another));
    }

    #[tokio::test]
    async fn fifty_who_are_known_wait_and_no_more() {
        let queue = HashingQueue::new(1);
        let _turn = queue.turn(WaitsAs::Known).await.ok().unwrap();
        let enters = |_| enter(&queue, WaitsAs::Known).ok().unwrap();
        let _known: Vec<_> = (0..WAITING).map(enters).collect();
        assert!(enter(&queue, WaitsAs::Known).is_err());
    }
}
