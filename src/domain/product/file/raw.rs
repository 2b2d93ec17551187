//! A product file as serde reads it, section by section. Sections that are published unchanged are read into
//! the domain's own types.

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::domain::money::Pence;
use crate::domain::product::condition::Condition;
use crate::domain::product::exclusions::CoverExclusion;
use crate::domain::product::fields::Dataset;
use crate::domain::product::file::tariff_file::RawTariff;
use crate::domain::product::first_page::{CoverageMap, StartField};
use crate::domain::product::info::{AffiliateEntries, Assumptions, Help, Info, Need, SummaryRule};
use crate::domain::product::rules::{RuleOutcome, Terms};
use crate::domain::product::stepper::StepperData;
use crate::domain::product::texts::{Point, Question, Section};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProductFile {
    pub(super) product: Info,
    pub(super) documents: Option<RawDocuments>,
    pub(super) terms: Terms,
    pub(super) term: RawTerm,
    pub(super) monthly: Option<RawMonthly>,
    pub(super) affiliates: Option<Affiliates>,
    #[serde(default)]
    pub(super) presets: IndexMap<String, Map<String, Value>>,
    pub(super) assumptions: Option<Assumptions>,
    pub(super) help: Option<Help>,
    pub(super) coverage_map: Option<CoverageMap>,
    pub(super) start_field: Option<StartField>,
    pub(super) stepper: StepperData,
    #[serde(default, rename = "dataset")]
    pub(super) datasets: Vec<Dataset>,
    #[serde(default)]
    pub(super) underwriting: Vec<Underwriting>,
    #[serde(default)]
    pub(super) summary: Vec<SummaryRule>,
    #[serde(default, rename = "need")]
    pub(super) needs: Vec<Need>,
    #[serde(default, rename = "exclusion")]
    pub(super) exclusions: Vec<CoverExclusion>,
    pub(super) tariff: RawTariff,
}

/// `[documents]`, and the content of the documents file that it may name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawDocuments {
    pub(super) file: Option<String>,
    pub(super) ipid: Option<IndexMap<String, Vec<Point>>>,
    #[serde(default)]
    pub(super) wording: Vec<Section>,
    #[serde(default, rename = "question")]
    pub(super) questions: Vec<Question>,
}

/// `[term]`: the fields with the dates of the cover.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawTerm {
    pub(super) start: String,
    pub(super) single: Option<SingleTrips>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SingleTrips {
    pub(super) when: Condition,
    pub(super) dataset: String,
    pub(super) start: String,
    pub(super) end: String,
}

/// `[monthly]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawMonthly {
    pub(super) payments: i64,
    pub(super) minimum: Pence,
}

/// `[affiliates]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Affiliates {
    #[serde(default)]
    pub(super) entries: Vec<AffiliateEntries>,
}

/// `[[underwriting]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Underwriting {
    pub(super) each: Option<String>,
    pub(super) when: Option<Condition>,
    pub(super) older_than: Option<Age>,
    pub(super) outcome: RuleOutcome,
    pub(super) reason: String,
    #[serde(default)]
    pub(super) new_business_only: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Age {
    pub(super) field: String,
    #[serde(default)]
    pub(super) years: i64,
    #[serde(default)]
    pub(super) months: i64,
}
