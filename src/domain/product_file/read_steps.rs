//! Reads `[stepper]`: which datasets each step shows.

use indexmap::IndexMap;

use super::names::{NameScope, Names};
use super::reader::{FileReader, Section};
use crate::domain::condition::Literal;
use crate::domain::product::fields::Dataset;
use crate::domain::product::stepper::{ActivatedBy, ActivatedSteps, Step, StepGroup, StepperData};

/// Step of the generic stepper's numbers (specification, part 2).
const GENERIC_INCREMENT: u32 = 10;

/// What is needed to read steps.
pub(super) struct Steps<'a> {
    pub(super) names: &'a Names<'a>,
    pub(super) source: &'a FileReader<'a>,
    pub(super) datasets: &'a [Dataset],
    pub(super) generic: bool,
}

impl Steps<'_> {
    pub(super) fn read(&self, section: Option<Section>) -> StepperData {
        let Some(section) = section else {
            return StepperData {
                title: String::new(),
                default: String::new(),
                product_steps: IndexMap::new(),
                activated_by: ActivatedBy::default(),
            };
        };
        let product_steps = self.groups(section.need_section("steps"));
        let default = section.need_text("default");
        match product_steps.get(&default) {
            None => section.report_at("default", format!("there are no steps `{default}`")),
            Some(group) => self.all_reached(group, section.line, true),
        }
        let activated_by = section
            .section("activated_by")
            .map(|inner| self.activated(inner, &default));
        let data = StepperData {
            title: section.need_text("title"),
            default,
            product_steps,
            activated_by: activated_by.unwrap_or_default(),
        };
        section.done();
        data
    }

    fn activated(&self, section: Section, context: &str) -> ActivatedBy {
        let field = section.need_text("field");
        let field_ref = self.names.resolve(&field, NameScope::default());
        if let Err(text) = &field_ref {
            section.report_at("field", text);
        }
        let mut values = IndexMap::new();
        let entries = section.section("values").map(|inner| inner.entries());
        for (value, node) in entries.into_iter().flatten() {
            let fits = field_ref.as_ref().ok().map(|field_ref| {
                let number = value.parse().ok().map(Literal::Number);
                let literals = [number, Some(Literal::Text(value.clone()))];
                literals
                    .into_iter()
                    .flatten()
                    .any(|l| self.names.check_value(*field_ref, &l).is_ok())
            });
            if fits == Some(false) {
                self.source
                    .report(node.line, format!("{value} is no option of `{field}`"));
            }
            if let Some(inner) = node.section("steps for a value") {
                let steps = ActivatedSteps {
                    title: inner.need_text("title"),
                    product_steps: self.groups(inner.need_section("steps")),
                };
                let group = steps.product_steps.get(context);
                if let Some(group) = group.or_else(|| steps.product_steps.values().next()) {
                    self.all_reached(group, node.line, false);
                }
                inner.done();
                values.insert(value, steps);
            }
        }
        section.done();
        ActivatedBy {
            field: Some(field),
            values,
        }
    }

    fn groups(&self, section: Option<Section>) -> IndexMap<String, StepGroup> {
        let entries = section.map(|section| section.entries());
        let group = |(context, node): (String, super::reader::Node)| {
            let section = node.section(&format!("`{context}`"))?;
            let group = StepGroup {
                title: section.text("title"),
                steps: self.steps(&section),
            };
            section.done();
            Some((context, group))
        };
        entries.into_iter().flatten().filter_map(group).collect()
    }

    fn steps(&self, group: &Section) -> Vec<Step> {
        let increment = if self.generic { GENERIC_INCREMENT } else { 1 };
        let mut due = increment;
        let mut steps = Vec::new();
        for section in group.sections("step") {
            let number = u32::try_from(section.need_count("number")).unwrap_or(0);
            if number != due {
                section.report_at(
                    "number",
                    format!("step {number} is out of order; this one must be {due}"),
                );
            }
            due += increment;
            let datasets = section.texts("datasets");
            for name in &datasets {
                if let Err(text) = self.names.dataset(name) {
                    section.report_at("datasets", text);
                }
            }
            let skip = section.texts("skip");
            for name in &skip {
                if let Err(text) = self.names.resolve(name, NameScope::default()) {
                    section.report_at("skip", text);
                }
            }
            steps.push(Step {
                number,
                title: section.need_text("title"),
                icon: section.need_text("icon"),
                datasets,
                skip,
            });
            section.done();
        }
        if steps.is_empty() {
            group.report("a stepper needs at least one `step`");
        }
        steps
    }

    /// Every dataset has its step. Steps that an answer brings in may leave out what that
    /// answer hides, so only what always shows must be there.
    fn all_reached(&self, group: &StepGroup, line: usize, whole: bool) {
        for dataset in self.datasets {
            let name = &dataset.identifier;
            let times = group.steps.iter().flat_map(|step| &step.datasets);
            match times.filter(|shown| *shown == name).count() {
                0 if !whole && dataset.visible_when.is_some() => {}
                0 => self
                    .source
                    .report(line, format!("no step shows dataset `{name}`")),
                1 => {}
                _ => self
                    .source
                    .report(line, format!("two steps show dataset `{name}`")),
            }
        }
    }
}
