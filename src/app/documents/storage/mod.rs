//! Stores, checks and removes the bytes of documents.

pub(crate) mod check;
pub(crate) mod contents;
pub(crate) mod pdf_location;
pub(crate) mod removal;

pub(in crate::app) use pdf_location::store_pdf;
pub(in crate::app) use removal::remove_unnamed_contents;
