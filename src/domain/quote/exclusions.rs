//! What a cover would not do, for some answers.

use crate::domain::product::Product;
use crate::domain::product::exclusions::Gap;
use crate::domain::quote::answer_table::AnswerTable;

/// The gaps that the cover of these answers has, in the order of the product file.
pub(crate) fn open<'a>(
    product: &'a Product,
    table: &'a AnswerTable,
) -> impl Iterator<Item = &'a Gap> {
    let gaps = product.info().gaps.iter().zip(&product.compiled.gaps);
    let open = gaps.filter(|(_, rule)| table.holds(rule.as_ref(), 0));
    open.map(|(gap, _)| gap)
}

/// Whether a product has a gap of this name, in whatever cover.
#[must_use]
pub fn is_known(product: &Product, id: &str) -> bool {
    product.info().gaps.iter().any(|gap| gap.id == id)
}
