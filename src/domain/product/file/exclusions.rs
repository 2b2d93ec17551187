//! Checks `[[exclusion]]`: the exclusions of a cover.

use std::collections::HashSet;

use crate::domain::product::compiled::Rule;
use crate::domain::product::condition::{Condition, Scalar};
use crate::domain::product::exclusions::{CoverExclusion, ExclusionFix};
use crate::domain::product::file::rules::Rules;
use crate::domain::product::file::source::SourceLine;
use crate::domain::product::texts::Texts;

/// Returns the condition of each exclusion. `None` means that the exclusion always applies, or that
/// its condition is wrong and reported.
pub(super) fn compile(
    rules: Rules,
    exclusions: &[CoverExclusion],
    texts: &Texts,
    root: SourceLine,
) -> Vec<Option<Rule>> {
    let mut ids = HashSet::new();
    let mut compiled = Vec::new();
    for (exclusion, place) in exclusions.iter().zip(root.items("exclusion")) {
        let id = &exclusion.id;
        if !ids.insert(id) {
            place
                .key("id")
                .report(format!("there are two exclusions `{id}`"));
        }
        let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
        if !id.bytes().all(is_plain) {
            place.report_key("id", "is a word of small letters, digits and underscores");
        }
        let section = &exclusion.section;
        let is_there = texts.wording.iter().any(|part| part.title == *section);
        if !is_there && !texts.wording.is_empty() {
            place.report(format!("the wording has no section \"{section}\""));
        }
        for (fix, place) in exclusion.fixes.iter().zip(place.items("fix")) {
            check_fix(rules, fix, exclusion.when.as_ref(), place);
        }
        compiled.push(rules.compile_condition(exclusion.when.as_ref(), place, None));
    }
    compiled
}

/// Checks a fix of an exclusion. The answers of the fix must remove the exclusion. Without this
/// check, the website could offer a change that does not remove the exclusion.
fn check_fix(rules: Rules, fix: &ExclusionFix, open_when: Option<&Condition>, place: SourceLine) {
    rules.compile_condition(fix.when.as_ref(), place, None);
    let answers_key = place.key("answers");
    rules.names.check_answers(answers_key, &fix.answers);
    if fix.answers.is_empty() {
        answers_key.report("`answers` needs at least one answer");
    }
    if fix.answers.keys().any(|name| name.contains('.')) {
        answers_key.report("`answers` names fields that don't repeat, without a dot");
    }
    let answer = |name: &String| {
        let answer = fix.answers.get(name);
        answer.map_or(Scalar::Missing, Scalar::from_json)
    };
    if open_when.is_none_or(|open| open.holds(&answer)) {
        place.report("the exclusion is still there with the `answers` of its `fix`");
    }
}
