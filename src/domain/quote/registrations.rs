//! The registration marks in answers, whatever the product's field names.

use serde_json::Value;

use crate::domain::product::Product;
use crate::domain::quote::answers::Answers;

/// Returns a registration mark without spaces, the key of its look-ups.
#[must_use]
pub fn registration_key(registration: &str) -> String {
    registration.split_whitespace().collect()
}

/// Returns every registration mark in normalised answers, in the order of the form.
#[must_use]
pub fn registrations(product: &Product, answers: &Answers) -> Vec<String> {
    let mut found = Vec::new();
    for dataset in &product.compiled.datasets {
        let fields = dataset
            .fields
            .iter()
            .filter(|field| field.kind.is_registration());
        for field in fields {
            let mark = |instance: &serde_json::Map<String, Value>| {
                instance.get(&field.name)?.as_str().map(str::to_string)
            };
            if dataset.multi {
                let instances = answers.multi.get(&dataset.name).into_iter().flatten();
                found.extend(instances.filter_map(mark));
            } else {
                found.extend(mark(&answers.values));
            }
        }
    }
    found
}
