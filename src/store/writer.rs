//! The single writer thread. It takes the writes that queued during the last commit, up to [`BATCH`]. It
//! runs them in one transaction, commits, and then sends all their results. The thread never waits for
//! more writes: those that arrive during one commit are the next batch. After a failure of the disk or
//! the database, the thread reopens the store (`reopen.rs`).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot, watch};

use super::error::StoreError;
use crate::metrics;
use crate::store::engine::{BatchTx, Engine, WriteTx};
use crate::store::reopen::{Outage, StoreHealth};

/// Most queued writes. Further callers wait for space.
const QUEUE: usize = 4096;
/// Most writes of a transaction. The limit bounds how long the first write of a batch waits.
const BATCH: usize = 512;

/// Sends a write's result once the batch is durable or has failed. Returns whether the write is kept.
type Reply = Box<dyn FnOnce(Result<(), StoreError>) -> bool + Send>;
/// A queued write. The closure runs in the batch's transaction and returns its reply. If a read misses
/// the cache, the closure returns `None`, and the writer runs it again. With an error instead of a
/// transaction, the closure sends the error to its caller and returns `None`.
type QueuedWrite = Box<dyn FnMut(Result<&mut BatchTx<'_>, StoreError>) -> Option<Reply> + Send>;

/// A handle on the writer thread.
pub(super) struct Writer {
    queue: mpsc::Sender<QueuedWrite>,
    thread: Option<JoinHandle<()>>,
    condition: watch::Receiver<StoreHealth>,
    engine: Arc<Engine>,
}

impl Writer {
    /// Starts the thread. `patience` is the longest outage, without the time of repairs. After this time,
    /// the thread no longer tries to reopen the store.
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

    pub(super) fn health(&self) -> StoreHealth {
        self.condition.borrow().clone()
    }

    /// Waits until the store is given up, and returns the reason. Returns [`StoreError::Stopped`] if the
    /// writer thread ends first.
    pub(super) async fn wait_until_lost(&self) -> StoreError {
        let mut condition = self.condition.clone();
        let given_up = condition.wait_for(|now| matches!(now, StoreHealth::GivenUp(_)));
        match given_up.await.as_deref() {
            Ok(StoreHealth::GivenUp(why)) => why.clone(),
            // The thread ends only when its handle is dropped.
            _ => StoreError::Stopped,
        }
    }

    /// Queues `write` and waits until its batch is durable or has failed.
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
            // An error also waits for the commit: the write may have read an earlier write of the batch.
            let reply: Reply = Box::new(move |committed| {
                let done = committed.map_err(E::from).and(ran);
                let is_kept = done.is_ok();
                let _ = answer.send(done);
                is_kept
            });
            Some(reply)
        });
        if self.queue.send(member).await.is_err() {
            return Err(StoreError::Stopped.into());
        }
        // A failure drops the queued writes. Their callers get an error even if the store is open again.
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

    /// Returns whether the store can be read and written.
    pub(super) fn is_open(&self) -> bool {
        matches!(*self.condition.borrow(), StoreHealth::Open)
    }
}

/// Commits the queued writes and ends the thread. Cancels a repair, so that a store that is being
/// reopened stays closed.
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
            // Skips the writes that have already run without a missed read.
            for member in batch.iter_mut().skip(replies.len()) {
                replies.extend(member(Ok(tx)));
            }
        });
        let took = began.elapsed();
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
            // The state changes before any caller gets the error, so that an immediate retry also fails.
            condition.send_replace(StoreHealth::Reopening);
        }
        // Writes that did not run changed nothing.
        for mut member in batch.drain(..).skip(replies.len()) {
            let why = outcome.clone().err().unwrap_or(StoreError::NotAtHand);
            member(Err(why));
        }
        let answered = replies.into_iter().map(|reply| reply(outcome.clone()));
        let written = answered.filter(|is_kept| *is_kept).count() as u64;
        if outcome.is_ok() {
            metrics::committed(written, took);
        }
        if is_broken {
            outage.reopen(engine, &mut waiting, condition);
        }
    }
}

#[cfg(test)]
mod tests;
