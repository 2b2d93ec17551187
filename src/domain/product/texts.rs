//! What a product's documents say: the product information document and the wording.

/// The nine headings of the information document in their order, which is fixed (Commission
/// Implementing Regulation (EU) 2017/1469, article 4; ICOBS 6 Annex 3), and the key of each in a
/// product file.
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

/// What stands in braces in these texts, filled in when a document is printed.
pub const FACTS: [&str; 13] = [
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
];

/// The texts of a product's documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    /// Answers to [`IPID_HEADINGS`], in that order.
    pub ipid: [Vec<Point>; 9],
    /// Sections of the wording.
    pub wording: Vec<Section>,
}

/// A sentence of the information document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Point {
    /// The sentence.
    pub text: String,
    /// What it holds for only, such as some levels of cover.
    pub only: Option<String>,
    /// Whether it is an extra that the customer may add; such have no tick.
    pub option: bool,
}

impl Point {
    /// A sentence that holds for all.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }
}

/// A section of the wording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// Its heading.
    pub title: String,
    /// What it says.
    pub parts: Vec<Part>,
}

/// A part of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A paragraph.
    Text(String),
    /// A heading inside the section.
    Heading(String),
    /// Points.
    List(Vec<String>),
    /// Words and what each means.
    Terms(Vec<(String, String)>),
}

/// The text with what stands in braces filled in; what isn't known stays as it is.
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
