//! Renders documents: builds their data, runs the renderer, and stores the PDFs.

pub(crate) mod adjustment_texts;
pub(crate) mod cancellation_texts;
pub(crate) mod make_for_policy;
pub(crate) mod make_for_product;
pub(crate) mod money_lines;
pub(crate) mod plan_texts;
pub(crate) mod policy_texts;
pub(crate) mod product_texts;
pub(crate) mod renderer;
pub(crate) mod renewal_texts;

pub(in crate::app) use make_for_policy::make_document;
pub(in crate::app) use make_for_product::{product_pages, version_named};
