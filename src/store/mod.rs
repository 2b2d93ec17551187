//! The store: one redb file or a PostgreSQL database, typed tables, one writer.
//!
//! Reads are point look-ups and index ranges, and run on the caller's thread. Writes are closures over a
//! transaction. The writer runs several writes in one commit. A write returns when its commit is durable.
//!
//! Over a database the writer may run a closure several times, until every read is cached. So a closure
//! uses no clock, no random numbers and no I/O. The caller makes ids and `now`, and the closure captures
//! them.
//!
//! When the disk or the database fails, the store closes and reopens by itself (`reopen.rs`).

pub mod backup;
mod batches;
mod check;
mod clock_guard;
mod database_error;
mod description;
pub(crate) mod dump;
mod engine;
mod error;
pub(crate) mod inspect;
mod key;
mod nodes;
mod open;
pub(super) mod postgres;
pub mod redb;
mod registry;
pub(crate) mod reopen;
mod room;
mod table;
pub mod tables;
mod unreadable;
mod upgrade;
mod writer;
mod writes;
mod wrong_clock;

use std::sync::Arc;

use chrono::{DateTime, NaiveTime, Utc};

pub use backup::{DumpSummary, NewStoreFile};
pub use batches::KeyValue;
pub use check::{Finding, check_relations, key_text};
pub use database_error::DatabaseError;
pub use description::{Progress, StoreDescription};
pub use dump::Target;
pub use engine::open_error::{InspectedFile, Pages};
pub use engine::{Direction, Read, ReadTx, WriteTx};
pub use error::StoreError;
pub use key::Key;
pub use nodes::JoinRequest;
pub use redb::disk::{Disk, Memory};
pub use redb::repair::Repair;
pub use registry::{ALL as TABLES, AnyTable, Relations, table_name, table_of};
pub use room::free_bytes;
pub use table::{Index, IndexRows, StoredRow, Table};
pub use unreadable::is_first_today;
pub use upgrade::migrations::{
    FIRST_SCHEMA, Migration, NewRows, OldRow, SCHEMA, SHAPE, STEPS, Walk,
};
pub use upgrade::{Done, Upgrade};
pub use wrong_clock::WrongClock;

use clock_guard::ClockGuard;
use engine::Engine;
use inspect::read_description;
use postgres::block_on::block_on;
use reopen::StoreHealth;
use writer::Writer;

use crate::clock::Clock;

/// A handle on the store, cheap to clone.
#[derive(Clone)]
pub struct Store {
    engine: Arc<Engine>,
    writer: Arc<Writer>,
    clock_guard: Arc<ClockGuard>,
}

impl Store {
    /// Refuses writes from now on while `clock` contradicts the store's newest write. Does nothing over a
    /// database: nodes compare their clocks with the database's clock.
    ///
    /// # Errors
    /// When the newest write can't be read.
    pub fn guard_clock(&self, clock: Clock) -> Result<(), StoreError> {
        if let Engine::File(file) = &*self.engine {
            let tx = file.read()?;
            let newest = match tables::NEWEST_WRITE.get(&tx, &())? {
                Some(newest) => Some(newest),
                // No time of a write is stored yet. The last daily run was no later than the last write. So
                // the guard uses the run's day, unless that day is in the future.
                None => {
                    let round = tables::LAST_DAILY_RUN.get(&tx, &())?;
                    let round = round.map(|day| day.and_time(NaiveTime::MIN).and_utc());
                    round.filter(|round| *round <= clock.now())
                }
            };
            self.clock_guard.start(clock, newest);
        }
        Ok(())
    }

    /// Returns why the clock given to [`Store::guard_clock`] is wrong. Returns `None` if that clock is
    /// right or was never given.
    #[must_use]
    pub fn wrong_clock(&self) -> Option<WrongClock> {
        self.clock_guard.error()
    }

    /// Stores that `now` is right, although the newest write contradicts it.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn confirm_clock(&self, now: DateTime<Utc>) -> Result<(), StoreError> {
        self.writer
            .write(move |tx| clock_guard::put(tx, now))
            .await?;
        self.clock_guard.note(now);
        Ok(())
    }

    /// Runs `read` in one consistent view of the newest commit.
    ///
    /// Over a file, `read` runs on the caller's thread, without waiting. Over a database, each look-up
    /// waits for the network. A request should therefore call this function once.
    ///
    /// # Errors
    /// The error of `read`, or the store's error.
    pub async fn read<T, E, F>(&self, read: F) -> Result<T, E>
    where
        E: From<StoreError>,
        F: FnOnce(&ReadTx) -> Result<T, E>,
    {
        match &*self.engine {
            Engine::File(file) => read(&file.read()?),
            Engine::Postgres(_) if !self.writer.is_open() => Err(StoreError::Closed.into()),
            Engine::Postgres(database) => {
                let snapshot = database.begin_read().await?;
                block_on(|| read(&snapshot))
            }
        }
    }

    /// Returns a view of the newest commit that may stay open for long. While the view is open, each
    /// write makes a file grow.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn inspect(&self) -> Result<ReadTx, StoreError> {
        self.engine.inspect()
    }

    /// Copies every row into an empty store, reads both stores again, and compares them. Calls `say` with
    /// the number of rows copied so far.
    ///
    /// # Errors
    /// If the target is not empty, if a store can't be read or written, or if the copy differs.
    pub fn copy_to(
        &self,
        target: Target<'_>,
        say: &mut dyn FnMut(u64),
    ) -> Result<DumpSummary, StoreError> {
        dump::copy(&self.engine, target, say)
    }

    /// Runs `write` in the next batch. Returns when the batch's commit is durable. If `write` returns an
    /// error, none of its changes are stored.
    ///
    /// # Errors
    /// The error of `write`, the store's error, or [`StoreError::Clock`] while the clock is wrong.
    pub async fn write<T, E, F>(&self, write: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: Fn(&mut WriteTx<'_>) -> Result<T, E> + Send + 'static,
    {
        if let Some(wrong) = self.wrong_clock() {
            return Err(StoreError::from(wrong).into());
        }
        let Some(moment) = self.clock_guard.due() else {
            // The box avoids copies: the closure may be large, and each await would copy the closure.
            return self.writer.write(Box::new(write)).await;
        };
        let write = move |tx: &mut WriteTx<'_>| -> Result<T, E> {
            let done = write(tx)?;
            clock_guard::put(tx, moment)?;
            Ok(done)
        };
        let done = self.writer.write(Box::new(write)).await?;
        self.clock_guard.note(moment);
        Ok(done)
    }

    /// Makes a commit without changes if the store would open slowly after a crash. After two such commits
    /// in a row, the store opens fast. Over a database, renews this node's heartbeat unless the heartbeat
    /// is recent. Call this function regularly.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn checkpoint(&self) -> Result<(), StoreError> {
        if self.engine.opens_at_once() {
            return Ok(());
        }
        self.write(|_| Ok(())).await
    }

    /// Checks whether the store is open and readable, and has this program's schema.
    ///
    /// # Errors
    /// If the store can't be read, is being reopened, or has failed for good. Also if this program may
    /// not serve the store's schema.
    pub async fn is_ready(&self) -> Result<(), StoreError> {
        match self.writer.health() {
            StoreHealth::Open => {
                let description = self.read(|tx| tables::DESCRIPTION.get(tx, &())).await?;
                description.map_or(Ok(()), |description| description.may_be_served(SCHEMA))
            }
            StoreHealth::Reopening => Err(StoreError::Closed),
            StoreHealth::GivenUp(why) => Err(why),
        }
    }

    /// Returns whether the store is being reopened after a failure.
    #[must_use]
    pub fn is_reopening(&self) -> bool {
        matches!(self.writer.health(), StoreHealth::Reopening)
    }

    /// Returns the progress of a repair during reopening.
    #[must_use]
    pub fn repair(&self) -> &Repair {
        self.engine.repair()
    }

    /// Waits until the store has failed for good. Returns the reason.
    pub async fn wait_until_lost(&self) -> StoreError {
        self.writer.wait_until_lost().await
    }

    /// Closes a store in a file for good, after the current write.
    ///
    /// # Errors
    /// When a damaged page prevents a clean close.
    pub fn close(&self) -> Result<(), StoreError> {
        self.engine.close()
    }

    /// Returns the size of a store in a file, in bytes. Returns `None` over a database, or if the disk fails.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        match &*self.engine {
            Engine::File(file) => file.size(),
            Engine::Postgres(_) => None,
        }
    }

    /// Returns this node's name among the nodes of the store. Returns `None` if this process has the
    /// store alone.
    #[must_use]
    pub fn node(&self) -> Option<&str> {
        self.engine.shared().and_then(|database| database.name())
    }

    /// Returns the number of nodes at the last count ([`Store::refresh_cluster_state`]), or 1 for a store
    /// that is not shared.
    #[must_use]
    pub fn nodes(&self) -> u32 {
        self.engine.shared().map_or(1, |shared| shared.node_count())
    }

    /// Counts the nodes of the store. Returns a value if [`JoinRequest::checks_clock`] is set and `clock`
    /// differs too much from the database's clock.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn refresh_cluster_state(
        &self,
        clock: &Clock,
    ) -> Result<Option<DatabaseError>, StoreError> {
        match self.engine.shared() {
            Some(database) => database.count(|| clock.now().timestamp_millis()).await,
            None => Ok(None),
        }
    }

    /// Reports to joining nodes that this node will leave.
    ///
    /// # Errors
    /// If the store fails.
    pub fn drain(&self) -> Result<(), StoreError> {
        match self.engine.shared() {
            Some(database) => block_on(|| database.drain()),
            None => Ok(()),
        }
    }

    /// Returns the store's description.
    ///
    /// # Errors
    /// If the description's row is missing or unreadable.
    pub fn read_description(&self) -> Result<StoreDescription, StoreError> {
        read_description(&self.engine)
    }
}
