//! The tables of a store in a database: `layby_rows`, which holds every row, and `layby_head`, whose
//! one row is locked by whoever writes, and says which shop that is.

use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Error};

use super::failure::failed;
use crate::store::{DatabaseError, StoreError};

/// The tables there are, and which of them are a store's.
const LOOK: &str = "SELECT tablename::text FROM pg_catalog.pg_tables \
    WHERE schemaname = current_schema() ORDER BY 1 LIMIT 100";
const SCHEMA: &str = "SELECT current_schema()::text";
const ROWS: &str = "layby_rows";
const HEAD: &str = "layby_head";
/// All in one transaction.
const MAKE: &str = "\
    CREATE TABLE layby_rows (key bytea PRIMARY KEY, value bytea NOT NULL); \
    CREATE TABLE layby_head (id int PRIMARY KEY, owner text NOT NULL, until timestamptz NOT NULL, \
        batch bigint NOT NULL); \
    INSERT INTO layby_head VALUES (1, '', '1970-01-01 00:00:00+00', 0)";
const TAKE: &str = "UPDATE layby_head \
    SET owner = $1, batch = 0, until = clock_timestamp() + interval '10 seconds' \
    WHERE id = 1 AND until < clock_timestamp()";
const WHO: &str = "SELECT owner, until::text FROM layby_head WHERE id = 1";
const LET_GO: &str = "UPDATE layby_head SET until = '1970-01-01 00:00:00+00' \
    WHERE id = 1 AND owner = $1";

/// Makes sure of the tables. What isn't ours is left as it is.
pub(super) async fn make_sure(client: &Client) -> Result<(), StoreError> {
    if !are_there(client).await?
        && let Err(why) = client.batch_execute(MAKE).await
    {
        // Another shop makes them at the same moment.
        let is_made = why.code().is_some_and(|code| {
            [SqlState::DUPLICATE_TABLE, SqlState::UNIQUE_VIOLATION].contains(code)
        });
        if !is_made || !are_there(client).await? {
            return Err(failed(&why));
        }
    }
    Ok(())
}

async fn are_there(client: &Client) -> Result<bool, StoreError> {
    let tables = async {
        let schema: Option<String> = client.query_one(SCHEMA, &[]).await?.try_get(0)?;
        let rows = client.query(LOOK, &[]).await?;
        let names = rows.iter().map(|row| row.try_get(0));
        Ok::<_, Error>((schema, names.collect::<Result<Vec<String>, _>>()?))
    };
    let (schema, tables) = tables.await.map_err(|why| failed(&why))?;
    if schema.is_none() {
        return Err(DatabaseError::NoSchema.into());
    }
    let has = |name| tables.iter().any(|table| table == name);
    match (has(ROWS) && has(HEAD), tables.into_iter().next()) {
        (true, _) => Ok(true),
        (false, None) => Ok(false),
        (false, Some(table)) => Err(DatabaseError::NotOurs { table }.into()),
    }
}

/// Takes the store for `owner`, if nobody has it; otherwise who has it, and until when.
pub(super) async fn take(
    client: &Client,
    owner: &str,
) -> Result<Option<(String, String)>, StoreError> {
    let taken = async {
        if client.execute(TAKE, &[&owner]).await? == 1 {
            return Ok(None);
        }
        let row = client.query_one(WHO, &[]).await?;
        Ok::<_, Error>(Some((row.try_get(0)?, row.try_get(1)?)))
    };
    taken.await.map_err(|why| failed(&why))
}

/// Who has the store, or had it last.
pub(super) async fn owner(client: &Client) -> Result<String, StoreError> {
    let row = client.query_one(WHO, &[]).await;
    row.and_then(|row| row.try_get(0))
        .map_err(|why| failed(&why))
}

/// Lets the store go, so that another shop needn't wait.
pub(super) async fn let_go(client: &Client, owner: &str) -> Result<(), StoreError> {
    let done = client.execute(LET_GO, &[&owner]).await;
    done.map(|_| ()).map_err(|why| failed(&why))
}
