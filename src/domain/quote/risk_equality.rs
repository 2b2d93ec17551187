//! Whether two sets of answers ask for the same cover at the same price.

use serde_json::{Map, Value};

use crate::domain::product::Product;
use crate::domain::product::compiled::CompiledField;
use crate::domain::quote::answers::Answers;

/// Whether normalised answers differ only in what neither the price nor underwriting depends on,
/// such as a telephone number or a tick under the terms.
#[must_use]
pub fn is_same_risk(product: &Product, one: &Answers, other: &Answers) -> bool {
    product.compiled.datasets.iter().all(|dataset| {
        let decides = |field: &&CompiledField| field.rating || field.underwriting;
        let deciding: Vec<_> = dataset.fields.iter().filter(decides).collect();
        let same = |one: &Map<String, Value>, other: &Map<String, Value>| {
            deciding
                .iter()
                .all(|field| one.get(&field.name) == other.get(&field.name))
        };
        if !dataset.multi {
            return same(&one.values, &other.values);
        }
        if !dataset.rating && deciding.is_empty() {
            return true;
        }
        let (one, other) = (one.rows(&dataset.name), other.rows(&dataset.name));
        one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
    })
}
