//! Evaluates a form once, in order: visible fields, their answers and their errors. One pass is enough,
//! because conditions use only earlier fields.

use std::borrow::Cow;
use std::collections::HashSet;

use chrono::NaiveDate;
use serde_json::{Map, Value};

use super::found::{DatasetResult, Evaluation, FieldResult};
use super::scope::Scope;
use super::{trips, value};
use crate::domain::product::compiled::{
    CompiledDataset, CompiledField, FieldRef, Rule, StartValue,
};
use crate::domain::product::condition::Scalar;
use crate::domain::product::field_kind::FieldKind;
use crate::domain::product::{Product, StepperData};
use crate::domain::quote::answers::Answers;

/// The requirement for a field's answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Requirement {
    /// A given answer must be valid, and a required answer must be given.
    Required,
    /// A given answer must be valid.
    Optional,
    /// The answer is read. The form ignores an invalid answer without an error.
    Lenient,
    /// The answer is not read.
    Skipped,
}

pub(super) fn run(
    product: &Product,
    answers: &Answers,
    scope: Scope,
    today: NaiveDate,
) -> Evaluation {
    let step = match scope {
        Scope::Step(number) => StepFields::new(product.stepper(), answers, number),
        _ => StepFields::default(),
    };
    let mut runner = Runner {
        scope,
        step,
        today,
        blocks: Vec::new(),
    };
    for dataset in &product.compiled.datasets {
        let block = runner.dataset(dataset, answers);
        runner.blocks.push(block);
    }
    let mut evaluation = Evaluation {
        blocks: runner.blocks,
    };
    trips::check_trip_length(product, scope, &runner.step.datasets, &mut evaluation);
    evaluation
}

/// The fields that a step asks.
#[derive(Default)]
struct StepFields<'a> {
    datasets: HashSet<&'a str>,
    skip: HashSet<&'a str>,
}

impl<'a> StepFields<'a> {
    /// Returns the fields of step `number`, or no fields if there is no such step. The answers may
    /// activate other steps than the default steps.
    fn new(stepper: &'a StepperData, answers: &Answers, number: u32) -> Self {
        let by = &stepper.activated_by;
        let answer = by.field.as_ref().and_then(|name| answers.values.get(name));
        let answer = answer.and_then(|answer| match answer {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        });
        let activated = answer.and_then(|answer| by.values.get(&answer));
        let groups = activated.map_or(&stepper.product_steps, |steps| &steps.product_steps);
        let group = groups
            .get(&stepper.default)
            .or_else(|| groups.values().next());
        let mut steps = group.into_iter().flat_map(|group| &group.steps);
        let Some(step) = steps.find(|step| step.number == number) else {
            return Self::default();
        };
        Self {
            datasets: step.datasets.iter().map(String::as_str).collect(),
            skip: step.skip.iter().map(String::as_str).collect(),
        }
    }

    fn is_in_step(&self, dataset: &CompiledDataset, field: &CompiledField) -> bool {
        let skipped = if dataset.multi {
            let path = format!("{}.{}", dataset.name, field.name);
            self.skip.contains(path.as_str())
        } else {
            self.skip.contains(field.name.as_str())
        };
        self.datasets.contains(dataset.name.as_str()) && !skipped
    }
}

struct Runner<'a> {
    scope: Scope,
    step: StepFields<'a>,
    today: NaiveDate,
    blocks: Vec<DatasetResult>,
}

impl Runner<'_> {
    fn dataset(&self, dataset: &CompiledDataset, answers: &Answers) -> DatasetResult {
        let visible = self.holds(dataset.visible_when.as_ref(), &[]);
        let mut block = DatasetResult {
            visible,
            rows: Vec::new(),
            instances: 0,
            pattern: Vec::new(),
            error: None,
        };
        if !dataset.multi {
            block.rows.push(self.row(dataset, visible, &answers.values));
            block.instances = 1;
            return block;
        }
        let shows = |field: &CompiledField| visible && self.is_shown(field, &[]);
        block.pattern = dataset.fields.iter().map(shows).collect();
        if !visible {
            return block;
        }
        let instances = answers.rows(&dataset.name);
        block.instances = instances.len().min(dataset.max);
        let rows = instances.iter().take(dataset.max);
        block.rows = rows
            .map(|values| self.row(dataset, visible, values))
            .collect();
        let is_asked = match self.scope {
            Scope::Complete | Scope::Change | Scope::Draft | Scope::Rate => true,
            Scope::Step(_) => self.step.datasets.contains(dataset.name.as_str()),
            Scope::Accept => false,
        };
        if is_asked && instances.len() > dataset.max {
            let (max, more) = (dataset.max, instances.len() - dataset.max);
            let plural = &dataset.plural;
            block.error = Some(format!("You can add up to {max} {plural}. Remove {more}."));
        }
        match (self.scope, &dataset.assume) {
            (Scope::Rate, Some(assumed)) if instances.is_empty() => {
                block.rows.push(self.row(dataset, visible, assumed));
                block.instances = 1;
            }
            (Scope::Complete | Scope::Change | Scope::Step(_), _) if is_asked => {
                while block.rows.len() < dataset.min {
                    block.rows.push(self.row(dataset, visible, &Map::new()));
                }
            }
            _ => {}
        }
        self.different(dataset, &mut block);
        block
    }

    /// Rejects an answer that an earlier instance has, in fields with unique answers.
    fn different(&self, dataset: &CompiledDataset, block: &mut DatasetResult) {
        for (f, field) in dataset
            .fields
            .iter()
            .enumerate()
            .filter(|(_, field)| field.unique)
        {
            if !matches!(
                self.ask(dataset, field),
                Requirement::Required | Requirement::Optional
            ) {
                continue;
            }
            let mut seen: Vec<Value> = Vec::new();
            for cell in block.rows.iter_mut().filter_map(|row| row.get_mut(f)) {
                if cell.value.is_null() {
                    continue;
                }
                if seen.contains(&cell.value) {
                    let text = "You've already added this one. Change it or remove it.";
                    let typed = cell.value.take();
                    cell.refuse(Some(typed), Some(text.into()));
                } else {
                    seen.push(cell.value.clone());
                }
            }
        }
    }

    fn row(
        &self,
        dataset: &CompiledDataset,
        visible: bool,
        values: &Map<String, Value>,
    ) -> Vec<FieldResult> {
        if self.scope == Scope::Rate && !dataset.rating {
            return Vec::new();
        }
        let mut row = Vec::with_capacity(dataset.fields.len());
        for field in &dataset.fields {
            let cell = match self.ask(dataset, field) {
                // An answer that is not read counts as missing, even if its field is visible.
                Requirement::Skipped => FieldResult::empty(false),
                _ if !visible => FieldResult::empty(false),
                ask => self.evaluate_field(field, ask, values.get(&field.name), &row),
            };
            row.push(cell);
        }
        row
    }

    fn evaluate_field(
        &self,
        field: &CompiledField,
        ask: Requirement,
        answer: Option<&Value>,
        row: &[FieldResult],
    ) -> FieldResult {
        let look = |field_ref: &FieldRef| self.answer_at(*field_ref, row);
        let start = |start: &StartValue| start.value(self.today, &look);
        let visible = self.is_shown(field, row);
        let mut cell = FieldResult::empty(visible);
        if field.force_hidden {
            cell.value = field.default.as_ref().map_or(Value::Null, start);
            return cell;
        }
        if !visible {
            return cell;
        }
        if let Some(limit) = field.computed {
            cell.value = start(&StartValue::Date(limit));
            return cell;
        }
        if let (Scope::Change, true, Some(current)) = (self.scope, field.locked, answer) {
            cell.value = current.clone();
            return cell;
        }
        let typed = match answer {
            // A checkbox that is sent without an answer is not ticked.
            Some(Value::Null) if field.kind == FieldKind::Checkbox && self.scope != Scope::Rate => {
                Cow::Owned(Value::Bool(false))
            }
            Some(answer) if self.scope != Scope::Rate || !is_blank(answer) => Cow::Borrowed(answer),
            Some(_) | None => {
                let holds = |rule: &Option<Rule>| rule.as_ref().is_none_or(|r| r.holds(&look));
                let mut assumed = field.price_default.iter();
                let assumed = assumed.find(|(rule, _)| self.scope == Scope::Rate && holds(rule));
                let own = field
                    .default
                    .as_ref()
                    .filter(|_| self.scope != Scope::Draft);
                let default = assumed.map(|(_, default)| default).or(own);
                Cow::Owned(default.map_or(Value::Null, start))
            }
        };
        match value::read(field, &typed, self.today, &look) {
            Ok(value) => cell.value = value,
            Err(text) => {
                let text = (ask != Requirement::Lenient).then_some(text);
                cell.refuse(Some(typed.into_owned()), text);
            }
        }
        let ticked = !matches!(cell.value, Value::Null | Value::Bool(false));
        // An invalid answer counts as given here. It has its own error, and must not make another answer
        // required, such as a second telephone number.
        let typed = |field_ref: &FieldRef| match self.cell_at(*field_ref, row) {
            Some(FieldResult {
                wrong: Some(wrong), ..
            }) => wrong
                .typed
                .as_ref()
                .map_or(Scalar::Missing, Scalar::from_json),
            _ => look(field_ref),
        };
        let when = field.required_when.as_ref();
        let needed = field.required || when.is_some_and(|rule| rule.holds(&typed));
        if ask == Requirement::Required && needed && cell.wrong.is_none() && !ticked {
            cell.refuse(None, Some(field.missing.clone()));
        }
        cell
    }

    fn ask(&self, dataset: &CompiledDataset, field: &CompiledField) -> Requirement {
        match self.scope {
            Scope::Complete | Scope::Change if field.at_accept => Requirement::Optional,
            Scope::Complete | Scope::Change => Requirement::Required,
            Scope::Draft => Requirement::Optional,
            Scope::Rate if field.rateable => Requirement::Optional,
            Scope::Rate if field.rating => Requirement::Lenient,
            Scope::Rate => Requirement::Skipped,
            Scope::Step(_) if self.step.is_in_step(dataset, field) => Requirement::Required,
            Scope::Accept if field.at_accept => Requirement::Required,
            Scope::Step(_) | Scope::Accept => Requirement::Lenient,
        }
    }

    fn is_shown(&self, field: &CompiledField, row: &[FieldResult]) -> bool {
        !field.force_hidden && self.holds(field.visible_when.as_ref(), row)
    }

    fn holds(&self, rule: Option<&Rule>, row: &[FieldResult]) -> bool {
        rule.is_none_or(|rule| rule.holds(&|field_ref: &FieldRef| self.answer_at(*field_ref, row)))
    }

    /// Returns an earlier answer, or the count of an earlier dataset. The dataset in evaluation has
    /// no block yet. `row` has the cells of its current instance so far.
    fn answer_at<'r>(&'r self, field_ref: FieldRef, row: &'r [FieldResult]) -> Scalar<'r> {
        match field_ref {
            FieldRef::Count(dataset) => {
                let block = self.blocks.get(dataset);
                Scalar::Number(block.map_or(0, |block| block.instances) as f64)
            }
            FieldRef::Cell { .. } => self
                .cell_at(field_ref, row)
                .map_or(Scalar::Missing, |cell| Scalar::from_json(&cell.value)),
        }
    }

    /// Returns the result of an earlier field, or `None` for a hidden field and for a count. In an
    /// earlier repeatable dataset, this is the result of the first instance.
    fn cell_at<'r>(
        &'r self,
        field_ref: FieldRef,
        row: &'r [FieldResult],
    ) -> Option<&'r FieldResult> {
        let FieldRef::Cell { dataset, field } = field_ref else {
            return None;
        };
        let cells = match self.blocks.get(dataset) {
            Some(block) => block.rows.first().map(Vec::as_slice),
            None => Some(row),
        };
        cells?.get(field).filter(|cell| cell.visible)
    }
}

fn is_blank(value: &Value) -> bool {
    value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty())
}
