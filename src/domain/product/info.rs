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
    /// The text. `{field}` and `{dataset.field}` stand for answers.
    pub text: String,
    /// Whether the result is shown in capitals.
    #[serde(default)]
    pub upper: bool,
    /// Whether lists of policies and quotes show the line.
    #[serde(default)]
    pub in_lists: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<Condition>,
}

/// A demands-and-needs sentence.
#[derive(Clone, Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct Need {
    /// The sentence. `{field}` and `{dataset.field}` stand for answers.
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<Condition>,
}

/// The assumptions of the cover, to be read before the purchase.
#[derive(Clone, Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct Assumptions {
    pub title: String,
    /// A sentence before the assumptions. Left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intro: Option<String>,
    /// The assumptions, each in a sentence or two.
    #[serde(default)]
    pub points: Vec<String>,
}

/// What to do when the cover is needed.
#[derive(Clone, Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct Help {
    /// The heading of the help, and the text of the telephone button in the account.
    pub title: String,
    /// What to do, in one or two sentences.
    pub text: String,
    /// The covered event, such as "A breakdown". The website tells that the event is not covered before cover
    /// begins. Left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// Whether the customer calls the number that is answered at any hour, and not the office.
    #[serde(default)]
    pub assistance: bool,
    /// A number to call other than the shop's own numbers. Left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
}

/// An extra that is free for visitors of a campaign.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
pub struct Offer {
    /// Name of the price line, and of the field that chooses the extra.
    pub code: String,
    pub label: String,
    /// Why the extra is free.
    pub note: String,
    /// What the extra costs without the campaign, in pounds, with tax.
    pub price: Pence,
    /// The accepted campaigns, media and sources. The address of the visitor must have one of each.
    pub utm_campaign: Vec<String>,
    pub utm_medium: Vec<String>,
    pub utm_source: Vec<String>,
}

/// A limit of an affiliate's list: the number of instances of a dataset, plus `more`. The largest limit
/// applies, and at least 1.
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

/// A product's data and texts for the website.
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
    /// The product's title in a list.
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
    /// The format of amounts: whether thousands are separated, and whether whole pounds show pence.
    pub money_format: String,
    pub stepper: StepperKind,
    /// Days from today to the first day on which cover can start.
    #[serde(default)]
    pub min_bind_days: i64,
    /// Days for which a quote's price holds, at most to the end of the first day of cover.
    #[serde(skip_deserializing)]
    pub quote_valid_days: i64,
    /// The text of the consent to automatic renewal. It is stored with the payment.
    #[serde(skip_deserializing)]
    pub renewal_consent: String,
    /// Days from the first to the last day of annual cover.
    #[serde(skip_deserializing)]
    pub term_days: i64,
    /// The promise at the top of the page.
    pub headline: String,
    /// Short facts under the headline.
    #[serde(default)]
    pub facts: Vec<String>,
    /// The price of the answers that the product file gives for `price_from`, in pounds, with tax and
    /// charges. Left out if the file gives none.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub price_from: Option<Pence>,
    /// The answers with the price `price_from`: fields outside repeatable datasets, and a list of
    /// instances for each repeatable dataset.
    #[serde(rename(deserialize = "price_from"), skip_serializing)]
    pub price_from_answers: Option<Map<String, Value>>,
    /// The subject of `price_from`, such as "one car, local, with the excess".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_from_for: Option<String>,
    /// The extras that campaigns make free. Left out if empty.
    #[serde(skip_deserializing, skip_serializing_if = "Vec::is_empty")]
    pub offers: Vec<Offer>,
    /// Lines of the cover summary.
    #[serde(skip_deserializing)]
    pub summary: Vec<SummaryRule>,
    #[serde(skip_deserializing)]
    pub documents: Vec<DocumentLink>,
    /// Whether the prices are samples.
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
    /// The assumptions of the cover. Null if the product has none.
    #[serde(skip_deserializing)]
    pub assumptions: Option<Assumptions>,
    /// The help for a customer who needs the cover. Null if the product has no texts for it.
    #[serde(skip_deserializing)]
    pub help: Option<Help>,
    /// The areas that the product's choices cover. Left out if the product has no map.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub coverage_map: Option<CoverageMap>,
    /// The first question of the first page. Left out if the first page asks for nothing.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub start_field: Option<StartField>,
    /// The limits of an affiliate's list.
    #[serde(skip_deserializing)]
    pub affiliates: Vec<AffiliateEntries>,
    /// The answers with which a page begins, by a word in the page's address.
    #[serde(skip_deserializing)]
    #[schema(BTreeMap<String, Values>)]
    pub presets: IndexMap<String, Map<String, Value>>,
    /// The fields and the counts on which the price depends. A field of a repeatable dataset is
    /// `dataset.field`.
    #[serde(skip_deserializing)]
    pub watch: Vec<String>,
    /// The fields that underwriting reads. A field of a repeatable dataset is `dataset.field`. Underwriting can
    /// refuse an answer to such a field before the form is complete.
    #[serde(skip_deserializing)]
    pub decides: Vec<String>,
}

fn read_date<'de, D: Deserializer<'de>>(from: D) -> Result<NaiveDate, D::Error> {
    let date = Date::deserialize(from)?;
    let read = NaiveDate::from_ymd_opt(date.year.into(), date.month.into(), date.day.into());
    read.ok_or_else(|| de::Error::custom("there is no such day"))
}
