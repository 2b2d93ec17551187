//! Renders documents: Typst templates and data become PDF. This module does not depend on how
//! documents are stored or sent.

pub mod data;
mod renderer;
mod template;
mod world;

#[cfg(test)]
mod tests;

pub use renderer::{PdfRenderer, RenderError};
pub use template::DocumentTemplate;
