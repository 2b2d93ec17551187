//! The exclusions that apply to given answers.

use crate::domain::product::Product;
use crate::domain::product::exclusions::CoverExclusion;
use crate::domain::quote::answer_table::AnswerTable;

/// Returns the exclusions of the cover of these answers, in the order of the product file.
pub(crate) fn open<'a>(
    product: &'a Product,
    table: &'a AnswerTable,
) -> impl Iterator<Item = &'a CoverExclusion> {
    let gaps = product.info().gaps.iter().zip(&product.compiled.gaps);
    let open = gaps.filter(|(_, rule)| table.holds(rule.as_ref(), 0));
    open.map(|(gap, _)| gap)
}

/// Returns whether a product has an exclusion with this id, for any answers.
#[must_use]
pub fn is_known(product: &Product, id: &str) -> bool {
    product.info().gaps.iter().any(|gap| gap.id == id)
}
