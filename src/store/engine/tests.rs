//! Tests a batch of writes against a model, and opening after a kill.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::store::engine::*;
use crate::store::redb::disk::Disk;
use proptest::prelude::*;

/// A write to a key: sets a value, or removes the key.
type Op = (u8, Option<u8>);
type Model = BTreeMap<Vec<u8>, Vec<u8>>;

fn seen(tx: &impl Read, from: u8, to: u8, direction: Direction) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut rows = Vec::new();
    tx.scan(&[from], &[to], direction, &mut |key, value| {
        rows.push((key.to_vec(), value.to_vec()));
        ControlFlow::Continue(())
    })
    .unwrap();
    rows
}

/// Checks that every key and range agrees with the model, in both directions.
fn agrees(tx: &impl Read, model: &Model) {
    for key in 0..8u8 {
        let mut found = None;
        let stored = tx
            .get(&[key], &mut |value| found = Some(value.to_vec()))
            .unwrap();
        assert_eq!(found.as_ref(), model.get([key].as_slice()));
        assert_eq!(stored, found.is_some());
        let range = model.range(vec![key]..vec![7]);
        let expected: Vec<_> = if key < 7 {
            range
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect()
        } else {
            Vec::new()
        };
        assert_eq!(seen(tx, key, 7, Direction::Forward), expected);
        let backward: Vec<_> = expected.into_iter().rev().collect();
        assert_eq!(seen(tx, key, 7, Direction::Backward), backward);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A write sees the changes of earlier writes of its batch, and no change of a failed write.
    #[test]
    fn a_batch_reads_as_if_each_write_had_been_alone(
        batches in prop::collection::vec(
            prop::collection::vec(
                (any::<bool>(), prop::collection::vec((0..8u8, any::<Option<u8>>()), 0..6)),
                0..5,
            ),
            1..4,
        ),
    ) {
        let engine = Engine::in_memory().unwrap();
        let mut model = Model::new();
        for batch in batches {
            engine.write(|tx| {
                for (succeeds, ops) in batch.clone() {
                    let ops: Vec<Op> = ops;
                    let mut own = model.clone();
                    let outcome = tx.run_write(|tx| {
                        for (key, value) in ops {
                            match value {
                                Some(value) => {
                                    tx.put(vec![key], vec![value]);
                                    own.insert(vec![key], vec![value]);
                                }
                                None => {
                                    tx.delete(vec![key]);
                                    own.remove([key].as_slice());
                                }
                            }
                        }
                        agrees(tx, &own);
                        if succeeds { Ok(()) } else { Err(()) }
                    });
                    if outcome == Some(Ok(())) {
                        model = own;
                    }
                }
            }).unwrap();
            agrees(&engine.read().unwrap(), &model);
        }
    }
}

/// Returns whether the disk needs a repair before it opens, if the process is killed now.
fn needs_repair(disk: &Memory) -> bool {
    let mut bytes = vec![0; disk.size().unwrap() as usize];
    disk.read(0, &mut bytes).unwrap();
    let copy = Memory::default();
    copy.resize(bytes.len() as u64).unwrap();
    copy.write(0, &bytes).unwrap();
    let repair = Repair::default();
    Engine::open_at(StoreLocation::Disk(Arc::new(copy)), repair.clone()).unwrap();
    repair.was_needed()
}

fn put(engine: &Engine, rows: u16) {
    let put = |tx: &mut WriteTx<'_>| {
        for row in 0..rows {
            tx.put(row.to_be_bytes().to_vec(), vec![1]);
        }
        Ok(())
    };
    engine.write_one(put).unwrap();
}

#[test]
fn after_a_kill_a_calm_store_is_open_at_once_and_a_busy_one_once_it_has_settled() {
    let disk = Arc::new(Memory::default());
    let engine = Engine::open_at(StoreLocation::Disk(disk.clone()), Repair::default()).unwrap();
    assert!(!needs_repair(&disk), "nothing was written");
    put(&engine, 5);
    put(&engine, 5);
    assert!(engine.opens_at_once() && !needs_repair(&disk));
    put(&engine, 500);
    assert!(!engine.opens_at_once() && needs_repair(&disk));
    // A commit is quick only if this commit and the commit before it have few rows together.
    put(&engine, 0);
    put(&engine, 0);
    assert!(engine.opens_at_once() && !needs_repair(&disk));
}
