//! Product files with random slips: each is parsed, or refused with its mistakes.

use layby::domain::product::form::{Scope, check, describe, state};
use layby::domain::product::rating::price;
use layby::domain::quote::answers::Answers;
use layby::domain::quote::campaign::Campaign;
use layby::products::builtin;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::{today, try_parse};
use crate::support::generated::cases;

/// An edit of a file.
#[derive(Clone, Debug)]
enum Slip {
    Drop(Index),
    Double(Index),
    Swap(Index, Index),
    Value(Index, &'static str),
    Cut(Index),
    Bytes(Index, String),
}

const VALUES: [&str; 16] = [
    "0",
    "-1",
    "1e308",
    "nan",
    "9223372036854775807",
    "4294967296",
    "0.001",
    "\"\"",
    "\"\\u0000\"",
    "true",
    "[]",
    "[[]]",
    "{}",
    "2026-02-28",
    "\"{vehicles}\"",
    "\"2 > 1 and (\"",
];

fn slip() -> impl Strategy<Value = Slip> {
    prop_oneof![
        1 => any::<Index>().prop_map(Slip::Drop),
        1 => any::<Index>().prop_map(Slip::Double),
        1 => any::<(Index, Index)>().prop_map(|(one, other)| Slip::Swap(one, other)),
        4 => (any::<Index>(), select(&VALUES)).prop_map(|(at, value)| Slip::Value(at, value)),
        1 => any::<Index>().prop_map(Slip::Cut),
        1 => (any::<Index>(), any::<String>()).prop_map(|(at, text)| Slip::Bytes(at, text)),
    ]
}

fn happen(text: &mut String, slip: &Slip) {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    if lines.is_empty() {
        return;
    }
    let count = lines.len();
    match slip {
        Slip::Drop(at) => {
            lines.remove(at.index(count));
        }
        Slip::Double(at) => {
            let at = at.index(count);
            lines.insert(at, lines[at].clone());
        }
        Slip::Swap(one, other) => lines.swap(one.index(count), other.index(count)),
        Slip::Value(at, value) => {
            let set: Vec<_> = (0..count)
                .filter(|&line| lines[line].contains(" = "))
                .collect();
            if let Some(line) = (!set.is_empty()).then(|| *at.get(&set)) {
                let key = lines[line].split(" = ").next().unwrap_or_default();
                lines[line] = format!("{key} = {value}");
            }
        }
        Slip::Cut(at) => lines.truncate(at.index(count)),
        Slip::Bytes(at, more) => lines[at.index(count)].push_str(more),
    }
    *text = lines.join("\n");
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn a_file_with_slips_is_read_or_refused_with_its_mistakes(
        which in any::<Index>(),
        slips in prop::collection::vec(slip(), 1..4),
    ) {
        let (file, whole) = which.get(builtin());
        let mut text = (*whole).to_string();
        slips.iter().for_each(|one| happen(&mut text, one));
        match try_parse(file, &text) {
            Ok(product) => {
                // A valid product can be answered and priced.
                let given = Answers::default();
                check(&product, &given, Scope::Rate, today());
                describe(&product, &given, Scope::Step(1), today());
                state(&product, &given).unwrap();
                let _ = price(&product, &given, today(), &Campaign::default());
            }
            Err(mistakes) => {
                prop_assert!(!mistakes.is_empty());
                for mistake in mistakes {
                    let said = mistake.to_string();
                    prop_assert!(said.contains(file) || said.contains(".toml"), "{}", said);
                }
            }
        }
    }
}
