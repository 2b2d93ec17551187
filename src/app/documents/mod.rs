//! Documents. Those of a product's version are printed once, when they are first asked for, and
//! anybody may read them. Those of a policy are ordered by the transaction that makes them
//! due, made by jobs, and kept.

mod gather;
mod money_lines;
mod notices;
mod of_policy;
mod of_product;
mod order;
mod printing;
mod product_texts;
mod reading;
mod subject;

pub use of_policy::{ListedDocument, ListedDocumentGroup, PolicyDocuments};
pub(super) use order::{order, order_at_sale, order_renewal_notice};
pub use printing::Printing;
pub use reading::Printed;
