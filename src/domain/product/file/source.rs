//! A product file: its text, the value that serde reads from it, and its mistakes with their lines.

use std::cell::RefCell;
use std::fmt;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::toml_reader;

/// A mistake in a product file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    pub file: String,
    /// Line, counted from 1.
    pub line: usize,
    /// The mistake, and how to correct it.
    pub text: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.text)
    }
}

/// The product file, with its mistakes so far.
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

    /// Reads the file and calls `check` with the value and its position. If the file has a mistake
    /// of syntax or type, reports the mistake and returns `None`.
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

    /// Adds the mistakes of a file that this file names.
    pub(super) fn add_mistakes(&self, mistakes: Vec<Mistake>) {
        self.mistakes.borrow_mut().extend(mistakes);
    }

    /// Returns the mistakes of this file in the order of lines. The mistakes of the files that this
    /// file names follow.
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

/// The position of a value in its file. A check uses it beside the deserialized value, to report the line of
/// a mistake.
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

    /// Returns the position of a key's value, or the table's own position if the key is missing.
    pub(super) fn key(self, key: &str) -> Self {
        self.find(key).unwrap_or(Self {
            value: None,
            ..self
        })
    }

    /// Returns the positions of a list's items under a key.
    pub(super) fn items(self, key: &str) -> Vec<Self> {
        self.key(key).list()
    }

    /// Returns the positions of the list's items, or nothing if the value is no list.
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

    /// Reports a mistake of a key. `wrong` is the rest of the sentence after the key's name.
    pub(super) fn report_key(self, key: &str, wrong: &str) {
        self.key(key).report(format!("`{key}` {wrong}"));
    }

    /// Reports every key that is not in `keys`. `what` names the table.
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

    /// Reports a negative count.
    pub(super) fn check_count(self, key: &str, count: i64) {
        if count < 0 {
            self.report_key(key, "must be zero or more");
        }
    }

    /// Calls `visit` with the position, key and text of each text in the value.
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
