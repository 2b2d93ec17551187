//! Renewals: their status, the notice that each renewal includes, and the effect of policy changes
//! on their answers.

mod status;

pub use status::{CardCharge, QuotedRenewal, RenewalEvent, RenewalStatus, apply};

use crate::domain::quote::answers::Answers;

/// The notice that every renewal includes (ICOBS 6.5.1).
pub const COMPARE: &str = "Please check that this cover still suits you. You may be able to get the \
    cover you want at a better price if you shop around.";

/// Returns the answers of a renewal after its policy's answers changed from `before` to `after`. A
/// changed answer replaces or removes the renewal's answer. A changed repeatable dataset replaces
/// the renewal's whole dataset. All other answers of the renewal stay, also those that the customer
/// changed in the renewal.
#[must_use]
pub fn merge_changes(before: &Answers, after: &Answers, mut renewal: Answers) -> Answers {
    for name in before.values.keys().chain(after.values.keys()) {
        let now = after.values.get(name);
        if before.values.get(name) == now {
            continue;
        }
        match now {
            Some(value) => renewal.values.insert(name.clone(), value.clone()),
            None => renewal.values.remove(name),
        };
    }
    for name in before.multi.keys().chain(after.multi.keys()) {
        let now = after.rows(name);
        if before.rows(name) != now {
            renewal.multi.insert(name.clone(), now.to_vec());
        }
    }
    renewal
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn answers(values: serde_json::Value, rows: serde_json::Value) -> Answers {
        serde_json::from_value(json!({ "values": values, "multi": { "things": rows } })).unwrap()
    }

    #[test]
    fn what_changed_on_the_policy_changes_on_the_renewal_and_nothing_else() {
        let before = answers(
            json!({ "level": 3, "excess": 2, "note": "x" }),
            json!([{ "a": 1 }]),
        );
        let chosen = answers(
            json!({ "level": 5, "excess": 2, "note": "x" }),
            json!([{ "a": 1 }, { "a": 2 }]),
        );
        let after = answers(
            json!({ "level": 3, "excess": 1, "new": true }),
            json!([{ "a": 1 }]),
        );
        let carried = merge_changes(&before, &after, chosen.clone());
        let expected = answers(
            json!({ "level": 5, "excess": 1, "new": true }),
            json!([{ "a": 1 }, { "a": 2 }]),
        );
        assert_eq!(carried, expected);
        let after = answers(after.values.into(), json!([{ "a": 3 }]));
        let carried = merge_changes(&before, &after, chosen);
        assert_eq!(carried.rows("things"), after.rows("things"));
    }
}
