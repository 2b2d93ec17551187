//! Runs one batch of writes: locks the store, runs the batch, and commits its changes. The code makes as few
//! round trips as possible.

use std::time::Instant;

use futures_util::FutureExt;
use futures_util::future::{join_all, try_join};
use tokio_postgres::{Error, Row};

use super::failure::{failed, is_the_end};
use super::nodes::LocalNode;
use crate::store::engine::batch::{BatchTx, Changes};
use crate::store::engine::kv::Direction;
use crate::store::postgres::block_on::{ANSWER, wait};
use crate::store::postgres::connection::{BEGIN, Conn};
use crate::store::postgres::read_cache::{MissingRead, ReadCache, Stored};
use crate::store::{DatabaseError, StoreError};

/// Rows of the first page of a scan. Each later pass fetches pages of four times as many rows, up to
/// [`LARGEST_PAGE`].
const FIRST_PAGE: i64 = 16;
/// Most rows of a page.
const LARGEST_PAGE: i64 = 1024;
/// Most passes of a batch. A batch that needs more passes presumably never ends.
const PASSES: u32 = 20_000;

/// The outcome of a batch.
pub(super) enum Ended {
    /// The batch was committed.
    Stored,
    /// The batch changes nothing, and nothing was committed.
    Unchanged,
    /// Nothing of the batch was stored. The connection stays usable.
    Refused(StoreError),
    /// Nothing of the batch was stored, and the connection is unusable.
    Broken(StoreError),
    /// The commit was sent at this time, and no answer tells its outcome.
    Unanswered(Instant),
}

/// Why a batch ends before its commit.
enum Stop {
    Refused(StoreError),
    Broken(StoreError),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        let why = failed(&error);
        if is_the_end(&error) {
            Self::Broken(why)
        } else {
            Self::Refused(why)
        }
    }
}

/// Waits at most [`ANSWER`] for the answer to a query.
fn answer<T>(question: impl Future<Output = Result<T, Error>>) -> Result<T, Stop> {
    match wait(question, Instant::now() + ANSWER) {
        Some(answer) => Ok(answer?),
        None => Err(Stop::Broken(DatabaseError::Slow.into())),
    }
}

/// Runs and commits `batch`. `node` is this node and the batch's number. Commits a batch without changes
/// only if a heartbeat `is_due`.
pub(super) fn commit(
    conn: &Conn,
    node: (&LocalNode, i64),
    is_due: bool,
    batch: impl FnMut(&mut BatchTx<'_>),
) -> Ended {
    let changes = match run(conn, node, batch) {
        Ok(changes) => changes,
        Err(Stop::Broken(why)) => return Ended::Broken(why),
        Err(Stop::Refused(why)) => {
            roll_back(conn);
            return Ended::Refused(why);
        }
    };
    if changes.is_empty() && !is_due {
        roll_back(conn);
        return Ended::Unchanged;
    }
    let sent = Instant::now();
    match wait(send(conn, changes), sent + ANSWER) {
        Some(Ok(())) => Ended::Stored,
        None => Ended::Unanswered(sent),
        Some(Err(error)) => match Stop::from(error) {
            // The database itself reports that it did not commit the batch.
            Stop::Refused(why) => Ended::Refused(why),
            Stop::Broken(_) => Ended::Unanswered(sent),
        },
    }
}

/// Rolls back without waiting for the answer. The connection runs its next query afterwards.
fn roll_back(conn: &Conn) {
    let _ = conn.client.batch_execute("ROLLBACK").now_or_never();
}

/// Locks the store and runs the batch until all its reads are cached. The first pass runs before the
/// lock and without cached rows. The queries for its missed reads are sent together with the lock.
fn run(
    conn: &Conn,
    node: (&LocalNode, i64),
    mut batch: impl FnMut(&mut BatchTx<'_>),
) -> Result<Changes, Stop> {
    let (mut tx, mut page) = (BatchTx::over_database(), FIRST_PAGE);
    batch(&mut tx);
    answer_locked(conn, node, &mut tx, page)?;
    for _ in 0..PASSES {
        batch(&mut tx);
        let Some(fetched) = tx.fetched().filter(|fetched| fetched.has_missing_reads()) else {
            return Ok(tx.into_changes());
        };
        page = (page * 4).min(LARGEST_PAGE);
        let missing = Vec::from_iter(fetched.take_missing());
        let found = answer(fetch(conn, &missing, page))?;
        take_in(fetched, missing, found, page)?;
    }
    let why = StoreError::Engine("a batch of writes reads without end");
    Err(Stop::Refused(why))
}

/// Locks the store, and fetches the rows that the first pass missed.
fn answer_locked(
    conn: &Conn,
    (node, number): (&LocalNode, i64),
    tx: &mut BatchTx<'static>,
    page: i64,
) -> Result<(), Stop> {
    let missing = tx
        .fetched()
        .map(ReadCache::take_missing)
        .unwrap_or_default();
    let missing = Vec::from_iter(missing);
    let lock = async {
        let params: [&(dyn tokio_postgres::types::ToSql + Sync); 3] =
            [&node.owner, &number, &node.name];
        let begin = conn.client.batch_execute(BEGIN);
        let (_, locked) = try_join(begin, conn.client.execute(&conn.lock, &params)).await?;
        Ok(locked)
    };
    // All queries are sent before the first answer. The database answers the queries in order.
    let (locked, found) = answer(try_join(lock, fetch(conn, &missing, page)))?;
    if locked == 0 {
        return Err(Stop::Broken(DatabaseError::TakenOver.into()));
    }
    match tx.fetched() {
        Some(fetched) => take_in(fetched, missing, found, page),
        None => Ok(()),
    }
}

/// Returns the rows at the missing keys, then the rows of each missing page.
async fn fetch(conn: &Conn, missing: &[MissingRead], page: i64) -> Result<Vec<Vec<Row>>, Error> {
    let keys = keys_of(missing);
    let many = async {
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        conn.client.query(&conn.get_many, &[&keys]).await
    };
    let pages = missing.iter().filter_map(|missing| match missing {
        MissingRead::Key(_) => None,
        MissingRead::Page {
            from,
            to,
            direction,
        } => Some(async move {
            let statement = match direction {
                Direction::Forward => &conn.forward,
                Direction::Backward => &conn.backward,
            };
            conn.client.query(statement, &[from, to, &page]).await
        }),
    });
    let (many, pages) = futures_util::future::join(many, join_all(pages)).await;
    std::iter::once(many).chain(pages).collect()
}

fn keys_of(missing: &[MissingRead]) -> Vec<&[u8]> {
    let keys = missing.iter().filter_map(|missing| match missing {
        MissingRead::Key(key) => Some(key.as_slice()),
        MissingRead::Page { .. } => None,
    });
    keys.collect()
}

fn take_in(
    fetched: &mut ReadCache,
    missing: Vec<MissingRead>,
    found: Vec<Vec<Row>>,
    page: i64,
) -> Result<(), Stop> {
    let mut found = found.into_iter();
    let many = pairs(found.next().unwrap_or_default())?;
    let mut keys = Vec::new();
    for missing in missing {
        match missing {
            MissingRead::Key(key) => keys.push(key),
            MissingRead::Page {
                from,
                to,
                direction,
            } => {
                let rows = pairs(found.next().unwrap_or_default())?;
                let is_all = (rows.len() as i64) < page;
                fetched.insert_page((from, to), direction, rows, is_all);
            }
        }
    }
    fetched.insert_keys(keys, many);
    Ok(())
}

fn pairs(rows: Vec<Row>) -> Result<Vec<Stored>, Error> {
    let pair = |row: &Row| Ok((row.try_get(0)?, row.try_get(1)?));
    rows.iter().map(pair).collect()
}

/// Sends all changes, and the commit.
async fn send(conn: &Conn, changes: Changes) -> Result<(), Error> {
    let (mut gone, mut keys, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for (key, change) in changes {
        match change {
            None => gone.push(key),
            Some(value) => {
                keys.push(key);
                values.push(value);
            }
        }
    }
    let delete = async {
        if gone.is_empty() {
            return Ok(0);
        }
        conn.client.execute(&conn.delete, &[&gone]).await
    };
    let put = async {
        if keys.is_empty() {
            return Ok(0);
        }
        conn.client.execute(&conn.put, &[&keys, &values]).await
    };
    let commit = conn.client.batch_execute("COMMIT");
    let (deleted, put, committed) = futures_util::future::join3(delete, put, commit).await;
    // If the database refuses a statement, the commit after it rolls back.
    deleted.and(put).and(committed)
}
