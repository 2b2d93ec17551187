//! An extra whose first days are not covered must be able to pay: its waiting time is compared with
//! the terms it can be bought for.

use super::source::SourceLine;
use crate::domain::product::CompiledProduct;
use crate::domain::product::compiled::Rule;
use crate::domain::product::condition::{Condition, Scalar, Test};
use crate::domain::product::fields::Dataset;

/// Days of a year's cover.
const YEAR: i64 = 365;

/// Reports every extra that waits as long as the whole term, and every one that is offered with a
/// single trip, which may be as short as a day.
pub(super) fn check(compiled: &CompiledProduct, datasets: &[Dataset], root: SourceLine) {
    let single = compiled.term.single.as_ref();
    let datasets = compiled.datasets.iter().zip(datasets);
    for ((dataset, asked), place) in datasets.zip(root.items("dataset")) {
        let fields = dataset.fields.iter().zip(&asked.fields);
        for ((field, asked), place) in fields.zip(place.items("field")) {
            let Some(days) = asked.waiting_days else {
                continue;
            };
            let (place, name) = (place.key("waiting_days"), &field.name);
            if days >= YEAR {
                place.report(format!(
                    "`waiting_days` of `{name}` is not less than the {YEAR} days of a year's cover, \
                     so that it could never pay"
                ));
            }
            let conditions = [&dataset.visible_when, &field.visible_when];
            let mut conditions = conditions.into_iter().flatten();
            if single.is_some_and(|single| !conditions.any(|rule| excludes(rule, &single.when))) {
                place.report(format!(
                    "`waiting_days` of `{name}`: a single trip may be shorter, so that it could \
                     never pay; its `visible_when` must be `{{ not = ... }}` of `when` in \
                     `[term.single]`"
                ));
            }
        }
    }
}

/// Whether `rule` never holds while `other` does.
fn excludes(rule: &Rule, other: &Rule) -> bool {
    match (rule, other) {
        (Condition::Not(inner), _) => **inner == *other,
        (Condition::All(parts), _) => parts.iter().any(|part| excludes(part, other)),
        (Condition::Any(parts), _) => {
            !parts.is_empty() && parts.iter().all(|part| excludes(part, other))
        }
        (Condition::Field(field, test), Condition::Field(same, passed)) if field == same => {
            match test {
                Test::Is(answer) => !passed.passes(answer.scalar()),
                Test::In(answers) => !answers.iter().any(|answer| passed.passes(answer.scalar())),
                Test::Set(false) => !passed.passes(Scalar::Missing),
                Test::Set(true) | Test::AtLeast(_) | Test::AtMost(_) => false,
            }
        }
        (Condition::Field(..), _) => false,
    }
}
