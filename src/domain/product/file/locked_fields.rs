//! Which answers of a bought policy can't be changed, whatever the file says: the dates of its
//! term, what decides them, and the policyholder's mail address, which is the account's.

use crate::domain::product::CompiledProduct;
use crate::domain::product::compiled::FieldRef;
use crate::domain::product::fields::{Dataset, FieldKind};

/// Locks them, and what the file itself locks.
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
            // The website is told of locked fields only with a policy; in a quote none is locked.
            published.locked = false;
        }
    }
}
