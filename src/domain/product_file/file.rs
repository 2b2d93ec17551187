//! A product file as serde reads it, section by section. What stands in the file as it is published is
//! read into the domain's own types.

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::{Map, Value};
use toml::value::Date;

use super::form_file::Dataset;
use super::tariff_file::{Hundredths, Tariff};
use crate::domain::condition::Condition;
use crate::domain::money::Pence;
use crate::domain::product::first_page::WayIn;
use crate::domain::product::gaps::Gap;
use crate::domain::product::info::{Assumptions, Help, Need, SummaryRule};
use crate::domain::product::rules::Terms;
use crate::domain::product::stepper::{StepperData, StepperKind};
use crate::domain::product::texts::{Point, Section};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProductFile {
    pub(super) product: Identity,
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

/// `[product]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Identity {
    pub(super) id: u32,
    pub(super) identifier: String,
    pub(super) title: String,
    pub(super) short_title: String,
    pub(super) version: String,
    pub(super) effective_from: Date,
    pub(super) reference_prefix: String,
    pub(super) currency: String,
    pub(super) locale: String,
    pub(super) money_format: String,
    pub(super) stepper: StepperKind,
    #[serde(default)]
    pub(super) min_bind_days: i64,
    pub(super) headline: String,
    #[serde(default)]
    pub(super) facts: Vec<String>,
    #[serde(default)]
    pub(super) sample: bool,
    pub(super) price_note: Option<String>,
    /// Answers of fields that don't repeat, and a list of instances for each dataset that does.
    pub(super) price_from: Option<Map<String, Value>>,
    pub(super) price_from_for: Option<String>,
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
    pub(super) entries: Vec<Entries>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entries {
    pub(super) count: String,
    #[serde(default)]
    pub(super) more: usize,
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

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(super) enum Outcome {
    Refer,
    Decline,
}

/// `[reach]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reach {
    pub(super) field: String,
    #[serde(default)]
    pub(super) countries: Vec<String>,
    pub(super) home_miles: i64,
    pub(super) tow_miles: i64,
    #[serde(default, rename = "level")]
    pub(super) levels: Vec<Level>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Level {
    pub(super) value: Value,
    #[serde(default)]
    pub(super) at_home: bool,
    pub(super) recovery: Option<String>,
    /// The field whose options are the countries abroad.
    pub(super) abroad: Option<String>,
    pub(super) abroad_help: Option<String>,
}
