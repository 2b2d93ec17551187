//! Prints documents: a template and what it is about become a PDF.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;
use thiserror::Error;
use typst::diag::SourceDiagnostic;
use typst::foundations::Bytes;
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt};
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, PdfStandard, PdfStandards};

use super::world::TypstWorld;

/// The fonts compiled in.
const FONTS: [&[u8]; 2] = [
    include_bytes!("fonts/Inter-Regular.otf"),
    include_bytes!("fonts/Inter-SemiBold.otf"),
];
/// What all templates share.
pub(super) const LOOK: (&str, &str) = ("look.typ", include_str!("templates/look.typ"));
/// After how many printings what the typesetter remembers of one is forgotten. The shared look
/// is used by each and stays.
const REMEMBERED: usize = 8;

/// The documents there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Template {
    /// What is covered, for whom, when and for how much.
    Schedule,
    /// The insurance product information document: nine headings on two pages.
    Ipid,
    /// The policy wording.
    Wording,
    /// What the customer needs, and why this cover meets it.
    DemandsAndNeeds,
    /// What was paid.
    Receipt,
    /// A change that was made.
    Adjustment,
    /// Cover that was ended.
    Cancellation,
    /// Next year's price.
    Renewal,
}

impl Template {
    /// Every template.
    pub const ALL: [Self; 8] = [
        Self::Schedule,
        Self::Ipid,
        Self::Wording,
        Self::DemandsAndNeeds,
        Self::Receipt,
        Self::Adjustment,
        Self::Cancellation,
        Self::Renewal,
    ];

    /// Name of its file, in the folder of overrides too.
    #[must_use]
    pub const fn file(self) -> &'static str {
        match self {
            Self::Schedule => "schedule.typ",
            Self::Ipid => "ipid.typ",
            Self::Wording => "wording.typ",
            Self::DemandsAndNeeds => "demands-and-needs.typ",
            Self::Receipt => "receipt.typ",
            Self::Adjustment => "adjustment.typ",
            Self::Cancellation => "cancellation.typ",
            Self::Renewal => "renewal.typ",
        }
    }

    /// Its text as compiled in.
    pub(super) const fn built_in(self) -> &'static str {
        match self {
            Self::Schedule => include_str!("templates/schedule.typ"),
            Self::Ipid => include_str!("templates/ipid.typ"),
            Self::Wording => include_str!("templates/wording.typ"),
            Self::DemandsAndNeeds => include_str!("templates/demands-and-needs.typ"),
            Self::Receipt => include_str!("templates/receipt.typ"),
            Self::Adjustment => include_str!("templates/adjustment.typ"),
            Self::Cancellation => include_str!("templates/cancellation.typ"),
            Self::Renewal => include_str!("templates/renewal.typ"),
        }
    }
}

/// Why a document could not be printed, for the operator.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RenderError {
    /// A mistake in a template.
    #[error("{file}:{line}: {message}")]
    Template {
        /// The template's file.
        file: String,
        /// Its line, from 1; 1 too where the mistake is the whole document's.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// What the document is about can't be written down.
    #[error("the data of a document can't be written: {0}")]
    Data(String),
}

/// Prints documents as tagged PDF: PDF/UA-1 and PDF/A-2a, and refuses what isn't either.
pub struct PdfRenderer {
    pub(super) overrides: Option<PathBuf>,
    pub(super) library: LazyHash<Library>,
    pub(super) book: LazyHash<FontBook>,
    pub(super) fonts: Vec<Font>,
    pub(super) built_in: super::world::BuiltIn,
}

impl PdfRenderer {
    /// A press with the templates compiled in. A file of the same name in `overrides` stands in
    /// for one, and is read anew at each printing; fonts there (`.otf`, `.ttf`) are read now.
    #[must_use]
    pub fn new(overrides: Option<PathBuf>) -> Self {
        let own = overrides.as_deref().map_or_else(Vec::new, fonts_in);
        let built_in = FONTS.into_iter().map(Bytes::new);
        let fonts: Vec<Font> = built_in.chain(own).flat_map(Font::iter).collect();
        Self {
            overrides,
            library: LazyHash::new(Library::default()),
            book: LazyHash::new(FontBook::from_fonts(&fonts)),
            fonts,
            built_in: super::world::BuiltIn::new(),
        }
    }

    /// The text a template has now, and after it the text of what all share: it tells whether
    /// something printed before would still look the same.
    #[must_use]
    pub fn text(&self, template: Template) -> String {
        let own = |(name, built_in): (&str, &str)| {
            let folder = self.overrides.as_deref();
            let read = folder.and_then(|folder| std::fs::read_to_string(folder.join(name)).ok());
            read.unwrap_or_else(|| built_in.to_string())
        };
        own((template.file(), template.built_in())) + &own(LOOK)
    }

    /// Prints a document. It takes a processor for some milliseconds: not for an async thread.
    ///
    /// What `data` says reaches the template as values, never as markup. Characters that no
    /// font has are printed as a question mark: the archive format allows no gaps.
    ///
    /// # Errors
    /// The first mistake in the template, with its file and line.
    pub fn print(&self, template: Template, data: &impl Serialize) -> Result<Vec<u8>, RenderError> {
        let data = serde_json::to_value(data).map_err(|e| RenderError::Data(e.to_string()))?;
        let data = self.printable(data).to_string();
        let desk = TypstWorld::new(self, template, data);
        let printed = typst::compile::<PagedDocument>(&desk)
            .output
            .and_then(|document| typst_pdf::pdf(&document, &options()));
        typst::comemo::evict(REMEMBERED);
        printed.map_err(|mistakes| match mistakes.first() {
            Some(mistake) => located(&desk, template, mistake),
            None => RenderError::Data("the typesetter failed without a reason".to_string()),
        })
    }

    /// Texts of characters that can be printed.
    fn printable(&self, value: Value) -> Value {
        match value {
            Value::String(text) => {
                Value::String(text.chars().filter_map(|c| self.glyph(c)).collect())
            }
            Value::Array(items) => items.into_iter().map(|item| self.printable(item)).collect(),
            Value::Object(fields) => fields
                .into_iter()
                .map(|(name, value)| (name, self.printable(value)))
                .collect(),
            other => other,
        }
    }

    fn glyph(&self, c: char) -> Option<char> {
        let joins_or_turns = matches!(c,
            '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}'
            | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{E0000}'..='\u{E01EF}');
        if joins_or_turns {
            return None;
        }
        if c == '\n' {
            return Some(c);
        }
        if c.is_whitespace() || c.is_control() {
            return Some(if c == '\u{A0}' { c } else { ' ' });
        }
        let private = matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..);
        let known = |font: &Font| font.info().coverage.contains(c.into());
        Some(if !private && self.fonts.iter().any(known) {
            c
        } else {
            '?'
        })
    }
}

fn options() -> PdfOptions {
    PdfOptions {
        // These two go together; were they not to, the plain standard is still tagged.
        standards: PdfStandards::new(&[PdfStandard::Ua_1, PdfStandard::A_2a]).unwrap_or_default(),
        ..PdfOptions::default()
    }
}

fn fonts_in(folder: &Path) -> Vec<Bytes> {
    let Ok(files) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
    paths.retain(|path| {
        path.extension()
            .is_some_and(|end| end == "otf" || end == "ttf")
    });
    paths.sort();
    paths
        .iter()
        .filter_map(|path| std::fs::read(path).ok())
        .map(Bytes::new)
        .collect()
}

fn located(desk: &TypstWorld<'_>, template: Template, mistake: &SourceDiagnostic) -> RenderError {
    let (file, line) = desk
        .locate(mistake.span)
        .unwrap_or_else(|| (template.file().to_string(), 1));
    RenderError::Template {
        file,
        line,
        message: mistake.message.to_string(),
    }
}
