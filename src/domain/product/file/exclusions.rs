//! Checks `[[gap]]`: the exclusions of a cover.

use std::collections::HashSet;

use crate::domain::product::compiled::Rule;
use crate::domain::product::condition::{Condition, Scalar};
use crate::domain::product::exclusions::{CoverExclusion, ExclusionFix};
use crate::domain::product::file::rules::Rules;
use crate::domain::product::file::source::SourceLine;
use crate::domain::product::texts::Texts;

/// Returns the condition of each exclusion; `None` is always.
pub(super) fn compile(
    rules: Rules,
    gaps: &[CoverExclusion],
    texts: &Texts,
    root: SourceLine,
) -> Vec<Option<Rule>> {
    let mut ids = HashSet::new();
    let mut compiled = Vec::new();
    for (gap, place) in gaps.iter().zip(root.items("gap")) {
        let id = &gap.id;
        if !ids.insert(id) {
            place.key("id").report(format!("there are two gaps `{id}`"));
        }
        let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
        if !id.bytes().all(is_plain) {
            place.report_key("id", "is a word of small letters, digits and underscores");
        }
        let section = &gap.section;
        let is_there = texts.wording.iter().any(|part| part.title == *section);
        if !is_there && !texts.wording.is_empty() {
            place.report(format!("the wording has no section \"{section}\""));
        }
        for (cure, place) in gap.cures.iter().zip(place.items("cure")) {
            check_cure(rules, cure, gap.when.as_ref(), place);
        }
        compiled.push(rules.compile_condition(gap.when.as_ref(), place, None));
    }
    compiled
}

/// Checks a fix of an exclusion. The fix must remove the exclusion; otherwise it would sell dearer cover
/// without a benefit.
fn check_cure(rules: Rules, cure: &ExclusionFix, open_when: Option<&Condition>, place: SourceLine) {
    rules.compile_condition(cure.when.as_ref(), place, None);
    let answers_key = place.key("answers");
    rules.names.check_answers(answers_key, &cure.answers);
    if cure.answers.is_empty() {
        answers_key.report("`answers` needs at least one answer");
    }
    if cure.answers.keys().any(|name| name.contains('.')) {
        answers_key.report("`answers` names fields that don't repeat, without a dot");
    }
    let answer = |name: &String| {
        let answer = cure.answers.get(name);
        answer.map_or(Scalar::Missing, Scalar::from_json)
    };
    if open_when.is_none_or(|open| open.holds(&answer)) {
        place.report("the gap is still there with the `answers` of its `cure`");
    }
}
