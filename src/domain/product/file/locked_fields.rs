//! Locks the fields whose answers can't change in a bought policy, whatever the file says. These
//! are the dates of the term, and the fields that decide whether the cover is for single trips.
//! E-mail fields outside repeatable datasets are locked too, because the policyholder's e-mail
//! address is the address of the account.

use crate::domain::product::CompiledProduct;
use crate::domain::product::compiled::FieldRef;
use crate::domain::product::field_kind::FieldKind;
use crate::domain::product::fields::Dataset;

/// Locks the fields that the module's description names, and the fields that the file locks.
pub(super) fn lock(compiled: &mut CompiledProduct, datasets: &mut [Dataset]) {
    let mut locked = vec![compiled.term.start];
    if let Some(single) = &compiled.term.single {
        locked.extend([single.start, single.end]);
        single
            .when
            .each_field(&mut |field_ref| locked.push(*field_ref));
    }
    for (d, (dataset, published)) in compiled.datasets.iter_mut().zip(datasets).enumerate() {
        for (f, (field, published)) in dataset
            .fields
            .iter_mut()
            .zip(&mut published.fields)
            .enumerate()
        {
            let field_ref = FieldRef::Cell {
                dataset: d,
                field: f,
            };
            let mailbox = field.kind == FieldKind::Email && !dataset.multi;
            field.locked = published.locked || mailbox || locked.contains(&field_ref);
            // The published form is the form of a quote, which has no locked fields.
            published.locked = false;
        }
    }
}
