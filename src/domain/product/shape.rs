//! What a product looks like on the wire: its form, its steps and its facts.

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::domain::condition::Condition;

/// A product's form: datasets in the order they are asked.
#[derive(Clone, Debug, Serialize)]
pub struct Form {
    /// The product's identifier, such as a word for its address.
    pub product_identifier: String,
    /// The product's number.
    pub product_id: u32,
    /// Groups of fields.
    pub datasets: Vec<Dataset>,
}

/// A group of fields that belong together; repeatable when `multi`.
#[derive(Clone, Debug, Serialize)]
pub struct Dataset {
    /// Number of the dataset within the product.
    pub id: u32,
    /// Its name in `multi` and in paths.
    pub identifier: String,
    /// Its heading.
    pub title: String,
    /// A sentence under the heading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether it repeats (vehicles, persons, trips).
    pub multi: bool,
    /// Fewest instances.
    pub min: usize,
    /// Most instances.
    pub max: usize,
    /// Name of the derived count of instances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count_field: Option<String>,
    /// What one instance is called in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noun: Option<String>,
    /// What several are called in a sentence; where it repeats, always there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plural: Option<String>,
    /// The questions asked before an instance is removed or cleared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirm: Option<Confirm>,
    /// Statements the customer declares.
    pub statements: Vec<String>,
    /// When the dataset shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visible_when: Option<Condition>,
    /// Whether it shows.
    pub visible: bool,
    /// Its fields; of a repeatable one, the pattern of each instance.
    pub fields: Vec<Field>,
    /// The instances of a repeatable one, only where answers were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instances: Option<Vec<Vec<InstanceField>>>,
}

/// The questions of a repeatable dataset's confirm dialog.
#[derive(Clone, Debug, Serialize)]
pub struct Confirm {
    /// Asked before one of several is removed.
    pub remove: String,
    /// Asked before the only one is cleared.
    pub clear: String,
}

/// One field of one instance.
#[derive(Clone, Debug, Serialize)]
pub struct InstanceField {
    /// The field.
    pub name: String,
    /// Its answer, or null.
    pub value: Value,
    /// Whether it shows in this instance.
    pub visible: bool,
    /// What is wrong with it.
    pub errors: Vec<String>,
}

/// How a field is asked and read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Big cards, one of which is chosen.
    Cards,
    /// Radio buttons.
    Radio,
    /// A drop-down list.
    Select,
    /// 1 is yes, 2 is no (specification, part 3).
    YesNo,
    /// True or false.
    Checkbox,
    /// One line of text.
    Text,
    /// An email address.
    Email,
    /// A telephone number, kept in E.164.
    Phone,
    /// A UK postcode.
    Postcode,
    /// A UK registration mark.
    Registration,
    /// A date, `dd.MM.yyyy`.
    Date,
    /// A number with at most two decimals.
    Number,
    /// Lines of text.
    Address,
}

impl Kind {
    /// Every kind by its name in a product file.
    pub const ALL: [(&'static str, Self); 13] = [
        ("cards", Self::Cards),
        ("radio", Self::Radio),
        ("select", Self::Select),
        ("yes_no", Self::YesNo),
        ("checkbox", Self::Checkbox),
        ("text", Self::Text),
        ("email", Self::Email),
        ("phone", Self::Phone),
        ("postcode", Self::Postcode),
        ("registration", Self::Registration),
        ("date", Self::Date),
        ("number", Self::Number),
        ("address", Self::Address),
    ];

    /// Whether one of listed options is chosen.
    pub fn has_options(self) -> bool {
        matches!(self, Self::Cards | Self::Radio | Self::Select | Self::YesNo)
    }
}

/// A question.
#[derive(Clone, Debug, Serialize)]
pub struct Field {
    /// Its name in answers.
    pub name: String,
    /// What the form calls it.
    pub label: String,
    /// How it is asked.
    pub kind: Kind,
    /// Its answer, or null.
    pub value: Value,
    /// The answer it starts with, or null.
    pub default: Value,
    /// Whether it shows.
    pub visible: bool,
    /// Shown, never asked.
    pub display_only: bool,
    /// Can't be changed once the cover is bought.
    pub locked: bool,
    /// Never shown nor asked; keeps its default.
    pub force_hidden: bool,
    /// Whether an answer is needed.
    pub required: bool,
    /// Whether the price depends on it.
    pub rateable: bool,
    /// What is wrong with the answer.
    pub errors: Vec<String>,
    /// A hint shown with the field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Why it is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// What can be chosen.
    pub options: Vec<FieldOption>,
    /// When it shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visible_when: Option<Condition>,
    /// Limits of the answer.
    pub validation: Validation,
    /// How much of a row it takes: full, half or third.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<String>,
    /// The browser's autocomplete token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub autocomplete: Option<String>,
}

/// Something that can be chosen.
#[derive(Clone, Debug, Serialize)]
pub struct FieldOption {
    /// What an answer holds: a number or a text.
    pub value: Value,
    /// What the form shows.
    pub label: String,
    /// What a summary says.
    pub text: String,
    /// A sentence about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What it covers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub includes: Vec<String>,
    /// What it doesn't cover.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub excludes: Vec<String>,
    /// A picture's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icon: Option<String>,
    /// When it can be chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visible_when: Option<Condition>,
}

/// Limits of an answer.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Validation {
    /// Fewest characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_length: Option<usize>,
    /// Most characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<usize>,
    /// Smallest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<i64>,
    /// Largest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<i64>,
    /// Earliest date.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_date: Option<DateLimit>,
    /// Latest date.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_date: Option<DateLimit>,
}

/// A date some days after another.
#[derive(Clone, Debug, Serialize)]
pub struct DateLimit {
    /// `today`, or the name of a date field.
    pub from: String,
    /// Days after it; before it when negative.
    pub days: i64,
}

/// A line of the summary, or a demands-and-needs sentence.
#[derive(Clone, Debug, Serialize)]
pub struct SummaryRule {
    /// Name of the line.
    pub code: String,
    /// Its text, with `{field}` and `{dataset.field}` filled in.
    pub text: String,
    /// Whether the result is shown in capitals.
    pub upper: bool,
    /// When the line is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<Condition>,
}

/// A demands-and-needs sentence.
#[derive(Clone, Debug, Serialize)]
pub struct Need {
    /// The sentence, filled in as a summary line is.
    pub text: String,
    /// When it is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<Condition>,
}

/// What the cover takes for granted, to be read before it is bought.
#[derive(Clone, Debug, Serialize)]
pub struct Assumptions {
    /// Their heading.
    pub title: String,
    /// A sentence before them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intro: Option<String>,
    /// The assumptions, a sentence or so each.
    pub points: Vec<String>,
}

/// What to do when the cover is needed.
#[derive(Clone, Debug, Serialize)]
pub struct Help {
    /// Its heading, and what the account's telephone button says.
    pub title: String,
    /// What to do, a sentence or two.
    pub text: String,
    /// What cover is for: "A breakdown" is not covered before cover begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// Whether to call the number that is answered at any hour, and not the office.
    pub assistance: bool,
    /// The number of somebody else to call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
}

/// What an affiliate's list counts: the instances of a dataset and so many more. The
/// largest of them is how long the list may be.
#[derive(Clone, Debug, Serialize)]
pub struct AffiliateEntries {
    /// The dataset whose instances count.
    pub dataset: String,
    /// How many more than those.
    pub more: usize,
}

/// A document of the product.
#[derive(Clone, Debug, Serialize)]
pub struct DocumentLink {
    /// Its identifier.
    pub identifier: String,
    /// Its title.
    pub title: String,
}

/// What a shop says about a product.
#[derive(Clone, Debug, Serialize)]
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
    /// Which stepper leads through it: `form` (1, 2, 3) or `generic` (10, 20, 30).
    pub stepper: String,
    /// Days from today to the first day cover can start.
    pub min_bind_days: i64,
    /// Days a quote stays good.
    pub quote_valid_days: i64,
    /// Days from inception to expiry.
    pub term_days: i64,
    /// The promise at the top of the page.
    pub headline: String,
    /// Short facts under it.
    pub facts: Vec<String>,
    /// The smallest price, in pounds with tax, worked out from the tariff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_from: Option<crate::domain::money::Pence>,
    /// Lines of the cover summary.
    pub summary: Vec<SummaryRule>,
    /// Documents of the product.
    pub documents: Vec<DocumentLink>,
    /// Whether the prices are samples.
    pub sample: bool,
    /// What is said beside the price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_note: Option<String>,
    /// Demands-and-needs sentences.
    pub needs: Vec<Need>,
    /// What the cover takes for granted; null where the product assumes nothing.
    pub assumptions: Option<Assumptions>,
    /// What to do when the cover is needed; null where the file doesn't say.
    pub help: Option<Help>,
    /// How long an affiliate's list may be.
    pub affiliates: Vec<AffiliateEntries>,
    /// Answers that a word in the address chooses.
    pub presets: IndexMap<String, Map<String, Value>>,
    /// Fields whose change changes the price; `dataset.field` in repeatable datasets.
    pub watch: Vec<String>,
}

/// The steps that lead through a form.
#[derive(Clone, Debug, Serialize)]
pub struct StepperData {
    /// Title of the stepper.
    pub title: String,
    /// Context whose steps are used unless another is asked for.
    pub default: String,
    /// Steps by context.
    pub product_steps: IndexMap<String, StepGroup>,
    /// Other steps for other answers.
    #[serde(rename = "activatedBy")]
    pub activated_by: ActivatedBy,
}

/// Steps that an answer brings in.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ActivatedBy {
    /// The field that decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Steppers by the field's value.
    pub values: IndexMap<String, ActivatedSteps>,
}

/// The stepper for one value of the deciding field.
#[derive(Clone, Debug, Serialize)]
pub struct ActivatedSteps {
    /// Title of the stepper.
    pub title: String,
    /// Steps by context.
    pub product_steps: IndexMap<String, StepGroup>,
}

/// Steps in order.
#[derive(Clone, Debug, Serialize)]
pub struct StepGroup {
    /// Title of the group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The steps.
    pub steps: Vec<Step>,
}

/// One step.
#[derive(Clone, Debug, Serialize)]
pub struct Step {
    /// 1, 2, 3 in a form stepper; 10, 20, 30 in a generic one.
    pub number: u32,
    /// Its title.
    pub title: String,
    /// A picture's name.
    pub icon: String,
    /// Datasets it shows.
    pub datasets: Vec<String>,
    /// Fields its validation leaves out; `dataset.field` in repeatable datasets.
    pub skip: Vec<String>,
}
