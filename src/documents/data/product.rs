//! The data of a product's documents.

use serde::Serialize;

use super::parts::Head;

/// A mark beside a sentence of the information document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// A green tick: covered.
    Tick,
    /// A red cross: not covered.
    Cross,
    /// An orange exclamation mark: a limit.
    Warning,
    /// A blue tick: where cover applies.
    Place,
    /// A plain dot.
    Dot,
    /// No mark: an option that costs extra.
    Option,
}

/// A sentence of the information document.
#[derive(Clone, Debug, Serialize)]
pub struct TextPoint {
    /// The mark before the sentence.
    pub mark: Mark,
    /// The sentence.
    pub text: String,
    /// The limit of the sentence, such as a level of cover.
    pub only: Option<String>,
}

/// One of the nine headings of the information document.
#[derive(Clone, Debug, Serialize)]
pub struct Heading {
    /// The heading, a question.
    pub title: String,
    /// The answer.
    pub points: Vec<TextPoint>,
}

/// The insurance product information document.
#[derive(Clone, Debug, Serialize)]
pub struct Ipid {
    /// Head and foot.
    pub head: Head,
    /// The nine headings in their order.
    pub headings: Vec<Heading>,
}

/// A defined word of the wording.
#[derive(Clone, Debug, Serialize)]
pub struct DefinedTerm {
    pub term: String,
    pub meaning: String,
}

/// A part of a section of the wording.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CoverPart {
    /// A paragraph.
    Text {
        /// The paragraph's text.
        text: String,
    },
    /// A heading inside the section.
    Heading {
        /// The heading's text.
        text: String,
    },
    /// A list of points.
    List {
        /// The points.
        items: Vec<String>,
    },
    /// Defined words.
    Terms {
        /// The definitions.
        terms: Vec<DefinedTerm>,
    },
}

/// A section of the wording.
#[derive(Clone, Debug, Serialize)]
pub struct TextSection {
    /// The heading.
    pub title: String,
    pub parts: Vec<CoverPart>,
}

/// The policy wording.
#[derive(Clone, Debug, Serialize)]
pub struct Wording {
    /// Head and foot.
    pub head: Head,
    pub sections: Vec<TextSection>,
}
