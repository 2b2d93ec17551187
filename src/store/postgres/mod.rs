//! The store in a database with PostgreSQL's protocol (docs/decisions/0023).
//!
//! Either one process holds the store alone, or several nodes share it. The commit of each batch renews
//! the node's heartbeat. A node without a row in `layby_nodes` can't write. A killed node is no longer
//! counted after ten seconds.

pub(in crate::store) mod block_on;
mod commit;
pub(crate) mod connection;
mod failure;
mod nodes;
pub(super) mod read_cache;
pub(super) mod snapshot;
mod tables;

use std::sync::atomic::{AtomicI64, AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::OwnedSemaphorePermit;
use uuid::Uuid;

use crate::config::StoreSettings;
use crate::store::engine::batch::BatchTx;
use crate::store::nodes::{JoinRequest, wrong_clock};
use crate::store::redb::repair::Repair;
use crate::store::redb::view::ReadTx;
use crate::store::{DatabaseError, StoreError};
use block_on::{ANSWER, wait};
use commit::{Ended, commit};
use connection::{Conn, ConnectionPool};
use nodes::{LocalNode, was_committed};
use snapshot::Snapshot;

/// Longest time to reconnect after the connection broke. Also the longest time from sending a commit
/// until its outcome is known.
const RESOLVED: Duration = Duration::from_millis(1900);
/// Longest time for opening the store or a long view, besides the wait for another process to end.
const OPENING: Duration = Duration::from_secs(10);
/// Interval of heartbeats. Ten seconds after the last heartbeat, another process may take the store.
const LIVES: Duration = Duration::from_secs(2);
/// Interval of checks whether another process has released the store.
const POLL_INTERVAL: Duration = Duration::from_millis(250);
/// Longest wait for another process. The heartbeat of a dead process ends within ten seconds.
const DEAD: Duration = Duration::from_secs(11);

/// A store in a database.
pub(in crate::store) struct Postgres {
    link: Arc<ConnectionPool>,
    node: LocalNode,
    /// Whether this machine's clock must agree with the database's clock.
    checks_clock: bool,
    /// Number of nodes at the last count.
    node_count: AtomicU32,
    /// Number of the newest batch.
    batch: AtomicI64,
    /// The connection that writes. `None` while it is lost.
    writing: Mutex<Option<Conn>>,
    /// Time of the opening, or of the newest commit after it.
    committed: Mutex<Instant>,
    repair: Repair,
}

impl Postgres {
    /// Opens the store, or creates an empty one. With `joining`, this node shares the store with other
    /// nodes. If another process prevents the opening, waits until that process leaves, dies or proves to
    /// be alive.
    pub(in crate::store) fn open(
        url: &str,
        settings: &StoreSettings,
        joining: Option<&JoinRequest>,
    ) -> Result<Self, StoreError> {
        let link = Arc::new(ConnectionPool::new(url, settings)?);
        let node = LocalNode::new(Uuid::new_v4().to_string(), joining.is_some());
        let opened = async {
            let client = link.call().await?;
            tables::make_sure(&client).await?;
            Conn::new(client).await
        };
        let conn = wait(opened, Instant::now() + OPENING).unwrap_or(Err(timeout_error()))?;
        let checks_clock = joining.is_some_and(|joining| joining.checks_clock);
        if checks_clock {
            nodes::check_clock(&conn.client)?;
        }
        enter(&conn, &node, joining)?;
        Ok(Self {
            link,
            node,
            checks_clock,
            node_count: AtomicU32::new(1),
            batch: AtomicI64::new(0),
            writing: Mutex::new(Some(conn)),
            committed: Mutex::new(Instant::now()),
            repair: Repair::default(),
        })
    }

    /// Returns a [`Repair`] that never runs, because PostgreSQL repairs its own data.
    pub(super) fn repair(&self) -> &Repair {
        &self.repair
    }

    /// Returns a snapshot. Blocks this thread until a connection is free, for at most [`ANSWER`].
    pub(super) fn read(&self) -> Result<ReadTx, StoreError> {
        let borrowed = wait(self.link.borrow(), Instant::now() + ANSWER);
        let (conn, turn) = borrowed.unwrap_or(Err(DatabaseError::Busy.into()))?;
        Ok(self.snapshot(conn, Some(turn)))
    }

    /// Returns a snapshot that may stay open for long, over a connection outside the pool. So a check of a
    /// running shop never competes with visitors for connections.
    pub(super) fn inspect(&self) -> Result<ReadTx, StoreError> {
        let conn = self.connect(Instant::now() + OPENING)?;
        Ok(self.snapshot(conn, None))
    }

    fn snapshot(&self, conn: Conn, turn: Option<OwnedSemaphorePermit>) -> ReadTx {
        ReadTx::from_snapshot(Snapshot::new(self.link.clone(), conn, turn))
    }

    /// Returns a snapshot. Yields to other tasks until a connection is free, for at most [`ANSWER`].
    pub(in crate::store) async fn begin_read(&self) -> Result<ReadTx, StoreError> {
        let borrowed = tokio::time::timeout(ANSWER, self.link.borrow()).await;
        let (conn, turn) = borrowed.unwrap_or(Err(DatabaseError::Busy.into()))?;
        Ok(self.snapshot(conn, Some(turn)))
    }

    /// Runs `batch` repeatedly until all its reads are cached, and commits.
    pub(super) fn write(&self, batch: impl FnMut(&mut BatchTx<'_>)) -> Result<(), StoreError> {
        let mut writing = self.writing();
        let conn = match writing.take() {
            Some(conn) if !conn.client.is_closed() => conn,
            _ => {
                self.link.forget_all();
                self.connect(Instant::now() + RESOLVED)?
            }
        };
        let number = self.batch.fetch_add(1, Relaxed) + 1;
        let is_due = !self.is_known_to_live();
        let (conn, outcome) = match commit(&conn, (&self.node, number), is_due, batch) {
            Ended::Stored => {
                self.record_commit();
                (conn, Ok(()))
            }
            Ended::Unchanged => (conn, Ok(())),
            Ended::Refused(why) => (conn, Err(why)),
            Ended::Broken(why) => return Err(why),
            Ended::Unanswered(since) => {
                drop(conn);
                let conn = self.verify_commit(number, since + RESOLVED)?;
                self.record_commit();
                (conn, Ok(()))
            }
        };
        *writing = Some(conn);
        outcome
    }

    /// Checks over a new connection whether a batch was committed whose answer was lost. Returns the
    /// connection if the batch was committed.
    fn verify_commit(&self, number: i64, until: Instant) -> Result<Conn, StoreError> {
        let looked = async {
            loop {
                if let Ok(conn) = self.link.connect().await
                    && let Ok(is_committed) = was_committed(&conn.client, &self.node, number).await
                {
                    return if is_committed {
                        Ok(conn)
                    } else {
                        Err(DatabaseError::NotKept)
                    };
                }
                // The database may still be shutting down when an early attempt reaches it.
                self.link.pause(POLL_INTERVAL / 5).await;
            }
        };
        match wait(looked, until) {
            Some(is_committed) => Ok(is_committed?),
            None => Err(DatabaseError::Unknown.into()),
        }
    }

    fn connect(&self, until: Instant) -> Result<Conn, StoreError> {
        wait(self.link.connect(), until).unwrap_or(Err(timeout_error()))
    }

    /// Returns whether this node's heartbeat is recent.
    pub(super) fn is_known_to_live(&self) -> bool {
        let committed = self.committed.lock();
        committed.unwrap_or_else(PoisonError::into_inner).elapsed() < LIVES
    }

    fn record_commit(&self) {
        let committed = self.committed.lock();
        *committed.unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    pub(super) fn takes_writes(&self) -> bool {
        let writing = self.writing();
        writing
            .as_ref()
            .is_some_and(|conn| !conn.client.is_closed())
    }

    /// Reconnects after a failure. Fails for good if another process has taken over the store.
    pub(super) fn reopen(&self) -> Result<(), StoreError> {
        self.link.forget_all();
        let mut writing = self.writing();
        *writing = None;
        let until = Instant::now() + RESOLVED;
        let conn = self.connect(until)?;
        let is_in =
            wait(nodes::is_in(&conn.client, &self.node), until).unwrap_or(Err(timeout_error()))?;
        if !is_in {
            return Err(DatabaseError::TakenOver.into());
        }
        *writing = Some(conn);
        Ok(())
    }

    /// Returns the name of this node. Returns `None` if this process has the store alone.
    pub(in crate::store) fn name(&self) -> Option<&str> {
        let is_one = self.node.is_one_of_several();
        is_one.then_some(self.node.name.as_str())
    }

    /// Returns the number of nodes at the last count.
    pub(in crate::store) fn node_count(&self) -> u32 {
        self.node_count.load(Relaxed)
    }

    /// Counts the nodes, and compares the clock with the database's clock. `now` returns milliseconds
    /// since 1970. Returns the error of a wrong clock if [`JoinRequest::checks_clock`] is set.
    pub(in crate::store) async fn count(
        &self,
        now: impl Fn() -> i64,
    ) -> Result<Option<DatabaseError>, StoreError> {
        let counted = async {
            let (conn, turn) = self.link.borrow().await?;
            let before = now();
            let (count, database_time) = nodes::count(&conn.client).await?;
            let after = now();
            self.link.return_connection(conn);
            drop(turn);
            let count = u32::try_from(count).unwrap_or(u32::MAX).max(1);
            self.node_count.store(count, Relaxed);
            let wrong = wrong_clock(before, database_time, after);
            Ok(wrong.filter(|_| self.checks_clock))
        };
        let counted = tokio::time::timeout(ANSWER, counted).await;
        counted.unwrap_or(Err(DatabaseError::Busy.into()))
    }

    /// Reports to joining nodes that this node will leave. Blocks this thread for the network.
    pub(in crate::store) fn drain(&self) -> Result<(), StoreError> {
        let conn = self.connect(Instant::now() + RESOLVED)?;
        let drain = nodes::drain(&conn.client, &self.node);
        wait(drain, Instant::now() + ANSWER).unwrap_or(Err(timeout_error()))
    }

    fn writing(&self) -> MutexGuard<'_, Option<Conn>> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let conn = self.writing().take();
        if let Some(conn) = conn {
            let left = nodes::leave(&conn.client, &self.node);
            if let Some(Err(why)) = wait(left, Instant::now() + ANSWER) {
                tracing::warn!(error = %why, "the store was not released: the next shop has to wait");
            }
        }
    }
}

/// Registers `node`. If another process prevents the registration, waits until that process leaves, dies
/// or proves to be alive.
fn enter(conn: &Conn, node: &LocalNode, joining: Option<&JoinRequest>) -> Result<(), StoreError> {
    let began = Instant::now();
    let mut found: Option<(String, String)> = None;
    loop {
        let until = Instant::now() + ANSWER;
        let entered = wait(nodes::enter(&conn.client, node, joining), until);
        let is_over = began.elapsed() > DEAD;
        match entered.unwrap_or(Err(timeout_error())) {
            Ok(None) => return Ok(()),
            Ok(Some((_, why))) if is_over => return Err(why),
            Ok(Some((other, why))) => match &found {
                // The other process has renewed its heartbeat, so it is alive.
                Some(before) if before.0 == other.0 && before.1 != other.1 => return Err(why),
                // The same process has not renewed its heartbeat yet, or another process is in its place.
                // Either process may be dead.
                Some(_) => found = Some(other),
                None => {
                    tracing::warn!(
                        "the store is another layby's, or was until it was killed: waiting"
                    );
                    found = Some(other);
                }
            },
            // Another process holds the lock for longer than usual.
            Err(StoreError::Database(DatabaseError::Locked | DatabaseError::Slow)) if !is_over => {
                let ended = conn.client.batch_execute("ROLLBACK");
                if wait(ended, Instant::now() + ANSWER).is_none() {
                    return Err(timeout_error());
                }
            }
            Err(why) => return Err(why),
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}

fn timeout_error() -> StoreError {
    DatabaseError::Slow.into()
}
