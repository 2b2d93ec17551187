//! A compiled tariff. A table is one flat list of cells. Each key of a table has its source. Each
//! key also has the distance in the list between two neighbouring values of the key.

use serde::Deserialize;

use super::compiled::{FieldRef, Rule};
use super::rules::TextTemplate;
use crate::domain::money::premium_tax::PremiumTax;
use crate::domain::quote::campaign::FreeWhen;

/// The tariff of a product.
#[derive(Clone, Debug, Default)]
pub struct Tariff {
    /// Fields that a price requires.
    pub needs: Vec<FieldRef>,
    /// Measures that the steps use.
    pub measures: Vec<Measure>,
    pub steps: Vec<TariffStep>,
    pub tax: PremiumTax,
    /// Label of the tax line.
    pub tax_label: String,
}

/// A counted or measured value.
#[derive(Clone, Copy, Debug)]
pub enum Measure {
    /// Completed years from a date to the first day of cover.
    Years(FieldRef),
    /// Days from one date to another, both included, and at least 1.
    Days(FieldRef, FieldRef),
    /// A number or a count, rounded up to a whole number.
    Number(FieldRef),
    /// Position of the instance in its dataset, starting at 1.
    Position(usize),
}

#[derive(Clone, Debug)]
pub struct TariffStep {
    /// Code of the price line.
    pub code: String,
    /// Label of the price line.
    pub label: TextTemplate,
    pub when: Option<Rule>,
    /// Dataset whose instances the step applies to, one by one.
    pub each: Option<usize>,
    /// Meaning of the figure.
    pub kind: StepKind,
    pub figure: Figure,
    /// Measure that multiplies the figure.
    pub times: Option<usize>,
    /// Campaign that makes the step free.
    pub free: Option<FreeWhen>,
}

/// The meaning of a step's figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// Pence to add; a negative figure subtracts.
    Amount,
    /// Pence to add after tax, outside the premium.
    Charge,
    /// Hundredths of a percent of the amount so far. A step with `each` uses the amount of each instance.
    /// Other steps use the whole amount.
    Percent,
    /// Minimum premium in pence.
    Minimum,
}

/// A fixed figure or a table of figures.
#[derive(Clone, Debug)]
pub enum Figure {
    Fixed(i64),
    /// Keys and cells. A cell is empty only for a missing answer that has no row in the table.
    Table(Vec<TableKey>, Vec<Option<i64>>),
}

impl Figure {
    /// Returns every figure.
    pub fn values(&self) -> impl Iterator<Item = i64> {
        let (fixed, cells) = match self {
            Self::Fixed(figure) => (Some(*figure), &[][..]),
            Self::Table(_, cells) => (None, cells.as_slice()),
        };
        fixed.into_iter().chain(cells.iter().flatten().copied())
    }
}

#[derive(Clone, Debug)]
pub struct TableKey {
    /// Source of the key's value.
    pub by: KeySource,
    /// Distance in cells between two neighbouring values of the key.
    pub stride: usize,
    /// Index of the value for a missing answer, after all other values.
    pub missing: usize,
}

/// The source of a key's value.
#[derive(Clone, Debug)]
pub enum KeySource {
    /// The chosen option.
    Option(FieldRef),
    /// A checkbox: unticked first, then ticked.
    Flag(FieldRef),
    /// A measure in bands. Each band starts at its number and ends before the start of the next
    /// band.
    Band(usize, Vec<i64>),
}
