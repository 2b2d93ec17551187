//! Checks that rows agree. Each row must have the index rows that its table declares, and its owner row.
//! A row must declare each index row.

use std::collections::{BTreeMap, HashSet};

use data_encoding::HEXLOWER;

use super::StoreError;
use super::key::Key;
use super::registry::{ALL, AnyTable, table_name};
use super::table::{after, flow};
use super::writes::is_stored;
use crate::store::engine::{Direction, Read, ReadTx};

/// What a comparison reports.
pub enum Finding {
    /// One more row was compared.
    Row,
    /// Two rows disagree.
    Mistake(String),
}

impl Finding {
    /// Returns the finding for a row whose owner row is missing.
    pub fn orphan_row(table: &str, owners: &str, key: &impl Key) -> Self {
        let owners = format!("of table {owners} ");
        Self::dangling_index(table, &owners, &key_text(key))
    }

    fn dangling_index(table: &str, owners: &str, key: &str) -> Self {
        Self::Mistake(format!(
            "a row of table {table} leads to no row {owners}that it belongs to; its key is {key}"
        ))
    }
}

/// Returns a key in hexadecimal, for messages.
pub fn key_text(key: &impl Key) -> String {
    let mut bytes = Vec::new();
    key.write(&mut bytes);
    HEXLOWER.encode(&bytes)
}

/// Compares every row with its index rows and its owner row. Also reports index rows that no row
/// declares.
///
/// # Errors
/// If a row can't be read, or if `find` returns an error.
pub fn check_relations<E: From<StoreError>>(
    tx: &ReadTx,
    find: &mut dyn FnMut(Finding) -> Result<(), E>,
) -> Result<(), E> {
    // The number of stored index rows that other rows declare, by the index's number.
    let mut agreeing = BTreeMap::<u8, u64>::new();
    for table in ALL.iter().filter(|table| !table.is_index()) {
        each(tx, *table, |key, value| {
            find(Finding::Row)?;
            let relations = table.relations(tx, key, value)?;
            for (stored_key, value) in &relations.index_rows {
                let (number, index_key) = split(stored_key);
                if is_stored(tx, stored_key, value)? {
                    *agreeing.entry(number).or_default() += 1;
                    continue;
                }
                find(Finding::Mistake(format!(
                    "a row of table {} isn't in its index {}, where its key would be {}",
                    table.name(),
                    table_name(number),
                    HEXLOWER.encode(index_key),
                )))?;
            }
            match relations.owner {
                Some(owner) if !tx.get(&owner, &mut |_| {})? => {
                    let owners = format!("of table {} ", table_name(split(&owner).0));
                    let key = HEXLOWER.encode(key);
                    find(Finding::dangling_index(table.name(), &owners, &key))
                }
                _ => Ok(()),
            }
        })?;
    }
    for index in ALL.iter().filter(|table| table.is_index()) {
        let mut count = 0;
        each(tx, *index, |_, _| {
            count += 1;
            find(Finding::Row)
        })?;
        let agree = agreeing.get(&index.number()).copied();
        if count != agree.unwrap_or_default() {
            find_strays(tx, *index, find)?;
        }
    }
    Ok(())
}

/// Reports the rows of an index that no row declares.
fn find_strays<E: From<StoreError>>(
    tx: &ReadTx,
    index: &dyn AnyTable,
    find: &mut dyn FnMut(Finding) -> Result<(), E>,
) -> Result<(), E> {
    let mut declared = HashSet::new();
    for table in ALL.iter().filter(|table| !table.is_index()) {
        each(tx, *table, |key, value| {
            let rows = table.relations(tx, key, value)?.index_rows;
            let keys = rows
                .into_keys()
                .filter(|key| split(key).0 == index.number());
            declared.extend(keys.map(|key| split(&key).1.to_vec()));
            Ok::<_, E>(())
        })?;
    }
    each(tx, index, |key, _| {
        if declared.contains(key) {
            return Ok(());
        }
        find(Finding::dangling_index(
            index.name(),
            "",
            &HEXLOWER.encode(key),
        ))
    })
}

/// Visits each row of a table. Passes the key without the table's number, and the value.
fn each<E: From<StoreError>>(
    tx: &ReadTx,
    table: &dyn AnyTable,
    mut visit: impl FnMut(&[u8], &[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let mut outcome = Ok(());
    let from = [table.number()];
    tx.scan(
        &from,
        &after(&from),
        Direction::Forward,
        &mut |key, value| {
            outcome = visit(split(key).1, value);
            flow(outcome.is_ok())
        },
    )?;
    outcome
}

/// Returns a stored key's table number and the rest of the key.
fn split(key: &[u8]) -> (u8, &[u8]) {
    key.split_first()
        .map_or((u8::MAX, key), |(number, rest)| (*number, rest))
}
