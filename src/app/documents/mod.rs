//! Documents of products, quotes and policies. A product version's documents are public and
//! rendered on the first request. The other documents are ordered in a transaction. Jobs render and
//! store the ordered documents. The PDFs are in the blob store (`crate::integrations::blobs`).

mod list;
mod order;
pub(crate) mod owner;
mod questions;
mod read;
pub mod render;
pub mod storage;

pub use list::{
    ListedDocument, ListedDocumentGroup, PolicyDocuments, policy_documents, quote_documents,
};
pub(in crate::app) use list::{documents_of_card, rows_of};
pub(super) use order::{order, order_at_sale, order_renewal_notice};
pub(in crate::app) use owner::{subject, subject_head};
pub use questions::{AnsweredQuestion, ProductHelp, help};
pub(super) use read::document_file;
pub use read::{RenderedPdf, can_read_documents, document, documents_ready};
pub(in crate::app) use read::{product_pdf, read_pdf};
pub use render::renderer::{DocumentRenderer, template_errors};
pub use storage::check::{Away, BlobReport};
pub(super) use storage::check::{CheckState, OpenView, check_contents};
pub(super) use storage::contents::delete_document;
