//! The store: one redb file or a database, typed tables, a single writer that shares each commit.
//!
//! Reads are point look-ups and index ranges and run where they are called. Writes are
//! closures over a transaction; they are acknowledged when they are on the disk. Over a database
//! a closure is run again until all that it reads was fetched, so it takes no time, chance or I/O of
//! its own: ids and `now` are made outside and captured.
//!
//! When the disk or the database fails, the store is closed and opened again by itself
//! (`reopen.rs`).

mod about;
mod check;
mod clock_guard;
mod database_error;
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

pub use about::{Progress, StoreDescription};
pub use check::{Finding, check_relations, key_text};
pub use database_error::DatabaseError;
pub use dump::{DumpSummary, Target};
pub use engine::open_error::{InspectedFile, Pages};
pub use engine::{Direction, Read, ReadTx, WriteTx};
pub use error::StoreError;
pub use key::Key;
pub use nodes::JoinRequest;
pub use redb::disk::{Disk, Memory};
pub use redb::repair::Repair;
pub use registry::{ALL as TABLES, AnyTable, Relations, table_name, table_of};
pub use room::free_bytes;
pub use table::{Index, IndexRows, Table};
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

/// The store; cheap to clone.
#[derive(Clone)]
pub struct Store {
    engine: Arc<Engine>,
    writer: Arc<Writer>,
    clock_guard: Arc<ClockGuard>,
}

impl Store {
    /// Refuses writes from now on while `clock` contradicts the store's newest write. A database's own
    /// clock guards a store in it.
    ///
    /// # Errors
    /// When the newest write can't be read.
    pub fn guard_clock(&self, clock: Clock) -> Result<(), StoreError> {
        if let Engine::File(file) = &*self.engine {
            let tx = file.read()?;
            let newest = match tables::NEWEST_WRITE.get(&tx, &())? {
                Some(newest) => Some(newest),
                // A store that was never guarded: its last daily round was no later than its last write.
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

    /// Why the clock that [`Store::guard_clock`] named is wrong.
    #[must_use]
    pub fn wrong_clock(&self) -> Option<WrongClock> {
        self.clock_guard.error()
    }

    /// Stores that `now` is right, whatever the newest write says.
    ///
    /// # Errors
    /// The store's.
    pub async fn confirm_clock(&self, now: DateTime<Utc>) -> Result<(), StoreError> {
        self.writer
            .write(move |tx| clock_guard::put(tx, now))
            .await?;
        self.clock_guard.note(now);
        Ok(())
    }

    /// Answers what `read` finds in one consistent view, which is that of the newest commit.
    /// Over a file it runs in place, without waiting. Over a database each look-up in it waits for the
    /// network: a request should read once, with everything it needs in `read`.
    ///
    /// # Errors
    /// The closure's own, or the store's.
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

    /// What the store holds now. It may be read for long: a file grows meanwhile by what is written anew.
    ///
    /// # Errors
    /// When it can't be read.
    pub fn inspect(&self) -> Result<ReadTx, StoreError> {
        self.engine.inspect()
    }

    /// Copies every row into an empty store, reads both again and compares them. `say` hears how
    /// many rows are copied.
    ///
    /// # Errors
    /// When the target holds something, when either can't be read or written, or when what the
    /// target holds in the end is not what is here.
    pub fn copy_to(
        &self,
        target: Target<'_>,
        say: &mut dyn FnMut(u64),
    ) -> Result<DumpSummary, StoreError> {
        dump::copy(&self.engine, target, say)
    }

    /// Runs `write` in the next batch and returns when that is durable. When it answers an
    /// error, nothing of it is kept.
    ///
    /// # Errors
    /// The closure's own, or the store's; [`StoreError::Clock`].
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
            // Boxed: it may be large, and would be copied with all that waits for it.
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

    /// After a busy time, writes down what opens the store at once if the process is killed. To be
    /// called again and again: it does nothing where that is written already, or more is written.
    ///
    /// # Errors
    /// The store's.
    pub async fn checkpoint(&self) -> Result<(), StoreError> {
        if self.engine.opens_at_once() {
            return Ok(());
        }
        self.write(|_| Ok(())).await
    }

    /// Whether it can be read and written.
    ///
    /// # Errors
    /// When it can't be read, is being opened again, or is not of this program's schema any more.
    pub async fn is_ready(&self) -> Result<(), StoreError> {
        match self.writer.health() {
            StoreHealth::Open => {
                let description = self.read(|tx| tables::ABOUT.get(tx, &())).await?;
                description.map_or(Ok(()), |description| description.may_be_served(SCHEMA))
            }
            StoreHealth::Reopening => Err(StoreError::Closed),
            StoreHealth::GivenUp(why) => Err(why),
        }
    }

    /// Whether the disk has failed and the store is being opened again: neither open nor given up.
    #[must_use]
    pub fn is_reopening(&self) -> bool {
        matches!(self.writer.health(), StoreHealth::Reopening)
    }

    /// How far putting it in order has come while it is being opened again.
    #[must_use]
    pub fn repair(&self) -> &Repair {
        self.engine.repair()
    }

    /// Waits until the disk has failed for good: why nothing can be read or written any more.
    pub async fn wait_until_lost(&self) -> StoreError {
        self.writer.wait_until_lost().await
    }

    /// Closes a store of a file for good, once the write that is under way has ended.
    ///
    /// # Errors
    /// When a damaged page keeps it from being closed properly.
    pub fn close(&self) -> Result<(), StoreError> {
        self.engine.close()
    }

    /// The name of this shop among those that serve the store; none where nobody else can.
    #[must_use]
    pub fn node(&self) -> Option<&str> {
        self.engine.shared().and_then(|database| database.name())
    }

    /// How many shops serve the store, as was last counted ([`Store::refresh_cluster_state`]).
    #[must_use]
    pub fn nodes(&self) -> u32 {
        self.engine.shared().map_or(1, |shared| shared.node_count())
    }

    /// Counts the shops that serve the store, and answers why `clock` is not that of their database,
    /// where it has to be ([`JoinRequest::checks_clock`]).
    ///
    /// # Errors
    /// The store's.
    pub async fn refresh_cluster_state(
        &self,
        clock: &Clock,
    ) -> Result<Option<DatabaseError>, StoreError> {
        match self.engine.shared() {
            Some(database) => database.count(|| clock.now().timestamp_millis()).await,
            None => Ok(None),
        }
    }

    /// Says to those that join that this shop will leave.
    ///
    /// # Errors
    /// The store's.
    pub fn drain(&self) -> Result<(), StoreError> {
        match self.engine.shared() {
            Some(database) => block_on(|| database.drain()),
            None => Ok(()),
        }
    }

    /// What the store says of itself.
    ///
    /// # Errors
    /// When its first row is missing or unreadable.
    pub fn read_description(&self) -> Result<StoreDescription, StoreError> {
        read_description(&self.engine)
    }
}
