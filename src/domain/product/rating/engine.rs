//! Runs the steps of a tariff, one after another.

use chrono::NaiveDate;

use crate::domain::money::Pence;
use crate::domain::money::price::Line;
use crate::domain::policy::term::date;
use crate::domain::product::CompiledProduct;
use crate::domain::product::compiled::FieldRef;
use crate::domain::product::condition::Scalar;
use crate::domain::product::tariff::{Figure, KeySource, Measure, StepKind, TableKey, TariffStep};
use crate::domain::quote::answer_table::AnswerTable;
use crate::domain::quote::campaign::Campaign;
use crate::domain::quote::summary;
use crate::domain::time::dates::full_years;

/// A missing answer that a step needs: its field and the index of its instance.
type MissingAnswer = (FieldRef, usize);

/// A price calculation.
pub(super) struct Engine<'a> {
    compiled: &'a CompiledProduct,
    table: &'a AnswerTable<'a>,
    inception: NaiveDate,
    campaign: &'a Campaign,
    /// The dataset whose instances the current step applies to.
    each: Option<usize>,
    running: Pence,
    /// The premium so far of each instance of each repeatable dataset.
    units: Vec<Vec<Pence>>,
    lines: Vec<Line>,
    charges: Vec<Line>,
}

impl<'a> Engine<'a> {
    pub fn new(
        compiled: &'a CompiledProduct,
        table: &'a AnswerTable<'a>,
        inception: NaiveDate,
        campaign: &'a Campaign,
    ) -> Self {
        Self {
            compiled,
            table,
            inception,
            campaign,
            each: None,
            running: Pence::ZERO,
            units: vec![Vec::new(); compiled.datasets.len()],
            lines: Vec::with_capacity(compiled.tariff.steps.len() + 1),
            charges: Vec::new(),
        }
    }

    /// Returns the premium so far, before tax.
    pub fn net(&self) -> Pence {
        self.running
    }

    /// Returns the lines of the premium, and the lines of charges.
    pub fn into_lines(self) -> (Vec<Line>, Vec<Line>) {
        (self.lines, self.charges)
    }

    /// Runs one step. Adds a line if the step's amount is not zero. A campaign may set the amount
    /// of the line to zero.
    pub fn step(&mut self, step: &TariffStep) -> Result<(), MissingAnswer> {
        self.each = step.each;
        let amount = match step.each {
            None if !self.table.holds(step.when.as_ref(), 0) => return Ok(()),
            None => self.amount(step, 0, self.running)?,
            Some(dataset) => self.sum_instances(step, dataset)?,
        };
        if amount == Pence::ZERO {
            return Ok(());
        }
        let free = step.free.as_ref().filter(|free| free.holds(self.campaign));
        let amount = if free.is_some() { Pence::ZERO } else { amount };
        let label = match step.label.fixed() {
            Some(label) => label.to_owned(),
            None => summary::fill(self.compiled, self.table, &step.label).unwrap_or_default(),
        };
        let line = Line {
            code: step.code.clone(),
            label,
            amount,
            note: free.map(|free| free.note.clone()),
        };
        if step.kind == StepKind::Charge {
            self.charges.push(line);
        } else {
            self.running += amount;
            self.lines.push(line);
        }
        Ok(())
    }

    fn sum_instances(&mut self, step: &TariffStep, dataset: usize) -> Result<Pence, MissingAnswer> {
        let rows = self.table.rows(dataset);
        let mut total = Pence::ZERO;
        for row in 0..rows {
            if !self.table.holds(step.when.as_ref(), row) {
                continue;
            }
            let unit = self.units.get(dataset).and_then(|units| units.get(row));
            let amount = self.amount(step, row, unit.copied().unwrap_or_default())?;
            total += amount;
            if step.kind == StepKind::Charge {
                continue;
            }
            if let Some(units) = self.units.get_mut(dataset) {
                units.resize(rows, Pence::ZERO);
                if let Some(unit) = units.get_mut(row) {
                    *unit += amount;
                }
            }
        }
        Ok(total)
    }

    /// Returns the amount that a step adds. Except for a charge, a deduction is at most the amount
    /// so far.
    fn amount(&self, step: &TariffStep, row: usize, so_far: Pence) -> Result<Pence, MissingAnswer> {
        let figure = self.evaluate_figure(&step.figure, row)?;
        let amount = match step.kind {
            StepKind::Percent => so_far.fraction(figure, 10_000),
            StepKind::Minimum => Pence(figure.saturating_sub(so_far.0).max(0)),
            StepKind::Amount | StepKind::Charge => match step.times {
                None => Pence(figure),
                Some(measure) => Pence(figure.saturating_mul(self.times(measure, row)?)),
            },
        };
        Ok(match step.kind {
            StepKind::Charge => amount,
            _ => amount.max(-so_far),
        })
    }

    fn evaluate_figure(&self, figure: &Figure, row: usize) -> Result<i64, MissingAnswer> {
        let (keys, cells) = match figure {
            Figure::Fixed(figure) => return Ok(*figure),
            Figure::Table(keys, cells) => (keys, cells),
        };
        let mut cell = 0;
        let mut lacks = None;
        for key in keys {
            let (index, field_ref) = self.key(key, row);
            if index == key.missing {
                lacks = lacks.or(field_ref);
            }
            cell += index * key.stride;
        }
        let found = cells.get(cell).copied().flatten();
        found.ok_or((lacks.unwrap_or(FieldRef::Count(0)), row))
    }

    /// Returns the index of the key's value, and the field to report if its answer is missing.
    fn key(&self, key: &TableKey, row: usize) -> (usize, Option<FieldRef>) {
        match &key.by {
            KeySource::Option(field_ref) => {
                let options = self.compiled.field(*field_ref).map(|field| &field.options);
                let found =
                    options.and_then(|options| options.find(self.table.answer(*field_ref, row)));
                (found.unwrap_or(key.missing), Some(*field_ref))
            }
            KeySource::Flag(field_ref) => {
                let ticked = self.table.answer(*field_ref, row) == Scalar::Bool(true);
                (usize::from(ticked), Some(*field_ref))
            }
            KeySource::Band(measure, starts) => match self.times(*measure, row) {
                Ok(size) => {
                    let band = starts.partition_point(|start| *start <= size);
                    (band.saturating_sub(1), None)
                }
                Err((field_ref, _)) => (key.missing, Some(field_ref)),
            },
        }
    }

    /// Returns the size of a measure for the current instance. Days or a number may belong to another
    /// repeatable dataset than the step's dataset. In that case, returns the sum over all instances.
    fn times(&self, measure: usize, row: usize) -> Result<i64, MissingAnswer> {
        let Some(measure) = self.compiled.tariff.measures.get(measure) else {
            return Ok(0);
        };
        match measure {
            Measure::Years(field_ref) => {
                let from = date(self.table, *field_ref, row).ok_or((*field_ref, row))?;
                Ok(full_years(from, self.inception))
            }
            Measure::Position(_) => Ok(row as i64 + 1),
            Measure::Days(from, to) => self.sum(*from, row, |row| {
                let from = date(self.table, *from, row).ok_or((*from, row))?;
                let to = date(self.table, *to, row).ok_or((*to, row))?;
                Ok((to - from).num_days().max(0) + 1)
            }),
            Measure::Number(field_ref) => self.sum(*field_ref, row, |row| {
                match self.table.answer(*field_ref, row) {
                    Scalar::Number(number) => Ok(number.ceil() as i64),
                    _ => Err((*field_ref, row)),
                }
            }),
        }
    }

    fn sum(
        &self,
        field_ref: FieldRef,
        row: usize,
        size: impl Fn(usize) -> Result<i64, MissingAnswer>,
    ) -> Result<i64, MissingAnswer> {
        let FieldRef::Cell { dataset, .. } = field_ref else {
            return size(row);
        };
        let multi = self.compiled.datasets.get(dataset).is_some_and(|d| d.multi);
        if !multi || self.each == Some(dataset) {
            return size(row);
        }
        match self.table.rows(dataset) {
            0 => Err((field_ref, 0)),
            rows => (0..rows).map(size).sum(),
        }
    }
}
