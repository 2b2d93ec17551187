//! The closures of these tests. The closures run over the store or over a model of the store.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use layby::store::{DatabaseError, Direction, Read, StoreError, WriteTx};
use rand::prelude::*;
use rand::rngs::StdRng;

/// The table of these tests: the number of writes, the writers, and the rows of the test.
const TABLE: u8 = 200;
const TURN: [u8; 2] = [TABLE, 0];
const WHO: u8 = 1;
const ROWS: u8 = 2;
const KEYS: u8 = 10;

/// One step of a closure.
#[derive(Debug)]
pub(super) enum Step {
    Get(u8),
    Scan(u8, u8, Direction, usize),
    Put(u8, u8),
    Add(u8, u8),
    Delete(u8),
    /// Deletes the rows of a scan.
    Clear(u8, u8),
    /// Follows rows by their values, and adds to the last row. Each row needs a query of its own, one after
    /// the other.
    Follow(u8, u8),
    /// Refuses the whole closure if the row's value is odd.
    RefuseIfOdd(u8),
}

fn any_step(random: &mut StdRng) -> Step {
    let key = random.random_range(0..KEYS);
    let value = random.random();
    match random.random_range(0..12) {
        0 | 1 => Step::Get(key),
        2 | 3 => {
            let direction = match random.random() {
                true => Direction::Forward,
                false => Direction::Backward,
            };
            let to = random.random_range(0..=KEYS);
            Step::Scan(key, to, direction, random.random_range(1..5))
        }
        4 | 5 => Step::Put(key, value),
        6 | 7 => Step::Add(key, value),
        8 => Step::Delete(key),
        9 => Step::Clear(key, key + random.random_range(1..4)),
        10 => Step::Follow(key, random.random_range(1..4)),
        _ => Step::RefuseIfOdd(key),
    }
}

/// Returns the steps of closure number `id`, the same each time.
pub(super) fn steps(seed: u64, id: u32) -> Vec<Step> {
    let mut random = StdRng::seed_from_u64(seed ^ u64::from(id));
    let count = random.random_range(1..8);
    (0..count).map(|_| any_step(&mut random)).collect()
}

/// The rows of a closure: the store's, or a model's.
pub(super) trait Rows: Read {
    fn put(&mut self, key: Vec<u8>, value: Vec<u8>);
    fn delete(&mut self, key: Vec<u8>);
}

impl Rows for WriteTx<'_> {
    fn put(&mut self, key: Vec<u8>, value: Vec<u8>) {
        self.put(key, value);
    }

    fn delete(&mut self, key: Vec<u8>) {
        self.delete(key);
    }
}

#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct Model(BTreeMap<Vec<u8>, Vec<u8>>);

impl Read for Model {
    fn get(&self, key: &[u8], with: &mut dyn FnMut(&[u8])) -> Result<bool, StoreError> {
        let found = self.0.get(key);
        found.inspect(|value| with(value));
        Ok(found.is_some())
    }

    fn scan(
        &self,
        from: &[u8],
        to: &[u8],
        direction: Direction,
        visit: &mut dyn FnMut(&[u8], &[u8]) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let within = self.0.iter();
        let within = within.filter(|(key, _)| from <= key.as_slice() && key.as_slice() < to);
        let mut within = Vec::from_iter(within);
        if direction == Direction::Backward {
            within.reverse();
        }
        for (key, value) in within {
            if visit(key, value).is_break() {
                break;
            }
        }
        Ok(())
    }
}

impl Rows for Model {
    fn put(&mut self, key: Vec<u8>, value: Vec<u8>) {
        // The model does not store the writers, because no closure reads them.
        if key[1] != WHO {
            self.0.insert(key, value);
        }
    }

    fn delete(&mut self, key: Vec<u8>) {
        self.0.remove(&key);
    }
}

/// All reads of a closure in order, and the number of writes that were kept before it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Seen {
    pub(super) turn: u32,
    read: Vec<(Vec<u8>, Option<Vec<u8>>)>,
}

#[derive(Debug, PartialEq)]
pub(super) enum Ended {
    Refused(Seen),
    /// The store failed: the write was not kept, or its outcome is unknown.
    NotKept,
    Unknown,
}

impl From<StoreError> for Ended {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Database(DatabaseError::Unknown) => Self::Unknown,
            _ => Self::NotKept,
        }
    }
}

fn row(key: u8) -> Vec<u8> {
    vec![TABLE, ROWS, key]
}

/// Returns a value whose length depends on its number.
fn value(number: u8) -> Vec<u8> {
    vec![number; usize::from(number) + 1]
}

fn get(tx: &impl Read, key: u8, seen: &mut Seen) -> Result<u8, StoreError> {
    let mut found = None;
    tx.get(&row(key), &mut |value| found = Some(value.to_vec()))?;
    let number = found.as_ref().map_or(0, |value| value[0]);
    seen.read.push((row(key), found));
    Ok(number)
}

fn scan(
    tx: &impl Read,
    (from, to): (u8, u8),
    direction: Direction,
    limit: usize,
    seen: &mut Seen,
) -> Result<Vec<Vec<u8>>, StoreError> {
    let mut keys = Vec::new();
    tx.scan(&row(from), &row(to), direction, &mut |key, value| {
        keys.push(key.to_vec());
        seen.read.push((key.to_vec(), Some(value.to_vec())));
        if keys.len() < limit {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    })?;
    // The row at which the chain ended.
    seen.read.push((row(to), None));
    Ok(keys)
}

fn turn(tx: &impl Read) -> Result<u32, StoreError> {
    let mut turn = 0;
    tx.get(&TURN, &mut |value| {
        turn = u32::from_be_bytes(value.try_into().unwrap());
    })?;
    Ok(turn)
}

/// Runs a closure, and records its number in the order of writes.
pub(super) fn run(tx: &mut impl Rows, id: u32, steps: &[Step]) -> Result<Seen, Ended> {
    let mut seen = Seen {
        turn: turn(tx)?,
        read: Vec::new(),
    };
    for step in steps {
        match *step {
            Step::Get(key) => drop(get(tx, key, &mut seen)?),
            Step::Scan(from, to, direction, limit) => {
                scan(tx, (from, to), direction, limit, &mut seen)?;
            }
            Step::Put(key, number) => tx.put(row(key), value(number)),
            Step::Add(key, number) => {
                let before = get(tx, key, &mut seen)?;
                tx.put(row(key), value(before.wrapping_add(number)));
            }
            Step::Delete(key) => tx.delete(row(key)),
            Step::Clear(from, to) => {
                let forward = Direction::Forward;
                for key in scan(tx, (from, to), forward, usize::MAX, &mut seen)? {
                    tx.delete(key);
                }
            }
            Step::Follow(key, rows) => {
                let mut key = key;
                for _ in 0..rows {
                    key = get(tx, key, &mut seen)? % KEYS;
                }
                let before = get(tx, key, &mut seen)?;
                tx.put(row(key), value(before.wrapping_add(rows)));
            }
            Step::RefuseIfOdd(key) => {
                if get(tx, key, &mut seen)? % 2 == 1 {
                    return Err(Ended::Refused(seen));
                }
            }
        }
    }
    let who = [&[TABLE, WHO], seen.turn.to_be_bytes().as_slice()].concat();
    tx.put(who, id.to_be_bytes().to_vec());
    tx.put(TURN.to_vec(), (seen.turn + 1).to_be_bytes().to_vec());
    Ok(seen)
}

/// Returns all rows of the test.
pub(super) fn all(tx: &impl Read) -> Result<Seen, StoreError> {
    let mut seen = Seen {
        turn: turn(tx)?,
        read: Vec::new(),
    };
    let forward = Direction::Forward;
    scan(tx, (0, KEYS), forward, usize::MAX, &mut seen)?;
    Ok(seen)
}

/// Returns the writers in the order of their writes.
pub(super) fn order(tx: &impl Read) -> Result<Vec<u32>, StoreError> {
    let mut order = Vec::new();
    let ends = [[TABLE, WHO], [TABLE, WHO + 1]];
    let forward = Direction::Forward;
    tx.scan(&ends[0], &ends[1], forward, &mut |key, id| {
        assert_eq!(
            key[2..],
            (order.len() as u32).to_be_bytes(),
            "a turn is missing"
        );
        order.push(u32::from_be_bytes(id.try_into().unwrap()));
        ControlFlow::Continue(())
    })?;
    Ok(order)
}
