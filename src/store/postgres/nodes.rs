//! Which processes serve the store: one that has it alone, such as a command, or any number of shops
//! beside one another. `layby_head` names the one that has it alone, or says that there are several;
//! `layby_nodes` has a row for each, with its last batch and until when it is known to live. Whoever
//! lacks a row there writes nothing.

use std::time::Instant;

use chrono::Utc;
use tokio_postgres::{Client, Error};

use super::failure::failed;
use crate::store::nodes::{JoinRequest, Node, incompatibility, wrong_clock};
use crate::store::postgres::block_on::{ANSWER, wait};
use crate::store::postgres::connection::BEGIN;
use crate::store::{DatabaseError, SCHEMA, StoreError};

/// What the head says in place of an owner where several may serve the store.
const SEVERAL: &str = "several";

/// Waits for whoever still has the lock, so that what is asked next is the last word.
const LOCK: &str = "SELECT id FROM layby_head WHERE id = 1 FOR UPDATE";
const HEAD: &str =
    "SELECT owner, until::text, until < clock_timestamp() FROM layby_head WHERE id = 1";
const LIVING: &str = "SELECT name, until::text, schema, build, products, draining \
    FROM layby_nodes WHERE until > clock_timestamp() ORDER BY name";
const COUNT: &str = "SELECT count(*), (extract(epoch FROM clock_timestamp()) * 1000)::bigint \
    FROM layby_nodes WHERE until > clock_timestamp()";
/// Whoever didn't say for long that it lives, and couldn't stand beside who joins, may not wake up and
/// write.
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

/// Who writes, as the database knows it.
#[derive(Clone, Debug)]
pub(super) struct LocalNode {
    /// This process.
    pub(super) name: String,
    /// What the head says as long as this process may write.
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

/// Who keeps us out: its name, until when it is known to live, and why.
pub(super) type Rejected = ((String, String), StoreError);

/// Lets `me` in, alone or beside others as `joining` says; otherwise who keeps it out.
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

/// Begins, as a batch does, and locks the head.
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

/// Refuses a clock that differs from the database's.
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

/// Leaves; the last one leaves the store to whoever comes.
pub(super) async fn leave(client: &Client, node: &LocalNode) -> Result<(), StoreError> {
    let left = async {
        lock(client).await?;
        client.execute(LEAVE, &[&node.name]).await?;
        client.execute(CLOSE, &[&node.owner]).await?;
        client.batch_execute("COMMIT").await
    };
    left.await.map_err(|why| failed(&why))
}

/// Says to those that join that this one will leave.
pub(super) async fn drain(client: &Client, node: &LocalNode) -> Result<(), StoreError> {
    let result = client.execute(DRAIN, &[&node.name]).await;
    result.map(|_| ()).map_err(|why| failed(&why))
}

/// How many are known to live, and the time of the database, milliseconds since 1970.
pub(super) async fn count(client: &Client) -> Result<(i64, i64), StoreError> {
    let row = client.query_one(COUNT, &[]).await;
    row.and_then(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
        .map_err(|why| failed(&why))
}

/// Whether `me` may still write.
pub(super) async fn is_in(client: &Client, node: &LocalNode) -> Result<bool, StoreError> {
    let row = client.query_one(IS_IN, &[&node.owner, &node.name]).await;
    let count: i64 = row
        .and_then(|row| row.try_get(0))
        .map_err(|why| failed(&why))?;
    Ok(count == 1)
}

/// Whether a batch of `me` was committed, once nobody holds the lock any more.
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
        // It was put out meanwhile, and nobody can say.
        None => Err(DatabaseError::Unknown.into()),
    }
}
