//! Checks `[product]`, `[presets]`, `[assumptions]`, `[help]` and `[way_in]`: who the product is
//! and what is said of it.

use chrono::NaiveDate;
use serde_json::{Map, Value};

use super::file::{Identity, ProductFile};
use super::first_page;
use super::names::{NameScope, Names};
use super::source::Place;
use crate::domain::answers::Answers;
use crate::domain::dates::TERM_DAYS;
use crate::domain::document::ProductDocument;
use crate::domain::product::first_page::WayIn;
use crate::domain::product::info::{Assumptions, DocumentLink, Help, Info};

/// What the file says of the product. What depends on its compiled form is added later.
pub(super) fn info(file: &ProductFile, names: &Names, root: Place) -> Info {
    let product = &file.product;
    check_identity(product, root.key("product"));
    if let Some(assumptions) = &file.assumptions {
        check_assumptions(assumptions, root.key("assumptions"));
    }
    if let Some(help) = &file.help {
        check_help(help, root.key("help"));
    }
    if let Some(way_in) = &file.way_in {
        check_way_in(names, way_in, root.key("way_in"));
    }
    for (word, answers) in &file.presets {
        names.check_answers(root.key("presets").key(word), answers);
    }
    let reach = file.reach.as_ref();
    Info {
        product_id: product.id,
        product_identifier: product.identifier.clone(),
        product_title: product.title.clone(),
        product_short_title: product.short_title.clone(),
        version: product.version.clone(),
        currency: product.currency.clone(),
        locale: product.locale.clone(),
        money_format: product.money_format.clone(),
        stepper: product.stepper,
        min_bind_days: product.min_bind_days,
        quote_valid_days: file.terms.quote_valid_days,
        renewal_lead_days: file.terms.renewal_lead_days,
        term_days: TERM_DAYS,
        headline: product.headline.clone(),
        facts: product.facts.clone(),
        price_from: None,
        price_from_for: product.price_from_for.clone(),
        summary: file.summary.clone(),
        documents: documents(product),
        sample: product.sample,
        price_note: product.price_note.clone(),
        needs: file.needs.clone(),
        gaps: file.gaps.clone(),
        assumptions: file.assumptions.clone(),
        help: file.help.clone(),
        reach: reach.map(|reach| first_page::reach(names, reach, root.key("reach"))),
        way_in: file.way_in.clone(),
        affiliates: Vec::new(),
        presets: file.presets.clone(),
        watch: Vec::new(),
        decides: Vec::new(),
    }
}

fn check_identity(product: &Identity, place: Place) {
    let is_word = |text: &str| text.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    if !is_word(&product.identifier) {
        place
            .key("identifier")
            .report("`identifier` is a word of small letters and hyphens");
    }
    let mut prefix = product.reference_prefix.bytes();
    if !prefix.all(|b| b.is_ascii_uppercase()) {
        place
            .key("reference_prefix")
            .report("`reference_prefix` is a few capital letters");
    }
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"._-".contains(&b);
    if !product.version.bytes().all(is_plain) {
        place.key("version").report(
            "`version` is letters, digits, full stops and hyphens: it is part of addresses",
        );
    }
    place.check_count("min_bind_days", product.min_bind_days);
    if product.price_from_for.is_some() && product.price_from.is_none() {
        place
            .key("price_from_for")
            .report("`price_from_for` needs `price_from`");
    }
}

pub(super) fn effective_from(product: &Identity) -> Option<NaiveDate> {
    let date = product.effective_from;
    NaiveDate::from_ymd_opt(date.year.into(), date.month.into(), date.day.into())
}

/// The documents that every product has, wording first.
fn documents(product: &Identity) -> Vec<DocumentLink> {
    ProductDocument::ALL
        .into_iter()
        .map(|kind| DocumentLink {
            identifier: kind.identifier(&product.identifier, &product.version),
            title: kind.title().to_owned(),
        })
        .collect()
}

/// Answers to top-level fields, and a list of instances for each repeatable dataset named.
pub(super) fn price_from(names: &Names, read: &Map<String, Value>, place: Place) -> Answers {
    let mut answers = Answers::default();
    for (name, value) in read {
        let Value::Array(items) = value else {
            answers.values.insert(name.clone(), value.clone());
            continue;
        };
        let place = place.key(name);
        let dataset = match names.repeatable(name) {
            Ok(dataset) => dataset,
            Err(text) => {
                place.report(text);
                continue;
            }
        };
        let instances = items.iter().zip(place.list()).filter_map(|(item, place)| {
            let Value::Object(instance) = item else {
                place.report("an instance must be a table");
                return None;
            };
            names.check_instance(place, dataset, instance);
            Some(instance.clone())
        });
        answers.multi.insert(name.clone(), instances.collect());
    }
    names.check_answers(place, &answers.values);
    answers
}

/// The answer that leads into the form: a registration that can be given for each of several.
fn check_way_in(names: &Names, way_in: &WayIn, place: Place) {
    let found = names.resolve(&way_in.field, NameScope::default());
    let found = found.and_then(|field_ref| {
        let kind = names.field(field_ref).map(|field| field.kind);
        let repeats = names.repeats(field_ref).is_some();
        match kind {
            Some(kind) if kind.is_registration() && repeats => Ok(()),
            _ => Err("the way in is a `registration` of a dataset that repeats".into()),
        }
    });
    if let Err(text) = found {
        place.key("field").report(text);
    }
    names.check_answers(place.key("answers"), &way_in.answers);
    names.check_answers(place.key("other_answers"), &way_in.other_answers);
}

fn check_assumptions(assumptions: &Assumptions, place: Place) {
    if assumptions.points.is_empty() {
        place
            .key("points")
            .report("assumptions need at least one of `points`");
    }
}

fn check_help(help: &Help, place: Place) {
    if help.assistance && help.phone.is_some() {
        place
            .key("phone")
            .report("`phone` and `assistance` name two numbers to call");
    }
}
