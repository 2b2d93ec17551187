//! Checks `[stepper]`: which datasets each step shows.

use indexmap::IndexMap;

use super::names::{NameScope, Names};
use super::source::SourceLine;
use crate::domain::product::condition::Literal;
use crate::domain::product::fields::Dataset;
use crate::domain::product::stepper::{StepGroup, StepperData, StepperKind};

/// Increment of the generic stepper's numbers (specification, part 2).
const GENERIC_INCREMENT: u32 = 10;

/// The context to check steps.
pub(super) struct Steps<'a> {
    pub(super) names: &'a Names<'a>,
    pub(super) datasets: &'a [Dataset],
    pub(super) kind: StepperKind,
}

impl Steps<'_> {
    pub(super) fn check(&self, stepper: &StepperData, place: SourceLine) {
        self.check_groups(&stepper.product_steps, place.key("steps"));
        let default = &stepper.default;
        match stepper.product_steps.get(default) {
            None => place
                .key("default")
                .report(format!("there are no steps `{default}`")),
            Some(group) => self.check_reached(group, place, true),
        }
        self.check_activated(stepper, place);
    }

    fn check_activated(&self, stepper: &StepperData, place: SourceLine) {
        if !place.has("activated_by") {
            return;
        }
        let place = place.key("activated_by");
        let Some(field) = &stepper.activated_by.field else {
            place.report("`field` is missing");
            return;
        };
        let field_ref = self.names.resolve(field, NameScope::default());
        if let Err(text) = &field_ref {
            place.key("field").report(text);
        }
        for (value, steps) in &stepper.activated_by.values {
            let place = place.key("values").key(value);
            let number = value.parse().ok().map(Literal::Number);
            let literals = [number, Some(Literal::Text(value.clone()))];
            let mut literals = literals.into_iter().flatten();
            if let Ok(field_ref) = field_ref
                && !literals.any(|literal| self.names.check_value(field_ref, &literal).is_ok())
            {
                place.report(format!("{value} is no option of `{field}`"));
            }
            self.check_groups(&steps.product_steps, place.key("steps"));
            let group = steps.product_steps.get(&stepper.default);
            if let Some(group) = group.or_else(|| steps.product_steps.values().next()) {
                self.check_reached(group, place, false);
            }
        }
    }

    fn check_groups(&self, groups: &IndexMap<String, StepGroup>, place: SourceLine) {
        for (context, group) in groups {
            self.check_steps(group, place.key(context));
        }
    }

    fn check_steps(&self, group: &StepGroup, place: SourceLine) {
        if group.steps.is_empty() {
            place.report("a stepper needs at least one `step`");
        }
        let increment = match self.kind {
            StepperKind::Form => 1,
            StepperKind::Generic => GENERIC_INCREMENT,
        };
        let numbers = (1..).map(|count| count * increment);
        let steps = group.steps.iter().zip(place.items("step"));
        for ((step, place), due) in steps.zip(numbers) {
            if step.number != due {
                place.key("number").report(format!(
                    "step {} is out of order; this one must be {due}",
                    step.number
                ));
            }
            for name in &step.datasets {
                if let Err(text) = self.names.dataset(name) {
                    place.key("datasets").report(text);
                }
            }
            for name in &step.skip {
                if let Err(text) = self.names.resolve(name, NameScope::default()) {
                    place.key("skip").report(text);
                }
            }
        }
    }

    /// Checks that exactly one step shows each dataset. If `whole` is false, a dataset with a
    /// visibility rule may be missing. The answer that activates the steps may hide such a dataset.
    fn check_reached(&self, group: &StepGroup, place: SourceLine, whole: bool) {
        for dataset in self.datasets {
            let name = &dataset.identifier;
            let times = group.steps.iter().flat_map(|step| &step.datasets);
            match times.filter(|other| *other == name).count() {
                0 if !whole && dataset.visible_when.is_some() => {}
                0 => place.report(format!("no step shows dataset `{name}`")),
                1 => {}
                _ => place.report(format!("two steps show dataset `{name}`")),
            }
        }
    }
}
