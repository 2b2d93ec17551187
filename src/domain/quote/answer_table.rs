//! Normalised answers as a table by dataset, instance and field, so that rating and conditions
//! find an answer by its position and not by its name.

use serde_json::map::Iter;
use serde_json::{Map, Value};

use crate::domain::product::CompiledProduct;
use crate::domain::product::compiled::{CompiledDataset, FieldRef, Rule};
use crate::domain::product::condition::Scalar;
use crate::domain::quote::answers::Answers;

/// Every visible answer of a form; hidden ones count as missing.
pub(crate) struct AnswerTable<'a> {
    cells: Vec<Option<&'a Value>>,
    spans: Vec<Span>,
}

/// Which cells of the table are a dataset's.
#[derive(Clone, Copy)]
struct Span {
    start: usize,
    rows: usize,
    width: usize,
    multi: bool,
}

impl<'a> AnswerTable<'a> {
    /// Lays out all answers.
    pub fn read(compiled: &CompiledProduct, answers: &'a Answers) -> Self {
        Self::lay_out(compiled, answers, false)
    }

    /// Lays out the answers that rating reads, and only those.
    pub fn for_rating(compiled: &CompiledProduct, answers: &'a Answers) -> Self {
        Self::lay_out(compiled, answers, true)
    }

    /// A table of so many datasets, which are then added.
    pub fn of(datasets: usize) -> Self {
        Self {
            cells: Vec::with_capacity(64),
            spans: Vec::with_capacity(datasets),
        }
    }

    /// Adds the next dataset, with so many instances. Their answers are pushed next, by instance and
    /// field.
    pub fn add(&mut self, dataset: &CompiledDataset, rows: usize) {
        self.spans.push(Span {
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

    fn lay_out(compiled: &CompiledProduct, answers: &'a Answers, rating: bool) -> Self {
        let mut table = Self::of(compiled.datasets.len());
        let mut single = InOrder::of(&answers.values);
        for dataset in &compiled.datasets {
            let read = dataset.rating || !rating;
            let visible = read && table.holds(dataset.visible_when.as_ref(), 0);
            let given = if dataset.multi && visible {
                answers.rows(&dataset.name)
            } else {
                &[]
            };
            let rows = match (visible, dataset.multi) {
                (false, _) => 0,
                (true, false) => 1,
                (true, true) => given.len().min(dataset.max),
            };
            table.add(dataset, rows);
            for row in 0..rows {
                let mut own = given.get(row).map(InOrder::of);
                let values = own.as_mut().unwrap_or(&mut single);
                for field in &dataset.fields {
                    let wanted = field.rating || !rating;
                    let shown = wanted && table.holds(field.visible_when.as_ref(), row);
                    table.push(values.next(&field.name, shown));
                }
            }
        }
        table
    }

    /// The answer of a field; of the given instance where its dataset repeats.
    pub fn at(&self, field_ref: FieldRef, row: usize) -> Scalar<'a> {
        match field_ref {
            FieldRef::Count(dataset) => Scalar::Number(self.rows(dataset) as f64),
            FieldRef::Cell { dataset, field } => self
                .value(dataset, field, row)
                .map_or(Scalar::Missing, Scalar::of),
        }
    }

    /// The answer as it is stored; null and empty ones too.
    pub fn value(&self, dataset: usize, field: usize, row: usize) -> Option<&'a Value> {
        let span = self.spans.get(dataset)?;
        let row = if span.multi { row } else { 0 };
        let cell = (row < span.rows).then_some(span.start + row * span.width + field)?;
        self.cells.get(cell).copied().flatten()
    }

    /// Whether a rule holds for an instance; no rule always does.
    pub fn holds(&self, rule: Option<&Rule>, row: usize) -> bool {
        rule.is_none_or(|rule| rule.holds(&|field_ref: &FieldRef| self.at(*field_ref, row)))
    }

    /// How many instances a dataset has; one when it doesn't repeat, none when
    /// it is hidden.
    pub fn rows(&self, dataset: usize) -> usize {
        self.spans.get(dataset).map_or(0, |span| span.rows)
    }
}

/// Looks answers up by name, and where they are in the form's order, as normalised ones are,
/// without a search.
struct InOrder<'a> {
    all: &'a Map<String, Value>,
    next: Option<(&'a String, &'a Value)>,
    rest: Iter<'a>,
}

impl<'a> InOrder<'a> {
    fn of(all: &'a Map<String, Value>) -> Self {
        let mut rest = all.iter();
        Self {
            all,
            next: rest.next(),
            rest,
        }
    }

    /// The answer of the form's next field, where it is wanted.
    fn next(&mut self, name: &str, wanted: bool) -> Option<&'a Value> {
        match self.next {
            Some((next, value)) if next == name => {
                self.next = self.rest.next();
                wanted.then_some(value)
            }
            _ if wanted => self.all.get(name),
            _ => None,
        }
    }
}
