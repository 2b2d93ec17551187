//! Tests of upgrades with invented steps and tables. Table 200 has numbers by position. Table 201 has
//! positions by number. The last step deletes all rows of table 202.

mod files;

use rmpv::Value;

use super::*;
use crate::store::batches::BATCH_BYTES;
use crate::store::upgrade::migrations::Walk;

const NUMBERS: u8 = 200;
const BY_NUMBER: u8 = 201;
const GIVEN_UP: u8 = 202;
/// More than two batches.
const COUNT: u32 = 2500;

fn number_in(row: &OldRow) -> Result<u64, String> {
    let fields = row.value.as_map().ok_or("a row without fields")?;
    let field = fields.first().map(|(_, number)| number);
    field.and_then(Value::as_u64).ok_or("no number".to_string())
}

fn row_of(number: u64) -> Value {
    Value::Map(vec![("number".into(), number.into())])
}

/// Adds one to a number. A second run on the same row would give a wrong number.
fn one_more(old: &OldRow, new: &mut NewRows) -> Result<(), String> {
    assert_eq!(old.version, 1);
    new.put(NUMBERS, &old.key, 1, &row_of(number_in(old)? + 1))
}

fn one_more_up_to_1700(old: &OldRow, new: &mut NewRows) -> Result<(), String> {
    if old.key >= 1700u32.to_be_bytes().to_vec() {
        return Err("a number that is too large".to_string());
    }
    one_more(old, new)
}

fn look_up(old: &OldRow, new: &mut NewRows) -> Result<(), String> {
    let key = number_in(old)?.to_be_bytes();
    new.put(BY_NUMBER, &key, 2, &Value::Binary(old.key.clone()))
}

fn give_up(old: &OldRow, new: &mut NewRows) -> Result<(), String> {
    new.delete(GIVEN_UP, &old.key);
    Ok(())
}

const STEPS: &[Migration] = &[
    Migration {
        schema: 2,
        name: "numbers are one more",
        walks: &[Walk {
            table: NUMBERS,
            version: 1,
            row: one_more,
        }],
    },
    Migration {
        schema: 3,
        name: "numbers can be looked up",
        walks: &[
            Walk {
                table: NUMBERS,
                version: 1,
                row: look_up,
            },
            Walk {
                table: GIVEN_UP,
                version: 1,
                row: give_up,
            },
        ],
    },
];

const STOPPING: &[Migration] = &[
    Migration {
        schema: 2,
        name: "numbers are one more",
        walks: &[Walk {
            table: NUMBERS,
            version: 1,
            row: one_more_up_to_1700,
        }],
    },
    Migration {
        schema: 3,
        name: "nothing",
        walks: &[],
    },
];

/// Fills a store of schema 1 with numbers, each ten times its position.
fn fill(engine: &Engine) {
    let fill = |tx: &mut WriteTx<'_>| {
        tables::DESCRIPTION.put(tx, &(), &StoreDescription::complete(1))?;
        let mut rows = NewRows::default();
        for place in 0..COUNT {
            let key = place.to_be_bytes();
            rows.put(NUMBERS, &key, 1, &row_of(u64::from(place) * 10))
                .unwrap();
            rows.put(GIVEN_UP, &key, 1, &Value::Nil).unwrap();
        }
        for (key, row) in rows.into_changes() {
            tx.put(key, row.unwrap());
        }
        Ok::<_, StoreError>(())
    };
    engine.write_one(fill).unwrap();
}

fn all(tx: &impl Read, table: u8) -> Vec<OldRow> {
    let mut rows = Vec::new();
    let (from, to) = range_of(table, None);
    let visit = &mut |key: &[u8], row: &[u8]| {
        rows.push(OldRow::read(key, row).unwrap());
        ControlFlow::Continue(())
    };
    tx.scan(&from, &to, Direction::Forward, visit).unwrap();
    rows
}

/// Checks that each row went through each step once.
fn is_upgraded(tx: &impl Read) {
    let numbers = all(tx, NUMBERS);
    assert_eq!(numbers.len(), COUNT as usize);
    for (place, row) in (0..).zip(&numbers) {
        assert_eq!(number_in(row).unwrap(), place * 10 + 1);
    }
    let found = all(tx, BY_NUMBER);
    assert_eq!(found.len(), COUNT as usize);
    for (place, row) in (0u32..).zip(&found) {
        assert_eq!(row.key, (u64::from(place) * 10 + 1).to_be_bytes());
        assert_eq!(row.value, Value::Binary(place.to_be_bytes().to_vec()));
        assert_eq!(row.version, 2);
    }
    assert!(all(tx, GIVEN_UP).is_empty());
}

fn names_of(done: &Done<'_>) -> String {
    match done {
        Done::Copy(_) => "copy".to_string(),
        Done::CopyRemoved(_) => "copy removed".to_string(),
        Done::Step(step) => step.name.to_string(),
    }
}

#[test]
fn every_row_goes_through_every_step_once() {
    let engine = Engine::in_memory().unwrap();
    fill(&engine);
    let mut done = Vec::new();
    run(&engine, STEPS, "copy", &mut |one| done.push(names_of(&one))).unwrap();
    assert_eq!(done, ["numbers are one more", "numbers can be looked up"]);
    is_upgraded(&engine.read().unwrap());
    assert_eq!(
        read_description(&engine).unwrap(),
        StoreDescription::complete(3)
    );
    // Nothing is left to do.
    run(&engine, STEPS, "copy", &mut |_| panic!("done again")).unwrap();
    is_upgraded(&engine.read().unwrap());
}

#[test]
fn an_upgrade_that_stops_half_way_goes_on_where_it_stopped() {
    let engine = Engine::in_memory().unwrap();
    fill(&engine);
    let stopped = run(&engine, STOPPING, "copy", &mut |_| {}).unwrap_err();
    assert!(matches!(
        stopped,
        StoreError::Step { schema: 2, table, .. } if table == "table 200"
    ));
    let description = read_description(&engine).unwrap();
    let progress = description.upgrade.clone().unwrap();
    assert_eq!((description.schema, progress.walk), (2, 0));
    let last = [&[NUMBERS][..], &999u32.to_be_bytes()].concat();
    assert_eq!(progress.after.as_deref(), Some(&last[..]));
    let numbers = all(&engine.read().unwrap(), NUMBERS);
    assert_eq!(number_in(&numbers[999]).unwrap(), 9991);
    assert_eq!(number_in(&numbers[1000]).unwrap(), 10_000);
    // Neither the older nor the newer layby serves the store.
    let newer = StoreError::Newer {
        found: 2,
        written_by: description.written_by.clone(),
        supported: 1,
    };
    let refused = description.may_be_served(1).unwrap_err();
    assert_eq!(refused.to_string(), newer.to_string());
    for supported in [2, 3] {
        let refused = description.may_be_served(supported).unwrap_err();
        assert!(matches!(refused, StoreError::HalfMigrated { to: 2 }));
    }
    run(&engine, STEPS, "another copy", &mut |_| {}).unwrap();
    is_upgraded(&engine.read().unwrap());
}

#[test]
fn a_batch_ends_by_bytes_too() {
    let engine = Engine::in_memory().unwrap();
    let large = |tx: &mut WriteTx<'_>| {
        for place in 0..5u8 {
            tx.put(vec![NUMBERS, place], vec![1; BATCH_BYTES / 2]);
        }
        let (from, to) = range_of(NUMBERS, Some(&[NUMBERS, 1]));
        let (rows, is_last) = next_batch(tx, &from, &to)?;
        assert_eq!(rows[0].0, [NUMBERS, 2]);
        Ok::<_, StoreError>((rows.len(), is_last))
    };
    assert_eq!(engine.write_one(large).unwrap(), (2, false));
}

#[test]
fn between_two_steps_the_upgrade_is_under_way_too() {
    const NONE_OF_THEM: &[Migration] = &[
        Migration {
            schema: 2,
            name: "nothing",
            walks: &[],
        },
        Migration {
            schema: 3,
            name: "refuses every row",
            walks: &[Walk {
                table: NUMBERS,
                version: 1,
                row: |_, _| Err("refused".to_string()),
            }],
        },
    ];
    let engine = Engine::in_memory().unwrap();
    fill(&engine);
    let mut done = Vec::new();
    let say = &mut |one: Done<'_>| done.push(names_of(&one));
    run(&engine, NONE_OF_THEM, "copy", say).unwrap_err();
    assert_eq!(done, ["nothing"]);
    let description = read_description(&engine).unwrap();
    let progress = description.upgrade.unwrap();
    assert_eq!(
        (description.schema, progress.walk, progress.after),
        (3, 0, None)
    );
    assert_eq!(progress.copy, "copy");
}

/// Returns the error of running `step` on a store with numbers. Checks that no row changed.
fn refused(step: &'static Migration) -> String {
    let engine = Engine::in_memory().unwrap();
    fill(&engine);
    let why = run(&engine, std::slice::from_ref(step), "copy", &mut |_| {}).unwrap_err();
    assert_eq!(
        read_description(&engine).unwrap(),
        StoreDescription::complete(1)
    );
    let numbers = all(&engine.read().unwrap(), NUMBERS);
    assert_eq!(numbers.len(), COUNT as usize);
    assert!(numbers.iter().all(|row| row.version == 1));
    why.to_string()
}

#[test]
fn a_step_puts_no_other_row_into_the_table_that_it_walks() {
    const DOUBLED: Migration = Migration {
        schema: 2,
        name: "every number is there twice",
        walks: &[Walk {
            table: NUMBERS,
            version: 1,
            row: |old, new| {
                let twin = [&old.key[..], &[0]].concat();
                new.put(NUMBERS, &twin, 1, &old.value)
            },
        }],
    };
    let why = refused(&DOUBLED);
    assert!(
        why.ends_with("puts another row into the table that it walks"),
        "{why}"
    );
}

#[test]
fn a_step_writes_every_row_of_a_table_whose_version_it_raises() {
    const EVEN_ONLY: Migration = Migration {
        schema: 2,
        name: "even numbers get a new version",
        walks: &[Walk {
            table: NUMBERS,
            version: 2,
            row: |old, new| match old.key.last() {
                Some(last) if last % 2 == 0 => new.put(NUMBERS, &old.key, 2, &old.value),
                _ => Ok(()),
            },
        }],
    };
    const TOO_OLD: Migration = Migration {
        schema: 2,
        name: "numbers keep their version",
        walks: &[Walk {
            table: NUMBERS,
            version: 2,
            row: one_more,
        }],
    };
    for step in [&EVEN_ONLY, &TOO_OLD] {
        let why = refused(step);
        let expected = "it has version 1, and the rows of its table have version 2";
        assert!(why.ends_with(expected), "{why}");
    }
}
