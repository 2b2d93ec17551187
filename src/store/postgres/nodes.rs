//! Registers the processes that serve the store: one alone, such as a command, or several nodes.
//!
//! `layby_head` names the process that holds the store alone, or says that there are several nodes.
//! `layby_nodes` has a row for each process: its last batch and the end of its heartbeat. A process without
//! a row there can't write.

use std::time::Instant;

use chrono::Utc;
use tokio_postgres::{Client, Error};

use super::failure::failed;
use crate::store::nodes::{JoinRequest, Node, incompatibility, wrong_clock};
use crate::store::postgres::block_on::{ANSWER, wait};
use crate::store::postgres::connection::BEGIN;
use crate::store::{DatabaseError, SCHEMA, StoreError};

/// The owner in `layby_head` when several nodes share the store.
const SEVERAL: &str = "several";

/// Locks the head. Waits for the current holder of the lock, so that the next query reads the holder's
/// commit.
const LOCK: &str = "SELECT id FROM layby_head WHERE id = 1 FOR UPDATE";
const HEAD: &str =
    "SELECT owner, until::text, until < clock_timestamp() FROM layby_head WHERE id = 1";
const LIVING: &str = "SELECT name, until::text, schema, build, products, draining \
    FROM layby_nodes WHERE until > clock_timestamp() ORDER BY name";
const COUNT: &str = "SELECT count(*), (extract(epoch FROM clock_timestamp()) * 1000)::bigint \
    FROM layby_nodes WHERE until > clock_timestamp()";
/// Removes nodes without a heartbeat if their products or schema differ from the joining node's. Also removes
/// nodes without a heartbeat for an hour. So these nodes can't resume and write.
const FORGET: &str = "DELETE FROM layby_nodes WHERE until < clock_timestamp() \
    AND (products <> $1 OR schema <> $2 OR until < clock_timestamp() - interval '1 hour')";
const FORGET_ALL: &str = "DELETE FROM layby_nodes";
const TAKE: &str = "UPDATE layby_head \
    SET owner = $1, batch = 0, until = clock_timestamp() + interval '10 seconds' WHERE id = 1";
const ENTER: &str = "INSERT INTO layby_nodes (name, until, batch, schema, build, products, draining) \
    VALUES ($1, clock_timestamp() + interval '10 seconds', 0, $2, $3, $4, false)";
const LEAVE: &str = "DELETE FROM layby_nodes WHERE name = $1";
const CLOSE: &str = "UPDATE layby_head SET until = '1970-01-01 00:00:00+00' WHERE id = 1 \
    AND owner = $1 AND NOT EXISTS (SELECT 1 FROM layby_nodes WHERE until > clock_timestamp())";
const DRAIN: &str = "UPDATE layby_nodes SET draining = true WHERE name = $1";
const IS_IN: &str = "SELECT count(*) FROM layby_nodes, layby_head \
    WHERE layby_head.id = 1 AND layby_head.owner = $1 AND layby_nodes.name = $2";
const LAST_BATCH: &str = "SELECT batch FROM layby_nodes WHERE name = $1";
const NOW: &str = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/// This process, as the database names it.
#[derive(Clone, Debug)]
pub(super) struct LocalNode {
    /// Name of this process.
    pub(super) name: String,
    /// The owner in `layby_head` while this process may write.
    pub(super) owner: String,
}

impl LocalNode {
    pub(super) fn new(name: String, is_one_of_several: bool) -> Self {
        let owner = if is_one_of_several {
            SEVERAL.to_string()
        } else {
            name.clone()
        };
        Self { name, owner }
    }

    pub(super) fn is_one_of_several(&self) -> bool {
        self.owner == SEVERAL
    }
}

/// The process that prevents joining: its name, the end of its heartbeat, and the reason.
pub(super) type Rejected = ((String, String), StoreError);

/// Registers `node`, alone or with others as `joining` requests. Returns the process that prevents the
/// registration, if there is one.
pub(super) async fn enter(
    client: &Client,
    node: &LocalNode,
    joining: Option<&JoinRequest>,
) -> Result<Option<Rejected>, StoreError> {
    let entered = try_enter(client, node, joining).await;
    let end = match &entered {
        Ok(None) => "COMMIT",
        _ => "ROLLBACK",
    };
    client
        .batch_execute(end)
        .await
        .map_err(|why| failed(&why))?;
    entered.map_err(|why| failed(&why))
}

/// Begins a transaction, as a batch does, and locks the head.
async fn lock(client: &Client) -> Result<(), Error> {
    client.batch_execute(BEGIN).await?;
    client.query_one(LOCK, &[]).await.map(drop)
}

async fn try_enter(
    client: &Client,
    node: &LocalNode,
    joining: Option<&JoinRequest>,
) -> Result<Option<Rejected>, Error> {
    lock(client).await?;
    let head = client.query_one(HEAD, &[]).await?;
    let (owner, until, is_over): (String, String, bool) =
        (head.try_get(0)?, head.try_get(1)?, head.try_get(2)?);
    let is_joined = joining.is_some() && owner == SEVERAL;
    if !is_over && !is_joined {
        return Ok(Some(((owner, until), StoreError::InUse)));
    }
    let products = joining.map_or(String::new(), JoinRequest::products_as_text);
    let schema = i64::from(SCHEMA);
    let Some(joining) = joining else {
        client.execute(FORGET_ALL, &[]).await?;
        client.execute(TAKE, &[&node.owner]).await?;
        let build = env!("CARGO_PKG_VERSION");
        let params: [&(dyn tokio_postgres::types::ToSql + Sync); 4] =
            [&node.name, &schema, &build, &products];
        client.execute(ENTER, &params).await?;
        return Ok(None);
    };
    for row in client.query(LIVING, &[]).await? {
        let name_and_until = (row.try_get(0)?, row.try_get(1)?);
        let other = Node {
            schema: row.try_get(2)?,
            build: row.try_get(3)?,
            products: row.try_get(4)?,
            is_draining: row.try_get(5)?,
        };
        if let Some(why) = incompatibility(joining, &other) {
            return Ok(Some((name_and_until, why.into())));
        }
    }
    client.execute(FORGET, &[&products, &schema]).await?;
    client.execute(TAKE, &[&node.owner]).await?;
    let params: [&(dyn tokio_postgres::types::ToSql + Sync); 4] =
        [&node.name, &schema, &joining.build, &products];
    client.execute(ENTER, &params).await?;
    Ok(None)
}

/// Returns an error if this machine's clock differs from the database's clock by more than two seconds.
pub(super) fn check_clock(client: &Client) -> Result<(), StoreError> {
    let before = Utc::now().timestamp_millis();
    let database_time = wait(client.query_one(NOW, &[]), Instant::now() + ANSWER);
    let database_time = database_time.ok_or(DatabaseError::Slow)?;
    let database_time: i64 = database_time
        .and_then(|row| row.try_get(0))
        .map_err(|why| failed(&why))?;
    let after = Utc::now().timestamp_millis();
    match wrong_clock(before, database_time, after) {
        Some(why) => Err(why.into()),
        None => Ok(()),
    }
}

/// Removes this node's row. The last node also releases the store.
pub(super) async fn leave(client: &Client, node: &LocalNode) -> Result<(), StoreError> {
    let left = async {
        lock(client).await?;
        client.execute(LEAVE, &[&node.name]).await?;
        client.execute(CLOSE, &[&node.owner]).await?;
        client.batch_execute("COMMIT").await
    };
    left.await.map_err(|why| failed(&why))
}

/// Stores that this node will leave, for the nodes that join.
pub(super) async fn drain(client: &Client, node: &LocalNode) -> Result<(), StoreError> {
    let result = client.execute(DRAIN, &[&node.name]).await;
    result.map(|_| ()).map_err(|why| failed(&why))
}

/// Returns the number of live nodes, and the database's time in milliseconds since 1970.
pub(super) async fn count(client: &Client) -> Result<(i64, i64), StoreError> {
    let row = client.query_one(COUNT, &[]).await;
    row.and_then(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
        .map_err(|why| failed(&why))
}

/// Returns whether `node` may still write.
pub(super) async fn is_in(client: &Client, node: &LocalNode) -> Result<bool, StoreError> {
    let row = client.query_one(IS_IN, &[&node.owner, &node.name]).await;
    let count: i64 = row
        .and_then(|row| row.try_get(0))
        .map_err(|why| failed(&why))?;
    Ok(count == 1)
}

/// Returns whether batch `number` of `node` was committed. Waits for the lock first, so that a commit
/// in progress ends before the check.
pub(super) async fn was_committed(
    client: &Client,
    node: &LocalNode,
    number: i64,
) -> Result<bool, StoreError> {
    let query = async {
        client.query_one(LOCK, &[]).await?;
        let row = client.query_opt(LAST_BATCH, &[&node.name]).await?;
        row.map(|row| row.try_get::<_, i64>(0)).transpose()
    };
    match query.await.map_err(|why| failed(&why))? {
        Some(batch) => Ok(batch >= number),
        // The node's row was removed meanwhile, so the outcome is unknown.
        None => Err(DatabaseError::Unknown.into()),
    }
}
