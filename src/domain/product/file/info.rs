//! Checks the product's identity and the data for the website: `[product]`, `[presets]`,
//! `[assumptions]`, `[help]`, `[start_field]` and `[affiliates]`.

use serde_json::{Map, Value};

use super::names::{NameScope, Names};
use super::source::SourceLine;
use crate::domain::document::ProductDocument;
use crate::domain::money::Pence;
use crate::domain::product::fields::Dataset;
use crate::domain::product::file::raw::ProductFile;
use crate::domain::product::first_page::StartField;
use crate::domain::product::info::{AffiliateEntries, DocumentLink, Info, Offer};
use crate::domain::product::tariff::{Figure, Tariff, TariffStep};
use crate::domain::quote::answers::Answers;

/// Checks the product's data for the website.
pub(super) fn check(file: &ProductFile, names: &Names, root: SourceLine) {
    check_identity(&file.product, root.key("product"));
    let assumptions = file.assumptions.as_ref();
    if assumptions.is_some_and(|assumptions| assumptions.points.is_empty()) {
        let place = root.key("assumptions").key("points");
        place.report("assumptions need at least one of `points`");
    }
    let help = file.help.as_ref();
    if help.is_some_and(|help| help.assistance && help.phone.is_some()) {
        let place = root.key("help").key("phone");
        place.report("`phone` and `assistance` name two numbers to call");
    }
    if let Some(start_field) = &file.start_field {
        check_start_field(names, start_field, root.key("start_field"));
    }
    for (word, answers) in &file.presets {
        names.check_answers(root.key("presets").key(word), answers);
    }
}

fn check_identity(product: &Info, place: SourceLine) {
    let is_word = |text: &str| text.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    if !is_word(&product.product_identifier) {
        place.report_key("identifier", "is a word of small letters and hyphens");
    }
    let mut prefix = product.reference_prefix.bytes();
    if !prefix.all(|b| b.is_ascii_uppercase()) {
        place.report_key("reference_prefix", "is a few capital letters");
    }
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"._-".contains(&b);
    if !product.version.bytes().all(is_plain) {
        let rule = "is letters, digits, full stops and hyphens: it is part of addresses";
        place.report_key("version", rule);
    }
    place.check_count("min_bind_days", product.min_bind_days);
    if product.price_from_for.is_some() && product.price_from_answers.is_none() {
        place.report_key("price_from_for", "needs `price_from`");
    }
}

/// Returns the documents that every product has, wording first.
pub(super) fn documents(product: &Info) -> Vec<DocumentLink> {
    ProductDocument::ALL
        .into_iter()
        .map(|kind| DocumentLink {
            identifier: kind.identifier(&product.product_identifier, &product.version),
            title: kind.title().to_owned(),
        })
        .collect()
}

/// Returns the entries of `[affiliates]`, with datasets instead of the count fields that a file
/// names. Reports names that are not count fields.
pub(super) fn affiliates(
    datasets: &[Dataset],
    mut entries: Vec<AffiliateEntries>,
    place: SourceLine,
) -> Vec<AffiliateEntries> {
    for (entry, place) in entries.iter_mut().zip(place.items("entries")) {
        let name = &entry.dataset;
        let mut datasets = datasets.iter();
        match datasets.find(|dataset| dataset.count_field.as_ref() == Some(name)) {
            Some(dataset) => entry.dataset.clone_from(&dataset.identifier),
            None => place
                .key("count")
                .report(format!("`{name}` is no `count_field`")),
        }
    }
    entries
}

/// Returns an entry for every dataset with a count field, with a `more` of 0.
pub(super) fn counted_datasets(datasets: &[Dataset]) -> Vec<AffiliateEntries> {
    let counted = datasets
        .iter()
        .filter(|dataset| dataset.count_field.is_some());
    let entries = counted.map(|dataset| AffiliateEntries {
        dataset: dataset.identifier.clone(),
        more: 0,
    });
    entries.collect()
}

/// Returns the answers of `price_from`: fields outside repeatable datasets, and a list of instances
/// for each repeatable dataset. Reports wrong names and answers.
pub(super) fn price_from(names: &Names, read: &Map<String, Value>, place: SourceLine) -> Answers {
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

/// Checks the start field, which must be a registration in a repeatable dataset, and its answers.
fn check_start_field(names: &Names, start_field: &StartField, place: SourceLine) {
    let found = names.resolve(&start_field.field, NameScope::default());
    let found = found.and_then(|field_ref| {
        let kind = names.field(field_ref).map(|field| field.kind);
        let repeats = names.repeatable_dataset(field_ref).is_some();
        match kind {
            Some(kind) if kind.is_registration() && repeats => Ok(()),
            _ => Err("the way in is a `registration` of a dataset that repeats".into()),
        }
    });
    if let Err(text) = found {
        place.key("field").report(text);
    }
    names.check_answers(place.key("answers"), &start_field.answers);
    names.check_answers(place.key("other_answers"), &start_field.other_answers);
}

/// Returns the extras of a fixed price that campaigns make free.
pub(super) fn offers(tariff: &Tariff) -> Vec<Offer> {
    let offer = |step: &TariffStep| {
        let (Some(free), Figure::Fixed(figure)) = (&step.free, &step.figure) else {
            return None;
        };
        let net = Pence(*figure);
        Some(Offer {
            code: step.code.clone(),
            label: step.label.fixed()?.to_owned(),
            note: free.note.clone(),
            price: net + tariff.tax.on(net),
            utm_campaign: free.campaigns.clone(),
            utm_medium: free.mediums.clone(),
            utm_source: free.sources.clone(),
        })
    };
    tariff.steps.iter().filter_map(offer).collect()
}
