//! What the documents of a product say.

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
    /// An orange exclamation: a limit.
    Warning,
    /// A blue tick: so it is.
    Place,
    /// A plain dot.
    Dot,
    /// None: an option that costs extra.
    Option,
}

/// A sentence of the information document.
#[derive(Clone, Debug, Serialize)]
pub struct TextPoint {
    /// The mark before it.
    pub mark: Mark,
    /// The sentence.
    pub text: String,
    /// What it is limited to, such as a level of cover.
    pub only: Option<String>,
}

/// One of the nine headings of the information document.
#[derive(Clone, Debug, Serialize)]
pub struct Heading {
    /// The heading, a question.
    pub title: String,
    /// Its answer.
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

/// A word of the wording and what it means.
#[derive(Clone, Debug, Serialize)]
pub struct DefinedTerm {
    /// The word.
    pub term: String,
    /// What it means.
    pub meaning: String,
}

/// A part of a section of the wording.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CoverPart {
    /// A paragraph.
    Text {
        /// It.
        text: String,
    },
    /// A heading inside the section.
    Heading {
        /// It.
        text: String,
    },
    /// Points.
    List {
        /// They.
        items: Vec<String>,
    },
    /// Words and their meaning.
    Terms {
        /// They.
        terms: Vec<DefinedTerm>,
    },
}

/// A section of the wording.
#[derive(Clone, Debug, Serialize)]
pub struct TextSection {
    /// Its heading.
    pub title: String,
    /// What it says.
    pub parts: Vec<CoverPart>,
}

/// The policy wording.
#[derive(Clone, Debug, Serialize)]
pub struct Wording {
    /// Head and foot.
    pub head: Head,
    /// Its sections.
    pub sections: Vec<TextSection>,
}
