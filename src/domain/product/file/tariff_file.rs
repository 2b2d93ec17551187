//! `[tariff]` as serde reads it.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::domain::money::Pence;
use crate::domain::product::condition::Condition;
use crate::domain::product::tariff::StepKind;
use crate::domain::quote::campaign::FreeWhen;

/// A number with at most two decimals, in hundredths: pence, or hundredths of a percent.
#[derive(Clone, Copy, Default)]
pub(super) struct Hundredths(pub(super) i64);

impl<'de> Deserialize<'de> for Hundredths {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let read = Pence::deserialize(from).map(|Pence(hundredths)| Self(hundredths));
        read.map_err(|_| D::Error::custom("must be a number with at most two decimals"))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawTariff {
    #[serde(default)]
    pub(super) needs: Vec<String>,
    pub(super) tax_percent: Hundredths,
    pub(super) tax_label: String,
    #[serde(default, rename = "measure")]
    pub(super) measures: Vec<RawMeasure>,
    #[serde(default, rename = "step")]
    pub(super) steps: Vec<RawStep>,
}

/// `[[tariff.measure]]`. Each kind has keys of its own.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawMeasure {
    pub(super) name: String,
    pub(super) kind: MeasureKind,
    pub(super) field: Option<String>,
    pub(super) from: Option<String>,
    pub(super) to: Option<String>,
    pub(super) dataset: Option<String>,
    #[serde(default)]
    pub(super) bands: Vec<Band>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum MeasureKind {
    Years,
    Days,
    Number,
    Position,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Band {
    pub(super) name: String,
    #[serde(default)]
    pub(super) from: i64,
    pub(super) to: Option<i64>,
}

/// `[[tariff.step]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawStep {
    pub(super) code: String,
    pub(super) label: String,
    pub(super) kind: StepKind,
    pub(super) each: Option<String>,
    pub(super) when: Option<Condition>,
    pub(super) figure: Option<Hundredths>,
    #[serde(default)]
    pub(super) keys: Vec<String>,
    pub(super) rows: Option<Vec<Vec<Value>>>,
    pub(super) times: Option<String>,
    pub(super) free_when: Option<FreeWhen>,
}
