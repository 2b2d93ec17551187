//! An extra whose first days are not covered must be able to pay: its waiting time is compared with
//! the terms it can be bought for.

use super::read_form::{RawDataset, RawField};
use super::reader::FileReader;
use crate::domain::condition::{Condition, Scalar, Test};
use crate::domain::product::CompiledProduct;
use crate::domain::product::compiled::{CompiledField, Rule};

/// Days of a year's cover.
const YEAR: i64 = 365;

/// Reports every extra that waits as long as the whole term, and every one that is offered with a
/// single trip, which may be as short as a day.
pub(super) fn check(compiled: &CompiledProduct, raw: &[RawDataset], source: &FileReader) {
    let single = compiled.term.single.as_ref();
    for (dataset, raw) in compiled.datasets.iter().zip(raw) {
        for (field, raw) in dataset.fields.iter().zip(&raw.fields) {
            year(field, raw, source);
            let shown = [&dataset.visible_when, &field.visible_when];
            if let (Some(waiting), Some(single)) = (&raw.waiting, single) {
                let mut shown = shown.into_iter().flatten();
                if !shown.any(|rule| excludes(rule, &single.when)) {
                    source.report(
                        waiting.line,
                        format!(
                            "`waiting_days` of `{}`: a single trip may be shorter, so that it could \
                             never pay; its `visible_when` must be `{{ not = ... }}` of `when` in \
                             `[term.single]`",
                            field.name
                        ),
                    );
                }
            }
        }
    }
}

fn year(field: &CompiledField, raw: &RawField, source: &FileReader) {
    if let Some(waiting) = raw.waiting.as_ref().filter(|waiting| waiting.days >= YEAR) {
        source.report(
            waiting.line,
            format!(
                "`waiting_days` of `{}` is not less than the {YEAR} days of a year's cover, so that \
                 it could never pay",
                field.name
            ),
        );
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
