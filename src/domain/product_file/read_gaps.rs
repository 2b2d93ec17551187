//! Reads `[[gap]]`: what the cover would not do.

use std::collections::HashSet;

use super::read_info;
use super::read_rules::Rules;
use super::reader::{FileReader, Section};
use crate::domain::condition::{Condition, Scalar};
use crate::domain::product::compiled::Rule;
use crate::domain::product::gaps::{Cure, Gap};
use crate::domain::product::texts::Texts;

/// The gaps of a file.
#[derive(Default)]
pub(super) struct Gaps {
    /// As they are published.
    pub(super) published: Vec<Gap>,
    /// When each is there, in the same order.
    pub(super) rules: Vec<Option<Rule>>,
    /// The line of each, in the same order.
    lines: Vec<usize>,
}

/// What is needed to read them.
pub(super) struct Reader<'a> {
    pub(super) rules: Rules<'a>,
    pub(super) info: read_info::Reader<'a>,
}

impl Reader<'_> {
    pub(super) fn read(&self, root: &Section) -> Gaps {
        let mut gaps = Gaps::default();
        let mut ids = HashSet::new();
        for section in root.sections("gap") {
            gaps.lines.push(section.line);
            gaps.rules.push(self.rules.when(&section, "when", None));
            let gap = self.gap(&section);
            if !ids.insert(gap.id.clone()) {
                section.report_at("id", format!("there are two gaps `{}`", gap.id));
            }
            gaps.published.push(gap);
            section.done();
        }
        gaps
    }

    fn gap(&self, section: &Section) -> Gap {
        let id = section.need_text("id");
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
        if !id.bytes().all(plain) {
            section.report_at(
                "id",
                "`id` is a word of small letters, digits and underscores",
            );
        }
        let when = section.condition("when").map(|(condition, _)| condition);
        let cures = section.sections("cure").into_iter();
        let cures = cures.map(|cure| self.cure(cure, when.as_ref())).collect();
        Gap {
            id,
            title: section.need_text("title"),
            text: section.need_text("text"),
            instead: section.need_text("instead"),
            section: section.need_text("section"),
            when,
            cures,
        }
    }

    /// A cure that left its gap open would sell a dearer cover for nothing.
    fn cure(&self, section: Section, open_when: Option<&Condition>) -> Cure {
        self.rules.when(&section, "when", None);
        let answers = section.need_section("answers");
        let cure = Cure {
            when: section.condition("when").map(|(condition, _)| condition),
            answers: answers.map_or_else(Default::default, |inner| self.info.answers(&inner)),
            button: section.need_text("button"),
            text: section.need_text("text"),
        };
        if cure.answers.is_empty() && section.has("answers") {
            section.report_at("answers", "`answers` needs at least one answer");
        }
        if cure.answers.keys().any(|name| name.contains('.')) {
            let text = "`answers` names fields that don't repeat, without a dot";
            section.report_at("answers", text);
        }
        let answer = |name: &String| {
            let answer = cure.answers.get(name);
            answer.map_or(Scalar::Missing, Scalar::of)
        };
        let stays_open = open_when.is_none_or(|open| open.holds(&answer));
        if stays_open && section.has("answers") {
            section.report("the gap is still there with the `answers` of its `cure`");
        }
        section.done();
        cure
    }
}

impl Gaps {
    /// Reports a section of the wording that isn't there, once the wording was read.
    pub(super) fn check_sections(&self, source: &FileReader, texts: &Texts) {
        for (gap, line) in self.published.iter().zip(&self.lines) {
            let section = &gap.section;
            let found = texts.wording.iter().any(|known| known.title == *section);
            if !found && !section.is_empty() && !texts.wording.is_empty() {
                source.report(*line, format!("the wording has no section \"{section}\""));
            }
        }
    }
}
