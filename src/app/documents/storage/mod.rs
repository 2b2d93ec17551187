//! Where the bytes of documents are, and when they are removed.

pub(crate) mod check;
pub(crate) mod contents;
pub(crate) mod pdf_location;
pub(crate) mod removal;
