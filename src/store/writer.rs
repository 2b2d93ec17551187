//! The single writer: one thread that takes every write which queued while the last
//! commit was on its way to the disk, runs them in one transaction, commits, and only
//! then answers all of them. There is no timed wait: the batches come from the sync.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Instant;

use tokio::sync::{mpsc, oneshot};

use super::StoreError;
use super::engine::{BatchTx, Engine, WriteTx};
use crate::metrics;

/// Writes waiting for the writer; past it, callers wait for a place.
const QUEUE: usize = 4096;
/// Writes in one transaction at the most, so that the first of them isn't kept waiting.
const BATCH: usize = 512;

/// Answers a write once its batch is durable, or could not be made so.
type Reply = Box<dyn FnOnce(Result<(), StoreError>) + Send>;
/// A queued write: runs in the batch's transaction and leaves its reply.
type Member = Box<dyn FnOnce(&mut BatchTx<'_>) -> Reply + Send>;

/// The way to the writer thread.
pub(super) struct Writer {
    queue: mpsc::Sender<Member>,
    thread: Option<JoinHandle<()>>,
    failed: Arc<AtomicBool>,
}

impl Writer {
    pub(super) fn start(engine: Arc<Engine>) -> Result<Self, StoreError> {
        let (queue, waiting) = mpsc::channel(QUEUE);
        let failed = Arc::new(AtomicBool::new(false));
        let noticed = failed.clone();
        let thread = std::thread::Builder::new()
            .name("store-writer".to_string())
            .spawn(move || run(&engine, waiting, &noticed))
            .map_err(|error| StoreError::Engine(Arc::new(error)))?;
        Ok(Self {
            queue,
            thread: Some(thread),
            failed,
        })
    }

    /// Whether a commit has failed. The engine takes no more writes then until it is opened
    /// again, so the process can't serve.
    pub(super) fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Queues `write` and waits until it is on the disk.
    pub(super) async fn write<T, E, F>(&self, write: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: Fn(&mut WriteTx<'_>) -> Result<T, E> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let member: Member = Box::new(move |batch| {
            let ran = batch.member(|tx| {
                catch_unwind(AssertUnwindSafe(|| write(tx)))
                    .unwrap_or_else(|_| Err(E::from(StoreError::Panicked)))
            });
            match ran {
                Ok(value) => Box::new(move |committed: Result<(), StoreError>| {
                    let _ = answer.send(committed.map(|()| value).map_err(E::from));
                }),
                // A refused write changed nothing and needs no commit to be true.
                Err(refusal) => {
                    let _ = answer.send(Err(refusal));
                    Box::new(|_| {})
                }
            }
        });
        if self.queue.send(member).await.is_err() {
            return Err(StoreError::Stopped.into());
        }
        answered
            .await
            .unwrap_or_else(|_| Err(StoreError::Stopped.into()))
    }
}

/// Lets the queue drain and the last batch commit.
impl Drop for Writer {
    fn drop(&mut self) {
        let (closed, _) = mpsc::channel(1);
        drop(std::mem::replace(&mut self.queue, closed));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn run(engine: &Engine, mut waiting: mpsc::Receiver<Member>, failed: &AtomicBool) {
    let mut batch = Vec::with_capacity(BATCH);
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
        let outcome = engine.write(|tx| replies.extend(batch.drain(..).map(|member| member(tx))));
        // After a failed commit the engine begins nothing more: who waits hears of it.
        batch.clear();
        metrics::committed(writes, began.elapsed());
        if let Err(error) = &outcome {
            failed.store(true, Ordering::Relaxed);
            tracing::error!(%error, writes = replies.len(), "the store could not commit");
        }
        for reply in replies {
            reply(outcome.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use redb::StorageBackend;
    use redb::backends::InMemoryBackend;

    use super::*;

    /// A disk that is full from some moment on.
    #[derive(Debug)]
    struct Disk {
        rows: InMemoryBackend,
        full: Arc<AtomicBool>,
    }

    impl Disk {
        fn room(&self) -> io::Result<()> {
            if self.full.load(Ordering::Relaxed) {
                return Err(io::Error::from(io::ErrorKind::StorageFull));
            }
            Ok(())
        }
    }

    impl StorageBackend for Disk {
        fn len(&self) -> io::Result<u64> {
            self.rows.len()
        }
        fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
            self.rows.read(offset, out)
        }
        fn set_len(&self, len: u64) -> io::Result<()> {
            self.room()?;
            self.rows.set_len(len)
        }
        fn sync_data(&self) -> io::Result<()> {
            self.room()?;
            self.rows.sync_data()
        }
        fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
            self.room()?;
            self.rows.write(offset, data)
        }
    }

    #[tokio::test]
    async fn after_a_full_disk_every_write_is_answered_with_an_error() {
        let full = Arc::new(AtomicBool::new(false));
        let rows = InMemoryBackend::new();
        let engine = Engine::on(Disk {
            rows,
            full: full.clone(),
        })
        .unwrap();
        let writer = Writer::start(Arc::new(engine)).unwrap();
        let put = || {
            writer.write(|tx| {
                tx.put(vec![1], vec![1]);
                Ok::<_, StoreError>(())
            })
        };
        put().await.unwrap();
        full.store(true, Ordering::Relaxed);
        for _ in 0..3 {
            put().await.unwrap_err();
        }
        assert!(writer.has_failed());
        // Nothing is left that keeps the thread from ending.
        drop(writer);
    }
}
