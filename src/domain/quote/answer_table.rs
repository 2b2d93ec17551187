//! Normalised answers as a table by dataset, instance and field. Rating and conditions find an
//! answer in the table by its position, and not by its name.

use serde_json::map::Iter;
use serde_json::{Map, Value};

use crate::domain::product::CompiledProduct;
use crate::domain::product::compiled::{CompiledDataset, FieldRef, Rule};
use crate::domain::product::condition::Scalar;
use crate::domain::quote::answers::Answers;

/// Every visible answer of a form. Hidden answers count as missing.
pub(crate) struct AnswerTable<'a> {
    cells: Vec<Option<&'a Value>>,
    spans: Vec<TableSection>,
}

/// The cells of one dataset.
#[derive(Clone, Copy)]
struct TableSection {
    start: usize,
    rows: usize,
    width: usize,
    multi: bool,
}

impl<'a> AnswerTable<'a> {
    /// Returns a table of all answers.
    pub fn read(compiled: &CompiledProduct, answers: &'a Answers) -> Self {
        Self::from_answers(compiled, answers, false)
    }

    /// Returns a table of only the answers that rating reads.
    pub fn for_rating(compiled: &CompiledProduct, answers: &'a Answers) -> Self {
        Self::from_answers(compiled, answers, true)
    }

    /// Returns an empty table with capacity for `datasets` datasets.
    pub fn with_capacity(datasets: usize) -> Self {
        Self {
            cells: Vec::with_capacity(64),
            spans: Vec::with_capacity(datasets),
        }
    }

    /// Adds the next dataset, with `rows` instances. The caller then pushes their answers, by
    /// instance and field.
    pub fn add(&mut self, dataset: &CompiledDataset, rows: usize) {
        self.spans.push(TableSection {
            start: self.cells.len(),
            rows,
            width: dataset.fields.len(),
            multi: dataset.multi,
        });
    }

    /// Adds the next answer.
    pub fn push(&mut self, value: Option<&'a Value>) {
        self.cells.push(value);
    }

    fn from_answers(compiled: &CompiledProduct, answers: &'a Answers, rating: bool) -> Self {
        let mut table = Self::with_capacity(compiled.datasets.len());
        let mut single = OrderedLookup::new(&answers.values);
        for dataset in &compiled.datasets {
            let read = dataset.rating || !rating;
            let visible = read && table.holds(dataset.visible_when.as_ref(), 0);
            let instances = if dataset.multi && visible {
                answers.rows(&dataset.name)
            } else {
                &[]
            };
            let rows = match (visible, dataset.multi) {
                (false, _) => 0,
                (true, false) => 1,
                (true, true) => instances.len().min(dataset.max),
            };
            table.add(dataset, rows);
            for row in 0..rows {
                let mut own = instances.get(row).map(OrderedLookup::new);
                let values = own.as_mut().unwrap_or(&mut single);
                for field in &dataset.fields {
                    let is_used = field.rating || !rating;
                    let is_visible = is_used && table.holds(field.visible_when.as_ref(), row);
                    table.push(values.next(&field.name, is_visible));
                }
            }
        }
        table
    }

    /// Returns the answer of a field, in the given instance if its dataset repeats.
    pub fn answer(&self, field_ref: FieldRef, row: usize) -> Scalar<'a> {
        match field_ref {
            FieldRef::Count(dataset) => Scalar::Number(self.rows(dataset) as f64),
            FieldRef::Cell { dataset, field } => self
                .value(dataset, field, row)
                .map_or(Scalar::Missing, Scalar::from_json),
        }
    }

    /// Returns the answer as stored, also if it is null or empty. Returns `None` if it is hidden or
    /// absent.
    pub fn value(&self, dataset: usize, field: usize, row: usize) -> Option<&'a Value> {
        let span = self.spans.get(dataset)?;
        let row = if span.multi { row } else { 0 };
        let cell = (row < span.rows).then_some(span.start + row * span.width + field)?;
        self.cells.get(cell).copied().flatten()
    }

    /// Returns whether a rule holds for an instance. A missing rule always holds.
    pub fn holds(&self, rule: Option<&Rule>, row: usize) -> bool {
        rule.is_none_or(|rule| rule.holds(&|field_ref: &FieldRef| self.answer(*field_ref, row)))
    }

    /// Returns the number of instances of a dataset: 1 if it does not repeat, 0 if it is hidden.
    pub fn rows(&self, dataset: usize) -> usize {
        self.spans.get(dataset).map_or(0, |span| span.rows)
    }
}

/// Finds answers by name. Normalised answers are in the form's order and need no search.
struct OrderedLookup<'a> {
    all: &'a Map<String, Value>,
    next: Option<(&'a String, &'a Value)>,
    rest: Iter<'a>,
}

impl<'a> OrderedLookup<'a> {
    fn new(all: &'a Map<String, Value>) -> Self {
        let mut rest = all.iter();
        Self {
            all,
            next: rest.next(),
            rest,
        }
    }

    /// Returns the answer of the form's next field, or `None` if it is absent or `is_used` is
    /// false.
    fn next(&mut self, name: &str, is_used: bool) -> Option<&'a Value> {
        match self.next {
            Some((next, value)) if next == name => {
                self.next = self.rest.next();
                is_used.then_some(value)
            }
            _ if is_used => self.all.get(name),
            _ => None,
        }
    }
}
