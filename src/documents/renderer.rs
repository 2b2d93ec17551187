//! Renders a template with its data as a PDF.

use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value;
use thiserror::Error;
use typst::diag::SourceDiagnostic;
use typst::text::Font;
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, PdfStandard, PdfStandards};

use super::template::{DocumentTemplate, LOOK};
use super::world::{Resources, TypstWorld};
use crate::domain::text::is_ignorable;

/// The typesetter's cache drops an entry that this many renderings did not use. Every rendering
/// uses the shared look, so the look's entries stay.
const REMEMBERED: usize = 8;

/// Why a document could not be rendered, for the operator.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RenderError {
    /// A mistake in a template.
    #[error("{file}:{line}: {message}")]
    Template {
        /// The template's file.
        file: String,
        /// The line, from 1. It is also 1 for a mistake that has no position.
        line: usize,
        /// The mistake.
        message: String,
    },
    /// The document's data cannot be serialized.
    #[error("the data of a document can't be written: {0}")]
    Data(String),
}

/// A renderer of documents as tagged PDF, by the standards PDF/UA-1 and PDF/A-2a. A document that
/// fails either standard is an error.
pub struct PdfRenderer {
    resources: Resources,
}

impl PdfRenderer {
    /// Creates a renderer with the built-in templates. A file in `overrides` replaces the template
    /// of its name, and is read again for each rendering. Fonts in `overrides` (`.otf`, `.ttf`) are
    /// read only once, by this call.
    #[must_use]
    pub fn new(overrides: Option<PathBuf>) -> Self {
        Self {
            resources: Resources::new(overrides),
        }
    }

    /// Returns the present text of a template, followed by the text of the shared look. If this
    /// text has changed since a document was rendered, the document may look different now.
    #[must_use]
    pub fn text(&self, template: DocumentTemplate) -> String {
        let own = |(name, built_in): (&str, &str)| {
            let folder = self.resources.overrides.as_deref();
            let read = folder.and_then(|folder| std::fs::read_to_string(folder.join(name)).ok());
            read.unwrap_or_else(|| built_in.to_string())
        };
        own((template.file(), template.built_in())) + &own(LOOK)
    }

    /// Returns the first mistake of syntax of each template. Other mistakes depend on a document's data.
    #[must_use]
    pub fn syntax_errors(&self) -> Vec<RenderError> {
        let world = TypstWorld::new(&self.resources, DocumentTemplate::Schedule, String::new());
        let files = DocumentTemplate::ALL.map(DocumentTemplate::file);
        let files = files.into_iter().chain([LOOK.0]);
        let error = |file: &str| {
            let (line, message) = world.syntax_error(file)?;
            let file = file.to_string();
            Some(RenderError::Template {
                file,
                line,
                message,
            })
        };
        files.filter_map(error).collect()
    }

    /// Renders a document. Rendering uses a processor for some milliseconds, so an async thread must
    /// not call this method.
    ///
    /// The texts in `data` reach the template as values, never as markup. A character that no font has
    /// becomes a question mark, because the archive format allows no missing glyphs.
    ///
    /// # Errors
    /// Returns the first mistake in the template, with its file and line. Also fails if `data`
    /// can't be serialized.
    pub fn print(
        &self,
        template: DocumentTemplate,
        data: &impl Serialize,
    ) -> Result<Vec<u8>, RenderError> {
        let data = serde_json::to_value(data).map_err(|e| RenderError::Data(e.to_string()))?;
        let data = self.replace_unprintable(data).to_string();
        let world = TypstWorld::new(&self.resources, template, data);
        let printed = typst::compile::<PagedDocument>(&world)
            .output
            .and_then(|document| typst_pdf::pdf(&document, &options()));
        typst::comemo::evict(REMEMBERED);
        printed.map_err(|mistakes| match mistakes.first() {
            Some(mistake) => render_error(&world, template, mistake),
            None => RenderError::Data("the typesetter failed without a reason".to_string()),
        })
    }

    /// Replaces unprintable characters in all texts, and removes ignorable characters.
    fn replace_unprintable(&self, value: Value) -> Value {
        match value {
            Value::String(text) => {
                Value::String(text.chars().filter_map(|c| self.glyph(c)).collect())
            }
            Value::Array(items) => items
                .into_iter()
                .map(|item| self.replace_unprintable(item))
                .collect(),
            Value::Object(fields) => fields
                .into_iter()
                .map(|(name, value)| (name, self.replace_unprintable(value)))
                .collect(),
            other => other,
        }
    }

    fn glyph(&self, c: char) -> Option<char> {
        if is_ignorable(c) {
            return None;
        }
        if c == '\n' {
            return Some(c);
        }
        if c.is_whitespace() || c.is_control() {
            return Some(if c == '\u{A0}' { c } else { ' ' });
        }
        let private = matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..);
        let has_glyph = |font: &Font| font.info().coverage.contains(c.into());
        Some(if !private && self.resources.fonts.iter().any(has_glyph) {
            c
        } else {
            '?'
        })
    }
}

fn options() -> PdfOptions {
    PdfOptions {
        // These two standards can be combined, so `new` does not fail.
        standards: PdfStandards::new(&[PdfStandard::Ua_1, PdfStandard::A_2a]).unwrap_or_default(),
        ..PdfOptions::default()
    }
}

fn render_error(
    world: &TypstWorld<'_>,
    template: DocumentTemplate,
    mistake: &SourceDiagnostic,
) -> RenderError {
    let (file, line) = world
        .locate(mistake.span)
        .unwrap_or_else(|| (template.file().to_string(), 1));
    RenderError::Template {
        file,
        line,
        message: mistake.message.to_string(),
    }
}
