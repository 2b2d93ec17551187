//! The data about a product that the website receives.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use indexmap::IndexMap;
use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::{Map, Value};
use toml::value::Date;

use super::first_page::{CoverageMap, StartField};
use super::stepper::StepperKind;
use crate::domain::money::Pence;
use crate::domain::product::condition::Condition;
use crate::domain::product::exclusions::CoverExclusion;
use crate::domain::quote::answers::Values;
use crate::json_schema::ResponseSchema;

/// A line of the summary, or a demands-and-needs sentence.
#[derive(Clone, Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct SummaryRule {
    pub code: String,
    /// Its text, with `{field}` and `{dataset.field}` filled in.
    pub text: String,
    /// Whether the result is shown in capitals.
    #[serde(default)]
    pub upper: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<Condition>,
}

/// A demands-and-needs sentence.
#[derive(Clone, Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct Need {
    /// The sentence, filled in as a summary line is.
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<Condition>,
}

/// The assumptions of the cover, to be read before the purchase.
#[derive(Clone, Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct Assumptions {
    pub title: String,
    /// A sentence before them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intro: Option<String>,
    /// The assumptions, a sentence or so each.
    #[serde(default)]
    pub points: Vec<String>,
}

/// What to do when the cover is needed.
#[derive(Clone, Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct Help {
    /// Its heading, and the text of the account's telephone button.
    pub title: String,
    /// What to do, in one or two sentences.
    pub text: String,
    /// The event that is covered, such as "A breakdown". A sentence states that it isn't covered before
    /// cover begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// Whether to call the number that is answered at any hour, and not the office.
    #[serde(default)]
    pub assistance: bool,
    /// The number of somebody else to call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
}

/// The length of an affiliate's list: the instances of a dataset, plus a number. The largest sum counts.
// In a file the key `count` has the dataset's count field. `file::info` replaces the count field
// with the dataset's identifier.
#[derive(Clone, Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct AffiliateEntries {
    #[serde(rename(deserialize = "count"))]
    pub dataset: String,
    #[serde(default)]
    pub more: usize,
}

/// A document of the product.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
pub struct DocumentLink {
    pub identifier: String,
    pub title: String,
}

/// A product's texts for the shop.
// Serde reads `[product]` of a file into this struct. The other sections of the file complete it.
#[derive(Clone, Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields, rename = "ProductInfo")]
pub struct Info {
    #[serde(rename(deserialize = "id"))]
    pub product_id: u32,
    #[serde(rename(deserialize = "identifier"))]
    pub product_identifier: String,
    #[serde(rename(deserialize = "title"))]
    pub product_title: String,
    /// Its title in a list.
    #[serde(rename(deserialize = "short_title"))]
    pub product_short_title: String,
    pub version: String,
    /// The day from which new quotes use this version.
    #[serde(skip_serializing, deserialize_with = "read_date")]
    pub effective_from: NaiveDate,
    /// The prefix of the references of the product's quotes.
    #[serde(skip_serializing)]
    pub reference_prefix: String,
    pub currency: String,
    pub locale: String,
    /// Pattern of its amounts.
    pub money_format: String,
    pub stepper: StepperKind,
    /// Days from today to the first day cover can start.
    #[serde(default)]
    pub min_bind_days: i64,
    /// Days a quote stays good.
    #[serde(skip_deserializing)]
    pub quote_valid_days: i64,
    /// Days before the last day of cover from which the next term is quoted.
    #[serde(skip_deserializing)]
    pub renewal_lead_days: i64,
    /// Days from inception to expiry.
    #[serde(skip_deserializing)]
    pub term_days: i64,
    /// The promise at the top of the page.
    pub headline: String,
    /// Short facts under it.
    #[serde(default)]
    pub facts: Vec<String>,
    /// The smallest price, in pounds with tax, worked out from the tariff.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub price_from: Option<Pence>,
    /// The answers with the price `price_from`: fields outside repeatable datasets, and a list of
    /// instances for each repeatable dataset.
    #[serde(rename(deserialize = "price_from"), skip_serializing)]
    pub price_from_answers: Option<Map<String, Value>>,
    /// The subject of that price, such as "one car, local, with the excess".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_from_for: Option<String>,
    /// Lines of the cover summary.
    #[serde(skip_deserializing)]
    pub summary: Vec<SummaryRule>,
    #[serde(skip_deserializing)]
    pub documents: Vec<DocumentLink>,
    /// True when the prices are samples.
    #[serde(default)]
    pub sample: bool,
    /// A note beside the price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_note: Option<String>,
    /// Demands-and-needs sentences.
    #[serde(skip_deserializing)]
    pub needs: Vec<Need>,
    /// The exclusions of the cover, to be shown before the purchase.
    #[serde(skip_deserializing)]
    pub exclusions: Vec<CoverExclusion>,
    /// Null where the product assumes nothing.
    #[serde(skip_deserializing)]
    pub assumptions: Option<Assumptions>,
    /// Null where the product has no words of its own for it.
    #[serde(skip_deserializing)]
    pub help: Option<Help>,
    /// The areas that its choices cover. Absent if the product has no map.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub coverage_map: Option<CoverageMap>,
    /// The answer that leads into the form.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub start_field: Option<StartField>,
    /// How long an affiliate's list may be.
    #[serde(skip_deserializing)]
    pub affiliates: Vec<AffiliateEntries>,
    /// Answers that a word in the address chooses.
    #[serde(skip_deserializing)]
    #[schema(BTreeMap<String, Values>)]
    pub presets: IndexMap<String, Map<String, Value>>,
    /// Fields whose change changes the price; `dataset.field` in repeatable datasets.
    #[serde(skip_deserializing)]
    pub watch: Vec<String>,
    /// Fields that underwriting reads; `dataset.field` in repeatable datasets. Underwriting can refuse an
    /// answer to such a field before the form is complete.
    #[serde(skip_deserializing)]
    pub decides: Vec<String>,
}

fn read_date<'de, D: Deserializer<'de>>(from: D) -> Result<NaiveDate, D::Error> {
    let date = Date::deserialize(from)?;
    let read = NaiveDate::from_ymd_opt(date.year.into(), date.month.into(), date.day.into());
    read.ok_or_else(|| de::Error::custom("there is no such day"))
}
