//! The tables of a store in a database.
//!
//! - `layby_rows` holds every row.
//! - `layby_head` has one row, which each write locks.
//! - `layby_nodes` lists the processes that serve the store (`nodes.rs`).

use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Error};

use super::failure::failed;
use crate::store::{DatabaseError, StoreError};

/// Lists the first 100 tables of the schema.
const LOOK: &str = "SELECT tablename::text FROM pg_catalog.pg_tables \
    WHERE schemaname = current_schema() ORDER BY 1 LIMIT 100";
const SCHEMA: &str = "SELECT current_schema()::text";
const ROWS: &str = "layby_rows";
const HEAD: &str = "layby_head";
const NODES: &str = "layby_nodes";
/// Creates the tables. The server runs these statements in one transaction.
const MAKE: &str = "\
    CREATE TABLE layby_rows (key bytea PRIMARY KEY, value bytea NOT NULL); \
    CREATE TABLE layby_head (id int PRIMARY KEY, owner text NOT NULL, until timestamptz NOT NULL, \
        batch bigint NOT NULL); \
    INSERT INTO layby_head VALUES (1, '', '1970-01-01 00:00:00+00', 0); \
    CREATE TABLE layby_nodes (name text PRIMARY KEY, until timestamptz NOT NULL, \
        batch bigint NOT NULL, schema bigint NOT NULL, build text NOT NULL, products text NOT NULL, \
        draining boolean NOT NULL)";

/// Creates the store's tables if the schema has no tables.
///
/// # Errors
/// [`DatabaseError::NotOurs`] if the schema has tables, but not all of the store's.
pub(super) async fn make_sure(client: &Client) -> Result<(), StoreError> {
    if has_tables(client).await? {
        return Ok(());
    }
    if let Err(why) = client.batch_execute(MAKE).await {
        // Another process created the tables at the same time.
        let is_made = why.code().is_some_and(|code| {
            [SqlState::DUPLICATE_TABLE, SqlState::UNIQUE_VIOLATION].contains(code)
        });
        if !is_made || !has_tables(client).await? {
            return Err(failed(&why));
        }
    }
    Ok(())
}

/// Returns whether the store's tables exist. Returns an error if the schema has tables, but not all of
/// the store's.
async fn has_tables(client: &Client) -> Result<bool, StoreError> {
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
    match tables.first() {
        _ if [ROWS, HEAD, NODES].into_iter().all(has) => Ok(true),
        None => Ok(false),
        Some(table) => Err(DatabaseError::NotOurs {
            table: table.clone(),
        }
        .into()),
    }
}
