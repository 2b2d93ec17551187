//! The comparison of two sets of answers by cover and price.

use serde_json::{Map, Value};

use crate::domain::product::Product;
use crate::domain::product::compiled::CompiledField;
use crate::domain::quote::answers::Answers;

/// Returns whether two sets of normalised answers differ only in fields that neither the price nor
/// underwriting reads. Such a field is a telephone number or the checkbox of the terms.
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
