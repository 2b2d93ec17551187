//! Renders documents: turns Typst templates and data into PDF. This module does not depend on the
//! storage or the mailing of documents.

pub mod data;
mod renderer;
mod template;
mod world;

#[cfg(test)]
mod tests;

pub use renderer::{PdfRenderer, RenderError};
pub use template::DocumentTemplate;
