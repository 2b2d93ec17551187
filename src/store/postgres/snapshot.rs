//! Reads from a snapshot over one connection. The connection belongs to the snapshot until the snapshot
//! is dropped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use futures_util::FutureExt;
use futures_util::future::join;
use tokio::sync::OwnedSemaphorePermit;
use tokio_postgres::Error;

use super::failure::failed;
use crate::store::engine::kv::{Direction, Read, Visit};
use crate::store::postgres::block_on::{ANSWER, wait};
use crate::store::postgres::connection::{Conn, ConnectionPool};
use crate::store::postgres::read_cache::next_after;
use crate::store::{DatabaseError, StoreError};

/// Makes all queries of the transaction read the same commit.
const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
/// Rows of the first page of a scan. Each later page has twice as many rows as the page before, up to
/// [`LARGEST_PAGE`].
const FIRST_PAGE: i64 = 32;
/// Most rows of a page.
const LARGEST_PAGE: i64 = 256;

/// The store at the time of the first read.
pub(in crate::store) struct Snapshot {
    link: Arc<ConnectionPool>,
    conn: Option<Conn>,
    /// Whether the transaction has begun. The first query begins it.
    is_begun: AtomicBool,
    /// Whether a query failed or got no answer in time.
    is_broken: AtomicBool,
    /// The pool's permit. `None` for a connection outside the pool. Such a connection ends with the
    /// snapshot.
    permit: Option<OwnedSemaphorePermit>,
}

impl Snapshot {
    /// Builds a snapshot over a connection of the pool, with the pool's permit, or over a separate
    /// connection.
    pub(super) fn new(
        link: Arc<ConnectionPool>,
        conn: Conn,
        permit: Option<OwnedSemaphorePermit>,
    ) -> Self {
        Self {
            link,
            conn: Some(conn),
            is_begun: AtomicBool::new(false),
            is_broken: AtomicBool::new(false),
            permit,
        }
    }

    fn conn(&self) -> Result<&Conn, StoreError> {
        let is_usable = !self.is_broken.load(Relaxed);
        let conn = self.conn.as_ref().filter(|_| is_usable);
        conn.ok_or(StoreError::Closed)
    }

    /// Waits at most [`ANSWER`] for the answer to a query. Begins the transaction with the first query.
    fn answer<T>(
        &self,
        conn: &Conn,
        question: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, StoreError> {
        let is_begun = self.is_begun.swap(true, Relaxed);
        let until = Instant::now() + ANSWER;
        let answered = if is_begun {
            wait(question, until)
        } else {
            // `BEGIN` and the query are sent before the first answer.
            let both = join(conn.client.batch_execute(BEGIN), question);
            wait(both, until).map(|(started, answer)| started.and(answer))
        };
        let answered = match answered {
            Some(answer) => answer.map_err(|why| failed(&why)),
            None => Err(DatabaseError::Slow.into()),
        };
        if answered.is_err() {
            self.is_broken.store(true, Relaxed);
        }
        answered
    }
}

impl Read for Snapshot {
    fn get(&self, key: &[u8], with: &mut dyn FnMut(&[u8])) -> Result<bool, StoreError> {
        let conn = self.conn()?;
        let params: [&(dyn tokio_postgres::types::ToSql + Sync); 1] = [&key];
        let Some(row) = self.answer(conn, conn.client.query_opt(&conn.get, &params))? else {
            return Ok(false);
        };
        with(row.try_get(0).map_err(|why| failed(&why))?);
        Ok(true)
    }

    fn scan(
        &self,
        from: &[u8],
        to: &[u8],
        direction: Direction,
        visit: Visit<'_>,
    ) -> Result<(), StoreError> {
        let (mut from, mut to, mut page) = (from.to_vec(), to.to_vec(), FIRST_PAGE);
        while from < to {
            let conn = self.conn()?;
            let statement = match direction {
                Direction::Forward => &conn.forward,
                Direction::Backward => &conn.backward,
            };
            let params: [&(dyn tokio_postgres::types::ToSql + Sync); 3] = [&from, &to, &page];
            let rows = self.answer(conn, conn.client.query(statement, &params))?;
            let mut last = None;
            for row in &rows {
                let key: &[u8] = row.try_get(0).map_err(|why| failed(&why))?;
                if visit(key, row.try_get(1).map_err(|why| failed(&why))?).is_break() {
                    return Ok(());
                }
                last = Some(key);
            }
            let Some(last) = last.filter(|_| rows.len() as i64 >= page) else {
                return Ok(());
            };
            match direction {
                Direction::Forward => from = next_after(last),
                Direction::Backward => to = last.to_vec(),
            }
            page = (page * 2).min(LARGEST_PAGE);
        }
        Ok(())
    }
}

/// Returns a usable connection to the pool. Ends the transaction without waiting for the answer: the
/// connection runs its next query afterwards.
impl Drop for Snapshot {
    fn drop(&mut self) {
        let Some(conn) = self.conn.take() else { return };
        if self.permit.is_none() || *self.is_broken.get_mut() || conn.client.is_closed() {
            return;
        }
        if *self.is_begun.get_mut() {
            let _ = conn.client.batch_execute("COMMIT").now_or_never();
        }
        self.link.return_connection(conn);
    }
}
