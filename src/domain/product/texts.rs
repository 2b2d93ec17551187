//! The texts of a product's documents, the information document (IPID) and the wording, and the questions of
//! the help page.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// The nine headings of the information document, each with its key in a product file. The order is
/// fixed (Commission Implementing Regulation (EU) 2017/1469, article 4; ICOBS 6 Annex 3).
pub const IPID_HEADINGS: [(&str, &str); 9] = [
    ("what", "What is this type of insurance?"),
    ("insured", "What is insured?"),
    ("not_insured", "What is not insured?"),
    ("restrictions", "Are there any restrictions on cover?"),
    ("where", "Where am I covered?"),
    ("obligations", "What are my obligations?"),
    ("payment", "When and how do I pay?"),
    ("period", "When does the cover start and end?"),
    ("cancelling", "How do I cancel the contract?"),
];

/// Names of the placeholders in the texts of documents. Rendering a document replaces the
/// placeholders.
pub const FACTS: [&str; 16] = [
    "brand",
    "phone",
    "assistance_phone",
    "help_phone",
    "email",
    "hours",
    "complaints",
    "cooling_off_days",
    "cancellation_fee",
    "renewal_lead_days",
    "quote_valid_days",
    "cover_delay_hours",
    "single_trip_max_days",
    "monthly_payments",
    "monthly_minimum",
    "monthly_grantor",
];

/// The texts of a product's documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    /// Points below each of [`IPID_HEADINGS`], in that order.
    pub ipid: [Vec<Point>; 9],
    pub wording: Vec<Section>,
    /// The questions of the help page.
    pub questions: Vec<Question>,
}

/// A question of the help page, and its answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    pub question: String,
    pub answer: String,
}

/// A sentence of the information document. In a file it is a plain text or a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Point {
    /// The sentence.
    pub text: String,
    /// What the sentence is limited to, such as some levels of cover.
    pub only: Option<String>,
    /// Whether the sentence describes an optional extra. Extras have no tick.
    #[serde(default)]
    pub option: bool,
    /// Whether the sentence is about paying monthly. Only a shop that offers it has the sentence.
    #[serde(default)]
    pub monthly: bool,
}

impl Point {
    /// Returns a sentence without a limit.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }
}

/// A section of the wording.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// The heading.
    pub title: String,
    /// The content.
    #[serde(default, rename(deserialize = "body"))]
    pub parts: Vec<Part>,
}

/// A part of a section. In a file a paragraph is a plain text; other parts are tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A paragraph.
    Text(String),
    Heading(String),
    /// A list of points.
    List(Vec<String>),
    /// Words with their meanings.
    Terms(Vec<GlossaryTerm>),
}

/// A word with its meaning.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GlossaryTerm {
    pub term: String,
    pub means: String,
}

/// A value that a file gives as a plain text, or as a table with more keys.
trait TextOrTable<'de>: Sized {
    fn from_text(text: &str) -> Self;
    fn from_table<D: Deserializer<'de>>(table: D) -> Result<Self, D::Error>;
}

impl<'de> TextOrTable<'de> for Point {
    fn from_text(text: &str) -> Self {
        Self::new(text)
    }

    fn from_table<D: Deserializer<'de>>(table: D) -> Result<Self, D::Error> {
        Self::deserialize(table)
    }
}

impl<'de> TextOrTable<'de> for Part {
    fn from_text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    fn from_table<D: Deserializer<'de>>(table: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct TextTable {
            heading: Option<String>,
            list: Option<Vec<String>>,
            terms: Option<Vec<GlossaryTerm>>,
        }
        match TextTable::deserialize(table)? {
            TextTable {
                heading: Some(heading),
                list: None,
                terms: None,
            } => Ok(Self::Heading(heading)),
            TextTable {
                heading: None,
                list: Some(list),
                terms: None,
            } => Ok(Self::List(list)),
            TextTable {
                heading: None,
                list: None,
                terms: Some(terms),
            } => Ok(Self::Terms(terms)),
            _ => Err(D::Error::custom(
                "a part is a text, or has one of `heading`, `list` and `terms`",
            )),
        }
    }
}

struct TextOrTableVisitor<T>(PhantomData<T>);

impl<'de, T: TextOrTable<'de>> Visitor<'de> for TextOrTableVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a table")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        Ok(T::from_text(text))
    }

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<T, A::Error> {
        T::from_table(MapAccessDeserializer::new(table))
    }
}

impl<'de> Deserialize<'de> for Point {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(TextOrTableVisitor(PhantomData))
    }
}

impl<'de> Deserialize<'de> for Part {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(TextOrTableVisitor(PhantomData))
    }
}

/// Returns the text with each `{name}` replaced by `fact(name)`. Unknown names stay unchanged.
pub fn fill(text: &str, fact: &impl Fn(&str) -> Option<String>) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        match after.split_once('}') {
            Some((name, after)) => {
                match fact(name) {
                    Some(fact) => filled.push_str(&fact),
                    None => filled.extend(["{", name, "}"]),
                }
                rest = after;
            }
            None => {
                filled.push('{');
                rest = after;
            }
        }
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn braces_are_filled_in_once() {
        let fact = |name: &str| (name == "fee").then(|| "{fee} £15.00".to_string());
        assert_eq!(fill("a {fee} b {x} c {", &fact), "a {fee} £15.00 b {x} c {");
    }
}
