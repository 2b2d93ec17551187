//! The prices on a product's first page, before any answer.

use serde_json::{Map, Value};

use crate::app::AppError;
use crate::app::products::ProductRegistry;
use crate::app::quotes::price::shown_price;
use crate::clock::Clock;
use crate::domain::money::price::{Basis, Price};
use crate::domain::product::condition::Scalar;
use crate::domain::product::form::{self, Scope};
use crate::domain::product::{Dataset, Field, FieldKind, Form, Product};
use crate::domain::quote::answers::Answers;
use crate::domain::quote::campaign::SourceTracking;

/// The price of each choice of the compared field. The other answers are assumed.
pub struct FirstPrices {
    /// The field whose choices are compared by price.
    pub field: String,
    /// The assumed answers: the answers of the preset, and the start field's answers for other fields.
    pub assumed: Map<String, Value>,
    /// The assumptions about visible datasets, each in a few words, such as "one new car".
    pub for_whom: Vec<String>,
    /// The visible choices that have a price, in the order of the form.
    pub choices: Vec<ChoicePrice>,
}

pub struct ChoicePrice {
    pub value: Value,
    /// The label in the form.
    pub label: String,
    /// The price today.
    pub price: Price,
    /// Whether the price is for the whole term or for one day.
    pub basis: Basis,
}

/// Returns the prices on a product's first page. `preset` is the word of the page's address. Returns `None`
/// if no choice has a price: the product compares nothing by price, or an answer is missing.
///
/// # Errors
/// [`AppError::NotFound`] for an unknown product.
pub fn first_prices(
    clock: &Clock,
    products: &ProductRegistry,
    product: &str,
    preset: Option<&str>,
    tracking: &SourceTracking,
) -> Result<Option<FirstPrices>, AppError> {
    let today = clock.today();
    let product = &products.find(product, today)?.product;
    let start_form = product.form_for(today);
    let assumed = with_defaults(product, preset);
    let answers = first_answers(&start_form, &assumed);
    let form = form::describe(product, &answers, Scope::Draft, today);
    let Some(compared) = comparison_field(&form) else {
        return Ok(None);
    };
    let mut choices = Vec::new();
    for option in &compared.options {
        let is_shown = option.visible_when.as_ref().is_none_or(|condition| {
            condition.holds(&|name: &String| {
                let field = fields(&form).find(|field| field.name == *name);
                field.map_or(Scalar::Missing, |field| Scalar::from_json(&field.value))
            })
        });
        let mut answers = answers.clone();
        let (name, value) = (compared.name.clone(), option.value.clone());
        answers.values.insert(name, value.clone());
        // A choice that needs more answers has no price, so the list omits the choice.
        let priced = shown_price(clock, products, product.identifier(), &answers, tracking);
        if let (true, Ok((price, basis))) = (is_shown, priced) {
            choices.push(ChoicePrice {
                value,
                label: option.label.clone(),
                price,
                basis,
            });
        }
    }
    let visible = form.datasets.iter().filter(|dataset| dataset.visible);
    Ok((!choices.is_empty()).then(|| FirstPrices {
        field: compared.name.clone(),
        assumed,
        for_whom: visible.filter_map(default_instance).collect(),
        choices,
    }))
}

/// Returns the answers of the preset. Adds the start field's answers for fields that the preset leaves out.
fn with_defaults(product: &Product, preset: Option<&str>) -> Map<String, Value> {
    let info = product.info();
    let chosen = preset.and_then(|word| info.presets.get(word));
    let mut assumed = chosen.cloned().unwrap_or_default();
    if let Some(start_field) = &info.start_field {
        for (name, value) in &start_field.answers {
            assumed.entry(name).or_insert_with(|| value.clone());
        }
    }
    assumed
}

/// Returns the answers with which the website opens a form.
fn first_answers(form: &Form, assumed: &Map<String, Value>) -> Answers {
    let mut answers = Answers::default();
    for dataset in &form.datasets {
        let defaults = dataset.fields.iter();
        let defaults = defaults.filter(|field| !Scalar::from_json(&field.default).is_missing());
        let defaults: Map<_, _> = defaults
            .map(|field| (field.name.clone(), field.default.clone()))
            .collect();
        if dataset.multi {
            let instances = vec![defaults; dataset.min];
            answers.multi.insert(dataset.identifier.clone(), instances);
        } else {
            answers.values.extend(defaults);
        }
    }
    answers.values.extend(assumed.clone());
    answers
}

fn fields(form: &Form) -> impl Iterator<Item = &Field> {
    let asked_once = form.datasets.iter().filter(|dataset| !dataset.multi);
    asked_once.flat_map(|dataset| &dataset.fields)
}

/// Returns the last visible field with cards that affects the price, outside repeatable datasets. Returns
/// `None` if there is no such field, or if an earlier such field has no answer. The website has the same rule
/// (`comparedField` and `isComparable`).
fn comparison_field(form: &Form) -> Option<&Field> {
    let mut cards: Vec<&Field> = fields(form)
        .filter(|field| field.kind == FieldKind::Cards && field.rateable && field.visible)
        .collect();
    let last = cards.pop()?;
    let answered = |field: &&Field| !Scalar::from_json(&field.value).is_missing();
    cards.iter().all(answered).then_some(last)
}

/// Returns the product file's text about the assumed instances of a dataset. Returns `None` if there is no
/// text. Also returns `None` if the form starts with instances that have a default that affects the price.
fn default_instance(dataset: &Dataset) -> Option<String> {
    let has_rated_default =
        |field: &Field| field.rateable && !Scalar::from_json(&field.default).is_missing();
    let is_told = dataset.min > 0 && dataset.fields.iter().any(has_rated_default);
    dataset.assumed.clone().filter(|_| !is_told)
}
