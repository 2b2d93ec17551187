//! Checks the waiting times of extras. An extra covers nothing during its waiting time. The waiting
//! time must be shorter than each term that the extra is sold for.

use super::source::SourceLine;
use crate::domain::product::CompiledProduct;
use crate::domain::product::compiled::Rule;
use crate::domain::product::condition::{Condition, Scalar, Test};
use crate::domain::product::fields::Dataset;

/// Days of a year of cover.
const YEAR: i64 = 365;

/// Reports each extra whose waiting time is a year or longer. Also reports each extra with a
/// waiting time that single trips may have, because a trip may last one day.
pub(super) fn check(compiled: &CompiledProduct, datasets: &[Dataset], root: SourceLine) {
    let single = compiled.term.single.as_ref();
    let datasets = compiled.datasets.iter().zip(datasets);
    for ((dataset, published_dataset), place) in datasets.zip(root.items("dataset")) {
        let fields = dataset.fields.iter().zip(&published_dataset.fields);
        for ((field, published), place) in fields.zip(place.items("field")) {
            let Some(days) = published.waiting_days else {
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

/// Returns whether `rule` certainly never holds while `other` holds. Returns false if the
/// conditions can't be compared.
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
