//! Typst templates and data -> PDF. Knows nothing of where documents are kept or sent.

pub mod data;
mod press;
mod world;

#[cfg(test)]
mod tests;

pub use press::{Press, PressError, Template};
