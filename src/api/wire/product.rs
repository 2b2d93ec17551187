//! Products as the website reads them: the form, what the shop says of the product, and
//! its steps.

use std::collections::BTreeMap;

use poem_openapi::Object;
use serde::Serialize;
use serde_json::Value;

use super::Pounds;

/// When something is shown: `field` with one of the tests, or `all`, `any` or `not`.
#[derive(Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
pub struct Condition {
    field: Option<String>,
    is: Option<Value>,
    #[oai(rename = "in")]
    #[serde(rename = "in")]
    one_of: Option<Vec<Value>>,
    at_least: Option<f64>,
    at_most: Option<f64>,
    set: Option<bool>,
    all: Option<Vec<Condition>>,
    any: Option<Vec<Condition>>,
    not: Option<Box<Condition>>,
}

/// One choice of a field.
#[derive(Object, Serialize)]
#[oai(rename = "FieldOption", skip_serializing_if_is_none)]
pub struct FieldOption {
    /// A number or a word.
    value: Value,
    /// What the form shows.
    label: String,
    /// What the summary says.
    text: String,
    description: Option<String>,
    includes: Option<Vec<String>>,
    excludes: Option<Vec<String>>,
    icon: Option<String>,
    visible_when: Option<Condition>,
}

/// A date, so many days from today or from another field's.
#[derive(Object, Serialize)]
pub struct DateLimit {
    /// `today`, or a field's name.
    from: String,
    days: i64,
}

/// What an answer must satisfy.
#[derive(Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
pub struct Validation {
    min_length: Option<u32>,
    max_length: Option<u32>,
    min: Option<f64>,
    max: Option<f64>,
    min_date: Option<DateLimit>,
    max_date: Option<DateLimit>,
}

/// A question.
#[derive(Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
pub struct Field {
    name: String,
    label: String,
    /// `cards`, `radio`, `select`, `yes_no`, `checkbox`, `text`, `email`, `phone`,
    /// `postcode`, `registration`, `date`, `number` or `address`.
    kind: String,
    value: Value,
    default: Value,
    visible: bool,
    display_only: bool,
    locked: bool,
    force_hidden: bool,
    required: bool,
    rateable: bool,
    errors: Vec<String>,
    help: Option<String>,
    why: Option<String>,
    options: Vec<FieldOption>,
    visible_when: Option<Condition>,
    validation: Validation,
    width: Option<String>,
    autocomplete: Option<String>,
}

/// What is asked before a card is removed or cleared.
#[derive(Object, Serialize)]
pub struct Confirm {
    remove: String,
    clear: String,
}

/// A field's state in one card of a repeatable dataset.
#[derive(Object, Serialize)]
pub struct FieldState {
    name: String,
    value: Value,
    visible: bool,
    errors: Vec<String>,
}

/// A group of questions, possibly repeatable.
#[derive(Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
pub struct Dataset {
    id: u32,
    identifier: String,
    title: String,
    description: Option<String>,
    multi: bool,
    min: u32,
    max: u32,
    count_field: Option<String>,
    noun: Option<String>,
    /// What several are called in a sentence, where it repeats.
    plural: Option<String>,
    confirm: Option<Confirm>,
    statements: Vec<String>,
    visible_when: Option<Condition>,
    visible: bool,
    fields: Vec<Field>,
    /// In answers of the form check: each card's fields.
    instances: Option<Vec<Vec<FieldState>>>,
}

/// A product's questions.
#[derive(Object, Serialize)]
pub struct Form {
    product_identifier: String,
    product_id: u32,
    datasets: Vec<Dataset>,
}

/// A line of the summary card: a text with `{field}` in it, and when it is there.
#[derive(Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
pub struct SummaryRule {
    code: String,
    text: String,
    upper: bool,
    when: Option<Condition>,
}

/// A demands-and-needs sentence, and when it is said.
#[derive(Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
pub struct Need {
    text: String,
    when: Option<Condition>,
}

/// What the cover takes for granted, to be read before it is bought.
#[derive(Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
pub struct Assumptions {
    title: String,
    /// A sentence before the points.
    intro: Option<String>,
    points: Vec<String>,
}

/// What to do when the cover is needed.
#[derive(Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
pub struct Help {
    title: String,
    text: String,
    /// What cover is for, such as "A breakdown": it isn't covered before cover begins.
    event: Option<String>,
    /// True where the number to call is the site's `assistance_phone`.
    assistance: bool,
    /// The number of somebody else to call.
    phone: Option<String>,
}

/// What an affiliate's list counts: a dataset's instances and so many more. The largest is
/// how long the list may be.
#[derive(Object, Serialize)]
pub struct AffiliateEntries {
    dataset: String,
    more: u32,
}

/// A document of the product.
#[derive(Object, Serialize)]
pub struct DocumentLink {
    identifier: String,
    title: String,
}

/// What the shop says of a product.
#[derive(Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
pub struct ProductInfo {
    product_id: u32,
    product_identifier: String,
    product_title: String,
    product_short_title: String,
    version: String,
    currency: String,
    locale: String,
    money_format: String,
    /// `form` or `generic`.
    stepper: String,
    min_bind_days: u32,
    quote_valid_days: u32,
    term_days: u32,
    headline: String,
    facts: Vec<String>,
    price_from: Option<Pounds>,
    summary: Vec<SummaryRule>,
    documents: Vec<DocumentLink>,
    /// True when the prices are samples.
    sample: bool,
    price_note: Option<String>,
    needs: Vec<Need>,
    /// Null where the product assumes nothing.
    assumptions: Option<Assumptions>,
    /// Null where the product has no words of its own for it.
    help: Option<Help>,
    affiliates: Vec<AffiliateEntries>,
    presets: BTreeMap<String, BTreeMap<String, Value>>,
    watch: Vec<String>,
}

/// A product whole.
#[derive(Object, Serialize)]
pub struct ProductRead {
    form: Form,
    info: ProductInfo,
}

/// A step of the form.
#[derive(Object, Serialize)]
pub struct Step {
    number: u32,
    title: String,
    icon: String,
    datasets: Vec<String>,
    /// Fields this step's validation leaves out.
    skip: Vec<String>,
}

/// Steps that belong together.
#[derive(Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
pub struct StepGroup {
    title: Option<String>,
    steps: Vec<Step>,
}

/// Steps that take over when a field has a value.
#[derive(Object, Serialize)]
pub struct ActivatedSteps {
    product_steps: BTreeMap<String, StepGroup>,
    title: String,
}

/// Which value brings which steps.
#[derive(Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
pub struct ActivatedBy {
    field: Option<String>,
    values: BTreeMap<String, ActivatedSteps>,
}

/// A product's steps, by context.
#[derive(Object, Serialize)]
pub struct StepperData {
    title: String,
    /// Key of the default steps.
    default: String,
    product_steps: BTreeMap<String, StepGroup>,
    #[oai(rename = "activatedBy")]
    #[serde(rename = "activatedBy")]
    activated_by: ActivatedBy,
}

/// A product in the list of all.
#[derive(Object, Serialize)]
pub struct ProductListItem {
    pub(in crate::api) product_title: String,
    pub(in crate::api) identifier: String,
}

/// A product that is on sale.
#[derive(Object, Serialize)]
pub struct EnabledProduct {
    pub(in crate::api) identifier: String,
    pub(in crate::api) product_title: String,
    pub(in crate::api) product_short_title: String,
    pub(in crate::api) enabled: bool,
    pub(in crate::api) stepper: String,
}
