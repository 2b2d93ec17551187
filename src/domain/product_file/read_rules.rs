//! Reads terms, underwriting, instalments and texts.

use super::names::{NameScope, Names};
use super::reader::{FileReader, Section};
use crate::domain::money::Pence;
use crate::domain::product::compiled::{FieldRef, Rule};
use crate::domain::product::info::{Need, SummaryRule};
use crate::domain::product::rules::{
    CompiledLine, InstalmentTerms, Piece, SingleTripFields, TermFields, Terms, TextTemplate,
    UnderwritingRule,
};

/// What is needed to read rules.
#[derive(Clone, Copy)]
pub(super) struct Rules<'a> {
    pub(super) names: &'a Names<'a>,
    pub(super) source: &'a FileReader<'a>,
}

impl Rules<'_> {
    /// A condition under `key`; `None` when absent, and when wrong, after
    /// reporting it.
    pub(super) fn when(
        &self,
        section: &Section,
        key: &'static str,
        own: Option<usize>,
    ) -> Option<Rule> {
        let (condition, line) = section.condition(key)?;
        self.names.rule(
            self.source,
            &condition,
            line,
            NameScope { own, before: None },
        )
    }

    /// The repeatable dataset under `key`.
    pub(super) fn repeatable(&self, section: &Section, key: &'static str) -> Option<usize> {
        let name = section.text(key)?;
        let found = self.names.repeatable(&name);
        found.map_err(|text| section.report_at(key, text)).ok()
    }

    fn date(&self, section: &Section, key: &'static str, own: Option<usize>) -> Option<FieldRef> {
        let name = section.need_text(key);
        if name.is_empty() {
            return None;
        }
        let found = self.names.date(&name, NameScope { own, before: None });
        found.map_err(|text| section.report_at(key, text)).ok()
    }

    pub(super) fn terms(&self, section: Option<Section>) -> Terms {
        let Some(section) = section else {
            return Terms::default();
        };
        let terms = Terms {
            quote_valid_days: section.need_count("quote_valid_days"),
            cooling_off_days: section.need_count("cooling_off_days"),
            cancellation_fee: Pence(section.decimal("cancellation_fee", 2).unwrap_or(0)),
            renewal_lead_days: section.need_count("renewal_lead_days"),
            cover_delay_hours: section.need_count("cover_delay_hours"),
            single_trip_max_days: section.whole("single_trip_max_days").unwrap_or(0),
        };
        if terms.cancellation_fee < Pence::ZERO {
            section.report_at("cancellation_fee", "`cancellation_fee` can't be negative");
        }
        if terms.cover_delay_hours >= 365 * 24 {
            section.report_at(
                "cover_delay_hours",
                "`cover_delay_hours` is not less than a year's cover, which would never begin",
            );
        }
        section.done();
        terms
    }

    pub(super) fn term(&self, section: Option<Section>, terms: &Terms) -> Option<TermFields> {
        let section = section?;
        let start = self.date(&section, "start", None);
        let single = section.section("single").and_then(|inner| {
            let dataset = self.repeatable(&inner, "dataset");
            let when = self.when(&inner, "when", None);
            let start = self.date(&inner, "start", dataset);
            let end = self.date(&inner, "end", dataset);
            if !inner.has("when") || !inner.has("dataset") {
                inner.report("single trips need `when` and `dataset`");
            }
            if terms.single_trip_max_days < 1 {
                inner.report("single trips need `single_trip_max_days` in `[terms]`");
            }
            for field_ref in [start, end].into_iter().flatten() {
                if self.names.repeats(field_ref) != dataset {
                    inner.report("`start` and `end` must be fields of `dataset`");
                }
            }
            inner.done();
            Some(SingleTripFields {
                when: when?,
                dataset: dataset?,
                start: start?,
                end: end?,
            })
        });
        if start.is_some_and(|field_ref| self.names.repeats(field_ref).is_some()) {
            section.report_at("start", "`start` can't be a field of a repeatable dataset");
        }
        section.done();
        Some(TermFields {
            start: start?,
            single,
        })
    }

    pub(super) fn underwriting(&self, root: &Section) -> Vec<UnderwritingRule> {
        let rule = |section: Section| {
            let each = self.repeatable(&section, "each");
            let when = self.when(&section, "when", each);
            let older_than = section.section("older_than").and_then(|inner| {
                let field = self.date(&inner, "field", each);
                let years = inner.whole("years").unwrap_or(0);
                let months = inner.whole("months").unwrap_or(0) + years * 12;
                if !(1..=2400).contains(&months) {
                    inner.report("`older_than` needs `years` or `months`");
                }
                if field.is_some_and(|f| self.names.repeats(f).is_some_and(|d| Some(d) != each)) {
                    inner.report("`each` must name the dataset of this field");
                }
                inner.done();
                Some((field?, i32::try_from(months).ok()?))
            });
            if !section.has("when") && !section.has("older_than") {
                section.report("an underwriting rule needs `when` or `older_than`");
            }
            let outcome = section.need_text("outcome");
            if !matches!(outcome.as_str(), "refer" | "decline") {
                section.report_at("outcome", "`outcome` is `refer` or `decline`");
            }
            let rule = UnderwritingRule {
                refer: outcome == "refer",
                reason: section.need_text("reason"),
                new_business_only: section.flag("new_business_only", false),
                each,
                when,
                older_than,
            };
            section.done();
            rule
        };
        root.sections("underwriting")
            .into_iter()
            .map(rule)
            .collect()
    }

    pub(super) fn monthly(&self, section: Option<Section>) -> Option<InstalmentTerms> {
        let section = section?;
        let charge = section.node("flat_rate_percent");
        let charge = charge.filter(|node| node.decimal("`flat_rate_percent`", 2) != Some(0));
        let compiled = InstalmentTerms {
            instalments: section.need_count("instalments"),
            deposit: section.decimal("deposit_percent", 2).unwrap_or(0),
            charge_line: charge.map(|node| node.line),
            minimum: Pence(section.decimal("minimum", 2).unwrap_or(0)),
        };
        if !(1..=60).contains(&compiled.instalments) {
            section.report_at("instalments", "`instalments` is a number from 1 to 60");
        }
        if !(0..10_000).contains(&compiled.deposit) {
            section.report_at(
                "deposit_percent",
                "`deposit_percent` is at least 0 and below 100",
            );
        }
        section.done();
        Some(compiled)
    }

    /// What an affiliate's list counts; the largest decides.
    pub(super) fn affiliates(&self, section: Section) -> Vec<(usize, usize)> {
        let mut entries = Vec::new();
        for entry in section.sections("entries") {
            let name = entry.need_text("count");
            let more = entry.whole("more").unwrap_or(0);
            match self.names.resolve(&name, NameScope::default()) {
                Ok(FieldRef::Count(dataset)) => {
                    entries.push((dataset, usize::try_from(more).unwrap_or(0)));
                }
                _ => entry.report_at("count", format!("`{name}` is no `count_field`")),
            }
            entry.done();
        }
        section.done();
        entries
    }

    pub(super) fn summary(&self, root: &Section) -> Vec<(SummaryRule, CompiledLine)> {
        let line = |section: Section| {
            let published = SummaryRule {
                code: section.need_text("code"),
                text: section.need_text("text"),
                upper: section.flag("upper", false),
                when: section.condition("when").map(|(condition, _)| condition),
            };
            let compiled = CompiledLine {
                code: published.code.clone(),
                text: self.template(&section, "text", None),
                upper: published.upper,
                when: self.when(&section, "when", None),
            };
            section.done();
            (published, compiled)
        };
        root.sections("summary").into_iter().map(line).collect()
    }

    pub(super) fn needs(&self, root: &Section) -> Vec<(Need, CompiledLine)> {
        let line = |section: Section| {
            let published = Need {
                text: section.need_text("text"),
                when: section.condition("when").map(|(condition, _)| condition),
            };
            let compiled = CompiledLine {
                code: "need".into(),
                text: self.template(&section, "text", None),
                upper: false,
                when: self.when(&section, "when", None),
            };
            section.done();
            (published, compiled)
        };
        root.sections("need").into_iter().map(line).collect()
    }

    /// Splits the text under `key` at its `{field}` and `{dataset.field}`.
    pub(super) fn template(
        &self,
        section: &Section,
        key: &'static str,
        own: Option<usize>,
    ) -> TextTemplate {
        let text = section.text(key).unwrap_or_default();
        let mut pieces = Vec::new();
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            if !before.is_empty() {
                pieces.push(Piece::Text(before.to_owned()));
            }
            let Some((name, after)) = after.split_once('}') else {
                section.report_at(key, format!("a `{{` without its `}}` in \"{text}\""));
                return TextTemplate { pieces };
            };
            match self.names.resolve(name, NameScope { own, before: None }) {
                Ok(field_ref) => pieces.push(Piece::Answer(field_ref)),
                Err(text) => section.report_at(key, text),
            }
            rest = after;
        }
        if !rest.is_empty() {
            pieces.push(Piece::Text(rest.to_owned()));
        }
        TextTemplate { pieces }
    }
}
