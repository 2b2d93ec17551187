//! Random writes in any order, some of them refused, compared with a model of the store.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use futures_util::future::join_all;
use layby::store::{Direction, Read, Store, StoreError};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::support::database::{self, Server};

const TABLE: u8 = 200;
/// Number of possible keys: more than one page of a range read.
const KEYS: u8 = 90;

type Model = BTreeMap<u8, u8>;
/// The changes of one write, and whether it is refused at its end.
type Write = (bool, Vec<(u8, Option<u8>)>);

#[derive(Debug, PartialEq)]
enum Ended {
    Refused,
    Differs(String),
    Failed(String),
}

impl From<StoreError> for Ended {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.to_string())
    }
}

/// Returns at most `limit` rows of a range.
fn some(
    tx: &impl Read,
    (from, to): (u8, u8),
    direction: Direction,
    limit: usize,
) -> Result<Vec<(u8, u8)>, StoreError> {
    let mut rows = Vec::new();
    tx.scan(
        &[TABLE, from],
        &[TABLE, to],
        direction,
        &mut |key, value| {
            rows.push((key[1], value[0]));
            if rows.len() < limit {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        },
    )?;
    Ok(rows)
}

/// Checks that every key and some ranges read as in the model, in both directions, with and without limits.
fn agrees(tx: &impl Read, model: &Model) -> Result<(), Ended> {
    for key in 0..KEYS {
        let mut found = None;
        let is_there = tx.get(&[TABLE, key], &mut |value| found = Some(value[0]))?;
        if found != model.get(&key).copied() || is_there != found.is_some() {
            return Err(Ended::Differs(format!("{key}: {found:?}")));
        }
    }
    for range in [(0, KEYS), (3, 4), (17, 60), (40, 41), (60, 17), (89, 255)] {
        let (from, to) = range;
        let within = model.range(from..to.max(from));
        let expected = Vec::from_iter(within.map(|(key, value)| (*key, *value)));
        for limit in [1, 5, usize::MAX] {
            let forward = some(tx, range, Direction::Forward, limit)?;
            let expected_first: Vec<_> = expected.iter().copied().take(limit).collect();
            let backward = some(tx, range, Direction::Backward, limit)?;
            let expected_last: Vec<_> = expected.iter().rev().copied().take(limit).collect();
            if forward != expected_first || backward != expected_last {
                return Err(Ended::Differs(format!("{range:?} up to {limit}")));
            }
        }
    }
    Ok(())
}

/// Checks that a write sees the changes of earlier writes of the same commit, in order. It sees no change of
/// a refused write.
async fn holds(store: &Store, batches: Vec<Vec<Write>>) {
    let mut model = Model::new();
    let emptied = store.write(|tx| {
        for key in 0..KEYS {
            tx.delete(vec![TABLE, key]);
        }
        Ok::<_, StoreError>(())
    });
    emptied.await.unwrap();
    for batch in batches {
        let (mut writes, mut expected) = (Vec::new(), Vec::new());
        for (is_refused, changes) in batch {
            let mut own = model.clone();
            for (key, value) in &changes {
                match value {
                    Some(value) => own.insert(*key, *value),
                    None => own.remove(key),
                };
            }
            let (before, after) = (model.clone(), own.clone());
            writes.push(store.write(move |tx| {
                agrees(tx, &before)?;
                for (key, value) in &changes {
                    match value {
                        Some(value) => tx.put(vec![TABLE, *key], vec![*value]),
                        None => tx.delete(vec![TABLE, *key]),
                    }
                }
                agrees(tx, &after)?;
                if is_refused {
                    Err(Ended::Refused)
                } else {
                    Ok(())
                }
            }));
            expected.push(if is_refused {
                Err(Ended::Refused)
            } else {
                Ok(())
            });
            if !is_refused {
                model = own;
            }
        }
        assert_eq!(join_all(writes).await, expected);
        store.read(|tx| agrees(tx, &model)).await.unwrap();
    }
}

fn holds_always(store: &Store, runtime: &tokio::runtime::Runtime, cases: u32) {
    let change = (0..KEYS, any::<Option<u8>>());
    let write = (any::<bool>(), prop::collection::vec(change, 0..40));
    let batch = prop::collection::vec(write, 0..6);
    let batches = prop::collection::vec(batch, 1..4);
    let config = Config {
        failure_persistence: None,
        ..Config::with_cases(cases)
    };
    TestRunner::new(config)
        .run(&batches, |batches| {
            runtime.block_on(holds(store, batches));
            Ok(())
        })
        .unwrap();
}

fn one_thread() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_all().build().unwrap()
}

#[test]
fn a_store_in_memory_is_as_its_model() {
    holds_always(&Store::in_memory().unwrap(), &one_thread(), 64);
}

#[test]
fn a_store_in_a_file_is_as_its_model() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("layby.redb")).unwrap();
    holds_always(&store, &one_thread(), 24);
}

#[test]
fn a_store_in_postgresql_is_as_its_model() {
    let Some(server) = Server::run() else { return };
    for runtime in [one_thread(), tokio::runtime::Runtime::new().unwrap()] {
        let url = runtime.block_on(server.schema());
        let store = database::open(&url).unwrap();
        holds_always(&store, &runtime, 24);
    }
}
