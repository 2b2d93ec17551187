//! The exclusions that apply to given answers.

use crate::domain::product::Product;
use crate::domain::product::exclusions::CoverExclusion;
use crate::domain::quote::answer_table::AnswerTable;

/// Returns the exclusions that apply to the answers of `table`, in the order of the product file.
pub(crate) fn open<'a>(
    product: &'a Product,
    table: &'a AnswerTable,
) -> impl Iterator<Item = &'a CoverExclusion> {
    let exclusions = product
        .info()
        .exclusions
        .iter()
        .zip(&product.compiled.exclusions);
    let open = exclusions.filter(|(_, rule)| table.holds(rule.as_ref(), 0));
    open.map(|(exclusion, _)| exclusion)
}

/// Returns whether a product has an exclusion with this id, for any answers.
#[must_use]
pub fn is_known(product: &Product, id: &str) -> bool {
    product
        .info()
        .exclusions
        .iter()
        .any(|exclusion| exclusion.id == id)
}
