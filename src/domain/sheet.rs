//! Normalised answers laid out by place, so that rating and rules find them
//! without looking up a name twice.

use super::answers::Answers;
use super::condition::Scalar;
use super::product::Plan;
use super::product::plan::{Place, Rule};

/// Every visible answer of a form; hidden ones count as missing.
pub(crate) struct Sheet<'a> {
    cells: Vec<Scalar<'a>>,
    spans: Vec<Span>,
}

/// Where a dataset's answers stand in the sheet.
#[derive(Clone, Copy)]
struct Span {
    start: usize,
    rows: usize,
    width: usize,
    multi: bool,
}

impl<'a> Sheet<'a> {
    /// Lays out all answers.
    pub fn read(plan: &Plan, answers: &'a Answers) -> Self {
        Self::lay_out(plan, answers, false)
    }

    /// Lays out the answers that rating reads, and only those.
    pub fn for_rating(plan: &Plan, answers: &'a Answers) -> Self {
        Self::lay_out(plan, answers, true)
    }

    fn lay_out(plan: &Plan, answers: &'a Answers, rating: bool) -> Self {
        let mut sheet = Self {
            cells: Vec::with_capacity(64),
            spans: Vec::with_capacity(plan.datasets.len()),
        };
        for dataset in &plan.datasets {
            let read = dataset.rating || !rating;
            let visible = read && sheet.holds(dataset.visible_when.as_ref(), 0);
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
            sheet.spans.push(Span {
                start: sheet.cells.len(),
                rows,
                width: dataset.fields.len(),
                multi: dataset.multi,
            });
            for row in 0..rows {
                let values = if dataset.multi {
                    given.get(row)
                } else {
                    Some(&answers.values)
                };
                for field in &dataset.fields {
                    let wanted = field.rating || !rating;
                    let shown = wanted && sheet.holds(field.visible_when.as_ref(), row);
                    let value = values.filter(|_| shown).and_then(|v| v.get(&field.name));
                    sheet.cells.push(value.map_or(Scalar::Missing, Scalar::of));
                }
            }
        }
        sheet
    }

    /// The answer at a place; of the given instance where its dataset repeats.
    pub fn at(&self, place: Place, row: usize) -> Scalar<'a> {
        match place {
            Place::Count(dataset) => Scalar::Number(self.rows(dataset) as f64),
            Place::Cell { dataset, field } => {
                let Some(span) = self.spans.get(dataset) else {
                    return Scalar::Missing;
                };
                let row = if span.multi { row } else { 0 };
                if row >= span.rows {
                    return Scalar::Missing;
                }
                let cell = self.cells.get(span.start + row * span.width + field);
                cell.copied().unwrap_or(Scalar::Missing)
            }
        }
    }

    /// Whether a rule holds for an instance; no rule always does.
    pub fn holds(&self, rule: Option<&Rule>, row: usize) -> bool {
        rule.is_none_or(|rule| rule.holds(&|place: &Place| self.at(*place, row)))
    }

    /// How many instances a dataset has; one when it doesn't repeat, none when
    /// it is hidden.
    pub fn rows(&self, dataset: usize) -> usize {
        self.spans.get(dataset).map_or(0, |span| span.rows)
    }
}
