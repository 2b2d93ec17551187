//! A product file as serde reads it, section by section. What stands in the file as it is published is
//! read into the domain's own types.

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::domain::money::Pence;
use crate::domain::product::condition::Condition;
use crate::domain::product::exclusions::Gap;
use crate::domain::product::fields::Dataset;
use crate::domain::product::file::tariff_file::{Hundredths, Tariff};
use crate::domain::product::first_page::{Reach, WayIn};
use crate::domain::product::info::{AffiliateEntries, Assumptions, Help, Info, Need, SummaryRule};
use crate::domain::product::rules::{Outcome, Terms};
use crate::domain::product::stepper::StepperData;
use crate::domain::product::texts::{Point, Section};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProductFile {
    pub(super) product: Info,
    pub(super) documents: Option<Documents>,
    pub(super) terms: Terms,
    pub(super) term: Term,
    pub(super) monthly: Option<Monthly>,
    pub(super) affiliates: Option<Affiliates>,
    #[serde(default)]
    pub(super) presets: IndexMap<String, Map<String, Value>>,
    pub(super) assumptions: Option<Assumptions>,
    pub(super) help: Option<Help>,
    pub(super) reach: Option<Reach>,
    pub(super) way_in: Option<WayIn>,
    pub(super) stepper: StepperData,
    #[serde(default, rename = "dataset")]
    pub(super) datasets: Vec<Dataset>,
    #[serde(default)]
    pub(super) underwriting: Vec<Underwriting>,
    #[serde(default)]
    pub(super) summary: Vec<SummaryRule>,
    #[serde(default, rename = "need")]
    pub(super) needs: Vec<Need>,
    #[serde(default, rename = "gap")]
    pub(super) gaps: Vec<Gap>,
    pub(super) tariff: Tariff,
}

/// `[documents]`, which may name a file beside; and that file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Documents {
    pub(super) file: Option<String>,
    pub(super) ipid: Option<IndexMap<String, Vec<Point>>>,
    #[serde(default)]
    pub(super) wording: Vec<Section>,
}

/// `[term]`: the fields with the dates of the cover.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Term {
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
pub(super) struct Monthly {
    pub(super) instalments: i64,
    #[serde(default)]
    pub(super) deposit_percent: Hundredths,
    #[serde(default)]
    pub(super) flat_rate_percent: Hundredths,
    #[serde(default)]
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
    pub(super) outcome: Outcome,
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
