//! Typst templates and data -> PDF. Knows nothing of where documents are kept or sent.

pub mod data;
mod renderer;
mod world;

#[cfg(test)]
mod tests;

pub use renderer::{PdfRenderer, RenderError, Template};
