//! Checks the total length of single trips.

use std::collections::HashSet;

use super::found::{Evaluation, FieldResult};
use super::scope::Scope;
use crate::domain::product::Product;
use crate::domain::product::compiled::FieldRef;
use crate::domain::time::dates::parse_form_date;

/// Checks that all single trips together are not longer than the product allows. The length runs
/// from the first day of the earliest trip to the last day of the latest trip.
pub(super) fn check_trip_length(
    product: &Product,
    scope: Scope,
    asked_datasets: &HashSet<&str>,
    evaluation: &mut Evaluation,
) {
    let Some(single) = &product.compiled.term.single else {
        return;
    };
    let (FieldRef::Cell { field: start, .. }, FieldRef::Cell { field: end, .. }) =
        (single.start, single.end)
    else {
        return;
    };
    let Some(dataset) = product.compiled.datasets.get(single.dataset) else {
        return;
    };
    let is_asked = match scope {
        Scope::Complete | Scope::Draft | Scope::Rate => true,
        Scope::Change => false,
        Scope::Step(_) => asked_datasets.contains(dataset.name.as_str()),
        Scope::Accept => false,
    };
    let Some(block) = evaluation
        .blocks
        .get_mut(single.dataset)
        .filter(|_| is_asked)
    else {
        return;
    };
    let date = |row: &[FieldResult], field: usize| {
        let cell = row.get(field).filter(|cell| cell.visible)?;
        parse_form_date(cell.value.as_str()?)
    };
    let first = block.rows.iter().filter_map(|row| date(row, start)).min();
    let last = block.rows.iter().enumerate();
    let last = last
        .filter_map(|(row_index, row)| Some((date(row, end)?, row_index)))
        .max();
    let Some((first, (last, row_index))) = first.zip(last) else {
        return;
    };
    let max_days = product.terms().single_trip_max_days;
    if (last - first).num_days() < max_days {
        return;
    }
    if let Some(cell) = block
        .rows
        .get_mut(row_index)
        .and_then(|row| row.get_mut(end))
    {
        let typed = cell.value.take();
        let plural = &dataset.plural;
        let text = format!(
            "All your {plural} must fit within {max_days} days, from the first day of the first \
             to the last day of the last"
        );
        cell.refuse(Some(typed), Some(text));
    }
}
