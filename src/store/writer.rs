//! The single writer: one thread that takes every write which queued while the last
//! commit was on its way to the disk, runs them in one transaction, commits, and only
//! then answers all of them. There is no timed wait: the batches come from the sync. When the disk
//! fails, the same thread opens the store again (`reopening.rs`).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot, watch};

use super::error::StoreError;
use crate::metrics;
use crate::store::engine::{BatchTx, Engine, WriteTx};
use crate::store::reopen::{Outage, StoreHealth};

/// Writes waiting for the writer; past it, callers wait for a place.
const QUEUE: usize = 4096;
/// Writes in one transaction at the most, so that the first of them isn't kept waiting.
const BATCH: usize = 512;

/// Answers a write once its batch is durable, or could not be made so.
type Reply = Box<dyn FnOnce(Result<(), StoreError>) + Send>;
/// A queued write: runs in the batch's transaction and leaves its reply; none as long as it has read
/// what is not at hand, and is to be run again. Or it hears why its batch has failed before that.
type QueuedWrite = Box<dyn FnMut(Result<&mut BatchTx<'_>, StoreError>) -> Option<Reply> + Send>;

/// The way to the writer thread.
pub(super) struct Writer {
    queue: mpsc::Sender<QueuedWrite>,
    thread: Option<JoinHandle<()>>,
    condition: watch::Receiver<StoreHealth>,
    engine: Arc<Engine>,
}

impl Writer {
    /// `patience` is how long the disk may fail before the store is given up.
    pub(super) fn start(engine: Arc<Engine>, patience: Duration) -> Result<Self, StoreError> {
        let (queue, waiting) = mpsc::channel(QUEUE);
        let (health, condition) = watch::channel(StoreHealth::Open);
        let written = engine.clone();
        let thread = std::thread::Builder::new()
            .name("store-writer".to_string())
            .spawn(move || run(&written, waiting, &health, patience))
            .map_err(|_| StoreError::Engine("its thread can't be started"))?;
        Ok(Self {
            queue,
            thread: Some(thread),
            condition,
            engine,
        })
    }

    /// How the store is.
    pub(super) fn health(&self) -> StoreHealth {
        self.condition.borrow().clone()
    }

    /// Waits until the store is given up; answers why.
    pub(super) async fn wait_until_lost(&self) -> StoreError {
        let mut condition = self.condition.clone();
        let given_up = condition.wait_for(|now| matches!(now, StoreHealth::GivenUp(_)));
        match given_up.await.as_deref() {
            Ok(StoreHealth::GivenUp(why)) => why.clone(),
            // The thread ends only when nobody is left who could wait.
            _ => StoreError::Stopped,
        }
    }

    /// Queues `write` and waits until it is on the disk.
    pub(super) async fn write<T, E, F>(&self, write: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: Fn(&mut WriteTx<'_>) -> Result<T, E> + Send + 'static,
    {
        if !self.is_open() {
            return Err(StoreError::Closed.into());
        }
        let (answer, answered) = oneshot::channel();
        let mut answer = Some(answer);
        let member: QueuedWrite = Box::new(move |batch| {
            let batch = match batch {
                Ok(batch) => batch,
                Err(why) => {
                    let _ = answer.take()?.send(Err(E::from(why)));
                    return None;
                }
            };
            let ran = batch.run_write(|tx| {
                catch_unwind(AssertUnwindSafe(|| write(tx)))
                    .unwrap_or_else(|_| Err(E::from(StoreError::Panicked)))
            })?;
            let answer = answer.take()?;
            // A refusal waits too: it may rest on what an earlier write of the batch has changed.
            let reply: Reply = Box::new(move |committed| {
                let _ = answer.send(committed.map_err(E::from).and(ran));
            });
            Some(reply)
        });
        if self.queue.send(member).await.is_err() {
            return Err(StoreError::Stopped.into());
        }
        // What was queued before the store was closed is dropped, and may be open again by now.
        let unanswered = |_| {
            let why = if self.queue.is_closed() {
                StoreError::Stopped
            } else {
                StoreError::Closed
            };
            Err(why.into())
        };
        answered.await.unwrap_or_else(unanswered)
    }

    /// Whether it is read and written.
    pub(super) fn is_open(&self) -> bool {
        matches!(*self.condition.borrow(), StoreHealth::Open)
    }
}

/// Lets the queue drain and the last batch commit. A store that is closed stays closed.
impl Drop for Writer {
    fn drop(&mut self) {
        self.engine.repair().stop();
        let (closed, _) = mpsc::channel(1);
        drop(std::mem::replace(&mut self.queue, closed));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn run(
    engine: &Engine,
    mut waiting: mpsc::Receiver<QueuedWrite>,
    condition: &watch::Sender<StoreHealth>,
    patience: Duration,
) {
    let mut batch = Vec::with_capacity(BATCH);
    let mut outage = Outage::new(patience);
    while let Some(first) = waiting.blocking_recv() {
        batch.push(first);
        while batch.len() < BATCH {
            match waiting.try_recv() {
                Ok(member) => batch.push(member),
                Err(_) => break,
            }
        }
        let (began, writes) = (Instant::now(), batch.len() as u64);
        let mut replies: Vec<Reply> = Vec::with_capacity(batch.len());
        let outcome = engine.write(|tx| {
            // Those that have been run are not run again.
            for member in batch.iter_mut().skip(replies.len()) {
                replies.extend(member(Ok(tx)));
            }
        });
        metrics::committed(writes, began.elapsed());
        let is_broken = match &outcome {
            Ok(()) => {
                outage = Outage::new(patience);
                false
            }
            Err(error) => {
                tracing::error!(%error, writes, "the store could not commit");
                !engine.takes_writes()
            }
        };
        if is_broken {
            // Before anybody hears of the failure, so that trying again at once is answered too.
            condition.send_replace(StoreHealth::Reopening);
        }
        // Of those whose turn did not come nothing was kept.
        for mut member in batch.drain(..).skip(replies.len()) {
            let why = outcome.clone().err().unwrap_or(StoreError::NotAtHand);
            member(Err(why));
        }
        for reply in replies {
            reply(outcome.clone());
        }
        if is_broken {
            outage.reopen(engine, &mut waiting, condition);
        }
    }
}

#[cfg(test)]
mod tests;
