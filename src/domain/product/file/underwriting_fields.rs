//! Finds the fields that underwriting reads.

use crate::domain::product::CompiledProduct;
use crate::domain::product::compiled::FieldRef;

/// Marks every field that an underwriting rule reads.
pub(super) fn mark(compiled: &mut CompiledProduct) {
    let mut read: Vec<FieldRef> = Vec::new();
    for rule in &compiled.underwriting {
        read.extend(rule.older_than.map(|(field_ref, _)| field_ref));
        if let Some(when) = &rule.when {
            when.each_field(&mut |field_ref| read.push(*field_ref));
        }
    }
    for (dataset, compiled) in compiled.datasets.iter_mut().enumerate() {
        for (field, compiled) in compiled.fields.iter_mut().enumerate() {
            compiled.underwriting = read.contains(&FieldRef::Cell { dataset, field });
        }
    }
}

/// Returns the fields that underwriting reads, as `dataset.field` in repeatable datasets.
pub(super) fn list(compiled: &CompiledProduct) -> Vec<String> {
    let fields = compiled.datasets.iter().flat_map(|dataset| {
        let read = dataset.fields.iter().filter(|field| field.underwriting);
        read.map(|field| match dataset.multi {
            true => format!("{}.{}", dataset.name, field.name),
            false => field.name.clone(),
        })
    });
    fields.collect()
}
