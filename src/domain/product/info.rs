//! What a shop says about a product, as the website gets it.

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::first_page::{Reach, WayIn};
use super::gaps::Gap;
use super::stepper::StepperKind;
use crate::domain::condition::Condition;
use crate::domain::money::Pence;

/// A line of the summary, or a demands-and-needs sentence.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SummaryRule {
    /// Name of the line.
    pub code: String,
    /// Its text, with `{field}` and `{dataset.field}` filled in.
    pub text: String,
    /// Whether the result is shown in capitals.
    #[serde(default)]
    pub upper: bool,
    /// When the line is there.
    pub when: Option<Condition>,
}

/// A demands-and-needs sentence.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Need {
    /// The sentence, filled in as a summary line is.
    pub text: String,
    /// When it is said.
    pub when: Option<Condition>,
}

/// What the cover takes for granted, to be read before it is bought.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assumptions {
    /// Their heading.
    pub title: String,
    /// A sentence before them.
    pub intro: Option<String>,
    /// The assumptions, a sentence or so each.
    #[serde(default)]
    pub points: Vec<String>,
}

/// What to do when the cover is needed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Help {
    /// Its heading, and what the account's telephone button says.
    pub title: String,
    /// What to do, a sentence or two.
    pub text: String,
    /// The event that is covered, such as "A breakdown", for the sentence that says it isn't covered
    /// before cover begins.
    pub event: Option<String>,
    /// Whether to call the number that is answered at any hour, and not the office.
    #[serde(default)]
    pub assistance: bool,
    /// The number of somebody else to call.
    pub phone: Option<String>,
}

/// What an affiliate's list counts: the instances of a dataset and so many more. The
/// largest of them is how long the list may be.
#[derive(Clone, Debug)]
pub struct AffiliateEntries {
    /// The dataset whose instances count.
    pub dataset: String,
    /// How many more than those.
    pub more: usize,
}

/// A document of the product.
#[derive(Clone, Debug)]
pub struct DocumentLink {
    /// Its identifier.
    pub identifier: String,
    /// Its title.
    pub title: String,
}

/// What a shop says about a product.
#[derive(Clone, Debug)]
pub struct Info {
    /// The product's number.
    pub product_id: u32,
    /// The product's identifier.
    pub product_identifier: String,
    /// Its full title.
    pub product_title: String,
    /// Its title in a list.
    pub product_short_title: String,
    /// Version of the product file.
    pub version: String,
    /// Currency of its amounts.
    pub currency: String,
    /// Locale of its amounts.
    pub locale: String,
    /// Pattern of its amounts.
    pub money_format: String,
    /// Which stepper leads through it.
    pub stepper: StepperKind,
    /// Days from today to the first day cover can start.
    pub min_bind_days: i64,
    /// Days a quote stays good.
    pub quote_valid_days: i64,
    /// Days before the last day of cover from which the next term is quoted.
    pub renewal_lead_days: i64,
    /// Days from inception to expiry.
    pub term_days: i64,
    /// The promise at the top of the page.
    pub headline: String,
    /// Short facts under it.
    pub facts: Vec<String>,
    /// The smallest price, in pounds with tax, worked out from the tariff.
    pub price_from: Option<Pence>,
    /// What that price is for: "one car, local, with the excess".
    pub price_from_for: Option<String>,
    /// Lines of the cover summary.
    pub summary: Vec<SummaryRule>,
    /// Documents of the product.
    pub documents: Vec<DocumentLink>,
    /// Whether the prices are samples.
    pub sample: bool,
    /// What is said beside the price.
    pub price_note: Option<String>,
    /// Demands-and-needs sentences.
    pub needs: Vec<Need>,
    /// What the cover would not do.
    pub gaps: Vec<Gap>,
    /// What the cover takes for granted; null where the product assumes nothing.
    pub assumptions: Option<Assumptions>,
    /// What to do when the cover is needed; null where the file doesn't say.
    pub help: Option<Help>,
    /// How far its choices reach; null where the file doesn't say.
    pub reach: Option<Reach>,
    /// The answer that leads into the form; null where there is none.
    pub way_in: Option<WayIn>,
    /// How long an affiliate's list may be.
    pub affiliates: Vec<AffiliateEntries>,
    /// Answers that a word in the address chooses.
    pub presets: IndexMap<String, Map<String, Value>>,
    /// Fields whose change changes the price; `dataset.field` in repeatable datasets.
    pub watch: Vec<String>,
    /// Fields that underwriting reads, named alike.
    pub decides: Vec<String>,
}
