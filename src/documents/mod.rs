//! Typst templates and data -> PDF. Knows nothing of where documents are kept or sent.

pub mod data;
mod renderer;
mod template;
mod world;

#[cfg(test)]
mod tests;

pub use renderer::{PdfRenderer, RenderError};
pub use template::DocumentTemplate;
