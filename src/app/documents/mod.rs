//! Documents. Those of a product's version are printed once, when they are first asked for, and
//! anybody may read them. Those of a policy are ordered by the transaction that makes them
//! due, made by jobs, and kept. Their contents are in the object store (`crate::integrations::contents`).

mod adjustment_texts;
mod cancellation_texts;
mod check;
mod contents;
mod keeping;
mod list;
mod make_for_policy;
mod make_for_product;
mod money_lines;
mod order;
mod policy_texts;
mod printing;
mod product_texts;
mod read;
mod removing;
mod renewal_texts;
mod subject;

pub use check::{Away, Checked};
pub(super) use check::{Met, check_contents};
pub(super) use contents::delete_document;
pub use list::{ListedDocument, ListedDocumentGroup, PolicyDocuments};
pub(super) use order::{order, order_at_sale, order_renewal_notice};
pub use printing::Printing;
pub use read::Printed;
pub(super) use read::found;
