//! A tariff compiled: a table is one flat list of cells, and a key tells which field decides and
//! how far apart its values are in the list.

use serde::Deserialize;

use super::compiled::{FieldRef, Rule};
use super::rules::TextTemplate;
use crate::domain::money::premium_tax::PremiumTax;
use crate::domain::quote::campaign::FreeWhen;

/// What a price is worked out from.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Tariff {
    /// Fields without which there is no price.
    pub needs: Vec<FieldRef>,
    /// Things that are counted or measured.
    pub measures: Vec<Measure>,
    pub steps: Vec<TariffStep>,
    pub tax: PremiumTax,
    /// What the tax line is called.
    pub tax_label: String,
}

/// Something that is counted or measured.
#[derive(Clone, Copy, Debug)]
pub enum Measure {
    /// Completed years from a date to the day cover starts.
    Years(FieldRef),
    /// Days from one date to another, both counted.
    Days(FieldRef, FieldRef),
    /// A number or a count, rounded up to a whole one.
    Number(FieldRef),
    /// Which instance of a dataset it is, the first being 1.
    Position(usize),
}

/// One step of the tariff.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct TariffStep {
    /// Name of its line.
    pub code: String,
    /// What its line is called.
    pub label: TextTemplate,
    pub when: Option<Rule>,
    /// Done for each instance of this dataset.
    pub each: Option<usize>,
    /// What its figure means.
    pub kind: StepKind,
    pub figure: Figure,
    /// The measure the figure is multiplied by.
    pub times: Option<usize>,
    /// When the step costs nothing.
    pub free: Option<FreeWhen>,
}

/// What a step's figure means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// Pence to add; less when negative.
    Amount,
    /// Pence to add beside the premium, after tax.
    Charge,
    /// Hundredths of a percent of what there is so far: of each instance's
    /// own amount when done for each, of the whole otherwise.
    Percent,
    /// Pence the premium is raised to.
    Minimum,
}

/// A fixed figure or a table of them.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Figure {
    Fixed(i64),
    /// By keys; a cell is only empty where the answer is missing and the
    /// table has no row for that.
    Table(Vec<TableKey>, Vec<Option<i64>>),
}

impl Figure {
    /// Every figure in it.
    pub fn values(&self) -> impl Iterator<Item = i64> {
        let (fixed, cells) = match self {
            Self::Fixed(figure) => (Some(*figure), &[][..]),
            Self::Table(_, cells) => (None, cells.as_slice()),
        };
        fixed.into_iter().chain(cells.iter().flatten().copied())
    }
}

/// One key of a table.
#[derive(Clone, Debug)]
pub struct TableKey {
    /// What decides.
    pub by: KeySource,
    /// How many cells lie between two neighbouring values of it.
    pub stride: usize,
    /// Index of the row for a missing answer, after all others.
    pub missing: usize,
}

/// What decides a key.
#[derive(Clone, Debug)]
pub enum KeySource {
    /// The option chosen.
    Option(FieldRef),
    /// A checkbox: unticked, then ticked.
    Flag(FieldRef),
    /// A measure in bands, each from this number up to the next.
    Band(usize, Vec<i64>),
}
