//! Damaged rows: each is read or refused, and never ends the program.

use std::sync::LazyLock;

use layby::store::AnyTable;
use proptest::prelude::*;
use proptest::sample::Index;

use super::golden::Stored;
use super::golden_rows;
use crate::support::generated::cases;

/// A row of every kind, with its table.
static ROWS: LazyLock<Vec<(&'static dyn AnyTable, Stored)>> = LazyLock::new(|| {
    let runtime = tokio::runtime::Builder::new_current_thread();
    let golden = { runtime }
        .enable_all()
        .build()
        .unwrap()
        .block_on(golden_rows());
    let rows = golden.into_iter().flat_map(|one| {
        let table = one.table;
        one.stored.into_iter().map(move |stored| (table, stored))
    });
    rows.collect()
});

/// A kind of damage to a row's bytes.
#[derive(Clone, Debug)]
enum Damage {
    Byte(Index, u8),
    Cut(Index),
    More(Index, Vec<u8>),
    Gone(Index),
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        4 => (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Damage::Byte(at, byte)),
        1 => any::<Index>().prop_map(Damage::Cut),
        1 => (any::<Index>(), prop::collection::vec(any::<u8>(), 1..9))
            .prop_map(|(at, bytes)| Damage::More(at, bytes)),
        1 => any::<Index>().prop_map(Damage::Gone),
    ]
}

fn happen(bytes: &mut Vec<u8>, damage: &Damage) {
    let length = bytes.len();
    if length == 0 {
        return;
    }
    match damage {
        Damage::Byte(at, byte) => bytes[at.index(length)] = *byte,
        Damage::Cut(at) => bytes.truncate(at.index(length)),
        Damage::More(at, more) => {
            let at = at.index(length);
            bytes.splice(at..at, more.iter().copied());
        }
        Damage::Gone(at) => {
            bytes.remove(at.index(length));
        }
    }
}

proptest! {
    #![proptest_config(cases(4_000))]

    #[test]
    fn a_damaged_row_is_read_or_refused(
        which in any::<Index>(),
        to_key in prop::collection::vec(damage(), 0..2),
        to_value in prop::collection::vec(damage(), 1..5),
    ) {
        let (table, (key, value)) = which.get(&ROWS);
        // A key begins with its table's number, so the number selects the table.
        let mut key = key[1..].to_vec();
        let mut value = value.clone();
        to_key.iter().for_each(|one| happen(&mut key, one));
        to_value.iter().for_each(|one| happen(&mut value, one));
        let whole = table.check(&key, &value);
        // A readable row can be written, and is the same when read again.
        if let Ok(again) = table.written_again(&value) {
            let twice = table.written_again(&again);
            prop_assert_eq!(twice.unwrap(), again);
        } else {
            prop_assert!(whole.is_err());
        }
    }
}
