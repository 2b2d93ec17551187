//! A product file: its text, what serde reads of it, and the mistakes found in it, each with its line.

use std::cell::RefCell;
use std::fmt;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::toml_reader;

/// Something wrong in a product file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Name of the file.
    pub file: String,
    /// Line, counted from one.
    pub line: usize,
    /// What is wrong and what would be right.
    pub text: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.text)
    }
}

/// The file being read and the mistakes found so far.
pub(super) struct ProductSource<'a> {
    file: &'a str,
    text: &'a str,
    mistakes: RefCell<Vec<Mistake>>,
}

impl<'a> ProductSource<'a> {
    pub(super) fn new(file: &'a str, text: &'a str) -> Self {
        Self {
            file,
            text,
            mistakes: RefCell::default(),
        }
    }

    /// Reads the file, and hands it to `check` with the place of its first line. A file with mistakes of
    /// syntax or of type is not checked any further.
    pub(super) fn read<T: DeserializeOwned, R>(
        &self,
        check: impl FnOnce(T, SourceLine<'_>) -> R,
    ) -> Option<R> {
        let (document, errors) = DeTable::parse_recoverable(self.text);
        for error in &errors {
            let start = error.span().map_or(0, |span| span.start);
            self.report(start, format!("this isn't TOML: {}", error.message()));
        }
        if !errors.is_empty() {
            return None;
        }
        let document = Spanned::new(0..0, DeValue::Table(document.into_inner()));
        let read = match toml_reader::read(&document) {
            Ok(read) => read,
            Err(mistake) => {
                self.report(mistake.start.unwrap_or(0), mistake.to_string());
                return None;
            }
        };
        let root = SourceLine {
            source: self,
            value: Some(document.get_ref()),
            start: 0,
        };
        root.each_text("", &mut |place, key, text| {
            if text.is_empty() {
                place.report(format!("`{key}` is empty"));
            }
        });
        Some(check(read, root))
    }

    fn line(&self, start: usize) -> usize {
        let before = self.text.bytes().take(start);
        1 + before.filter(|byte| *byte == b'\n').count()
    }

    fn report(&self, start: usize, text: impl Into<String>) {
        self.mistakes.borrow_mut().push(Mistake {
            file: self.file.to_owned(),
            line: self.line(start),
            text: text.into(),
        });
    }

    /// Takes over the mistakes of a file that this one names.
    pub(super) fn add_mistakes(&self, mistakes: Vec<Mistake>) {
        self.mistakes.borrow_mut().extend(mistakes);
    }

    /// The mistakes in the order of the file, and after them those of files it names.
    pub(super) fn into_mistakes(self) -> Vec<Mistake> {
        let mut mistakes = self.mistakes.into_inner();
        mistakes.sort_by_key(|mistake| (mistake.file != self.file, mistake.line));
        mistakes.dedup();
        mistakes
    }

    pub(super) fn is_clean(&self) -> bool {
        self.mistakes.borrow().is_empty()
    }
}

/// The place of a value in its file. A check walks it beside the value that serde read, to know the line
/// of a mistake.
#[derive(Clone, Copy)]
pub(super) struct SourceLine<'a> {
    pub(super) source: &'a ProductSource<'a>,
    value: Option<&'a DeValue<'a>>,
    start: usize,
}

impl<'a> SourceLine<'a> {
    fn child(self, value: &'a Spanned<DeValue<'a>>) -> Self {
        Self {
            source: self.source,
            value: Some(value.get_ref()),
            start: value.span().start,
        }
    }

    fn find(self, key: &str) -> Option<Self> {
        let DeValue::Table(table) = self.value? else {
            return None;
        };
        table.get(key).map(|value| self.child(value))
    }

    pub(super) fn has(self, key: &str) -> bool {
        self.find(key).is_some()
    }

    /// The place of a key's value; the table's own where it has no such key.
    pub(super) fn key(self, key: &str) -> Self {
        self.find(key).unwrap_or(Self {
            value: None,
            ..self
        })
    }

    /// The places of a list's items under a key.
    pub(super) fn items(self, key: &str) -> Vec<Self> {
        self.key(key).list()
    }

    /// The places of the items, where the value itself is a list.
    pub(super) fn list(self) -> Vec<Self> {
        match self.value {
            Some(DeValue::Array(items)) => items.iter().map(|item| self.child(item)).collect(),
            _ => Vec::new(),
        }
    }

    pub(super) fn line(self) -> usize {
        self.source.line(self.start)
    }

    pub(super) fn report(self, text: impl Into<String>) {
        self.source.report(self.start, text);
    }

    /// Reports a key; `wrong` goes on after its name.
    pub(super) fn report_key(self, key: &str, wrong: &str) {
        self.key(key).report(format!("`{key}` {wrong}"));
    }

    /// Reports every key that `what` doesn't have.
    pub(super) fn allow(self, keys: &[&str], what: &str) {
        let Some(DeValue::Table(table)) = self.value else {
            return;
        };
        for key in table.keys().map(|key| key.get_ref()) {
            if !keys.contains(&key.as_ref()) {
                self.report_key(key, &format!("is not for {what}"));
            }
        }
    }

    /// Reports a count that is negative.
    pub(super) fn check_count(self, key: &str, count: i64) {
        if count < 0 {
            self.report_key(key, "must be zero or more");
        }
    }

    /// Calls `visit` with the place, the key and the text of each text in it.
    pub(super) fn each_text(self, key: &str, visit: &mut impl FnMut(Self, &str, &str)) {
        match self.value {
            Some(DeValue::String(text)) => visit(self, key, text),
            Some(DeValue::Array(items)) => {
                for item in items.iter() {
                    self.child(item).each_text(key, visit);
                }
            }
            Some(DeValue::Table(table)) => {
                for (key, value) in table {
                    self.child(value).each_text(key.get_ref(), visit);
                }
            }
            _ => {}
        }
    }
}
