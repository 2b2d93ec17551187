//! Reads a product file without stopping at its first mistake.
//!
//! Every value remembers its line, every key that is read is remembered, and
//! what nobody read is reported as unknown.

use std::cell::RefCell;
use std::fmt;
use std::ops::Range;

use chrono::NaiveDate;
use serde_json::{Map, Value, json};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::domain::condition::Condition;

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
pub(super) struct FileReader<'a> {
    file: &'a str,
    newlines: Vec<usize>,
    mistakes: RefCell<Vec<Mistake>>,
}

impl<'a> FileReader<'a> {
    pub(super) fn new(file: &'a str, text: &str) -> Self {
        Self {
            file,
            newlines: text.match_indices('\n').map(|(at, _)| at).collect(),
            mistakes: RefCell::default(),
        }
    }

    pub(super) fn line_at(&self, offset: usize) -> usize {
        1 + self.newlines.partition_point(|newline| *newline < offset)
    }

    pub(super) fn report(&self, line: usize, text: impl Into<String>) {
        self.mistakes.borrow_mut().push(Mistake {
            file: self.file.to_owned(),
            line,
            text: text.into(),
        });
    }

    /// Takes over the mistakes of a file that this one names.
    pub(super) fn adopt(&self, mistakes: Vec<Mistake>) {
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

/// One value and its line.
#[derive(Clone, Copy)]
pub(super) struct Node<'a> {
    source: &'a FileReader<'a>,
    value: &'a Spanned<DeValue<'a>>,
    pub(super) line: usize,
}

impl<'a> Node<'a> {
    fn new(source: &'a FileReader<'a>, value: &'a Spanned<DeValue<'a>>) -> Self {
        let Range { start, .. } = value.span();
        Self {
            source,
            value,
            line: source.line_at(start),
        }
    }

    fn wrong<T>(self, what: &str, wanted: &str) -> Option<T> {
        self.source
            .report(self.line, format!("{what} must be {wanted}"));
        None
    }

    pub(super) fn text(self, what: &str) -> Option<String> {
        match self.value.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            _ => self.wrong(what, "a text in quotes"),
        }
    }

    /// A number of at most `places` decimals, in units of the last decimal,
    /// read from the digits so that nothing is lost on the way.
    pub(super) fn decimal(self, what: &str, places: u32) -> Option<i64> {
        let wanted = match places {
            0 => "a whole number".to_owned(),
            _ => format!("a number with at most {places} decimals"),
        };
        let digits = match self.value.get_ref() {
            DeValue::Integer(number) if number.radix() == 10 => number.as_str(),
            DeValue::Float(number) => number.as_str(),
            _ => return self.wrong(what, &wanted),
        };
        read_decimal(digits, places).or_else(|| self.wrong(what, &wanted))
    }

    /// A single value as JSON: a text, a number, true or false.
    pub(super) fn scalar(self, what: &str) -> Option<Value> {
        match self.json() {
            Some(value @ (Value::String(_) | Value::Number(_) | Value::Bool(_))) => Some(value),
            _ => self.wrong(what, "one text, number, true or false"),
        }
    }

    pub(super) fn items(self, what: &str) -> Vec<Self> {
        match self.value.get_ref() {
            DeValue::Array(items) => items
                .iter()
                .map(|item| Self::new(self.source, item))
                .collect(),
            _ => {
                self.wrong::<()>(what, "a list");
                Vec::new()
            }
        }
    }

    pub(super) fn section(self, what: &str) -> Option<Section<'a>> {
        match self.value.get_ref() {
            DeValue::Table(table) => Some(Section {
                source: self.source,
                table,
                line: self.line,
                read: RefCell::default(),
            }),
            _ => self.wrong(what, "a table"),
        }
    }

    pub(super) fn is_table(self) -> bool {
        self.value.get_ref().is_table()
    }

    pub(super) fn is_list(self) -> bool {
        self.value.get_ref().is_array()
    }

    fn json(self) -> Option<Value> {
        Some(match self.value.get_ref() {
            DeValue::String(text) => json!(text.as_ref()),
            DeValue::Integer(number) => json!(number.as_str().parse::<i64>().ok()?),
            DeValue::Float(number) => json!(number.as_str().parse::<f64>().ok()?),
            DeValue::Boolean(flag) => json!(flag),
            DeValue::Datetime(_) => return None,
            DeValue::Array(items) => {
                let items = items.iter().map(|item| Self::new(self.source, item).json());
                Value::Array(items.collect::<Option<_>>()?)
            }
            DeValue::Table(table) => {
                let mut object = Map::new();
                for (key, value) in table {
                    let value = Self::new(self.source, value).json()?;
                    object.insert(key.get_ref().to_string(), value);
                }
                Value::Object(object)
            }
        })
    }
}

fn read_decimal(digits: &str, places: u32) -> Option<i64> {
    let digits = digits.replace('_', "");
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, digits.strip_prefix('+').unwrap_or(&digits)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction = fraction.trim_end_matches('0');
    let missing = places.checked_sub(u32::try_from(fraction.len()).ok()?)?;
    let units: i64 = format!("{whole}{fraction}").parse().ok()?;
    units
        .checked_mul(10i64.checked_pow(missing)?)?
        .checked_mul(sign)
}

/// A table of the file; remembers which of its keys were read.
pub(super) struct Section<'a> {
    source: &'a FileReader<'a>,
    table: &'a DeTable<'a>,
    pub(super) line: usize,
    read: RefCell<Vec<&'static str>>,
}

impl<'a> Section<'a> {
    pub(super) fn root(source: &'a FileReader<'a>, table: &'a DeTable<'a>) -> Self {
        Self {
            source,
            table,
            line: 1,
            read: RefCell::default(),
        }
    }

    pub(super) fn report(&self, text: impl Into<String>) {
        self.source.report(self.line, text);
    }

    /// Reports at the line of one of its keys.
    pub(super) fn report_at(&self, key: &str, text: impl Into<String>) {
        let value = self.table.get(key).map(|value| value.span().start);
        let line = value.map_or(self.line, |start| self.source.line_at(start));
        self.source.report(line, text);
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    pub(super) fn node(&self, key: &'static str) -> Option<Node<'a>> {
        self.read.borrow_mut().push(key);
        self.table
            .get(key)
            .map(|value| Node::new(self.source, value))
    }

    fn need(&self, key: &'static str) -> Option<Node<'a>> {
        let node = self.node(key);
        if node.is_none() {
            self.report(format!("`{key}` is missing"));
        }
        node
    }

    pub(super) fn text(&self, key: &'static str) -> Option<String> {
        self.node(key)?.text(&format!("`{key}`"))
    }

    /// A text that must be there and say something; empty when it doesn't, after reporting it.
    pub(super) fn need_text(&self, key: &'static str) -> String {
        let text = self
            .need(key)
            .and_then(|node| node.text(&format!("`{key}`")));
        if text.as_deref() == Some("") {
            self.report_at(key, format!("`{key}` is empty"));
        }
        text.unwrap_or_default()
    }

    pub(super) fn texts(&self, key: &'static str) -> Vec<String> {
        let what = format!("`{key}`");
        let items = self
            .node(key)
            .map_or_else(Vec::new, |node| node.items(&what));
        items
            .into_iter()
            .filter_map(|item| item.text(&what))
            .collect()
    }

    pub(super) fn decimal(&self, key: &'static str, places: u32) -> Option<i64> {
        self.node(key)?.decimal(&format!("`{key}`"), places)
    }

    pub(super) fn whole(&self, key: &'static str) -> Option<i64> {
        self.decimal(key, 0)
    }

    /// A whole number that must be there and not be negative.
    pub(super) fn need_count(&self, key: &'static str) -> i64 {
        let Some(node) = self.need(key) else { return 0 };
        let what = format!("`{key}`");
        match node.decimal(&what, 0) {
            Some(count) if count < 0 => node.wrong(&what, "zero or more").unwrap_or(0),
            count => count.unwrap_or(0),
        }
    }

    pub(super) fn flag(&self, key: &'static str, default: bool) -> bool {
        let Some(node) = self.node(key) else {
            return default;
        };
        match node.value.get_ref() {
            DeValue::Boolean(flag) => *flag,
            _ => node
                .wrong(&format!("`{key}`"), "true or false")
                .unwrap_or(default),
        }
    }

    pub(super) fn date(&self, key: &'static str) -> Option<NaiveDate> {
        let node = self.need(key)?;
        let text = match node.value.get_ref() {
            DeValue::Datetime(moment) => moment.to_string(),
            _ => String::new(),
        };
        let date = NaiveDate::parse_from_str(&text, "%Y-%m-%d").ok();
        date.or_else(|| node.wrong(&format!("`{key}`"), "a date such as 2026-11-01"))
    }

    pub(super) fn section(&self, key: &'static str) -> Option<Section<'a>> {
        self.node(key)?.section(&format!("`{key}`"))
    }

    pub(super) fn need_section(&self, key: &'static str) -> Option<Section<'a>> {
        self.need(key)?.section(&format!("`{key}`"))
    }

    pub(super) fn sections(&self, key: &'static str) -> Vec<Section<'a>> {
        let what = format!("`{key}`");
        let items = self
            .node(key)
            .map_or_else(Vec::new, |node| node.items(&what));
        items
            .into_iter()
            .filter_map(|item| item.section(&what))
            .collect()
    }

    pub(super) fn condition(&self, key: &'static str) -> Option<(Condition, usize)> {
        let node = self.node(key)?;
        let Some(value) = node.json() else {
            return node.wrong(&format!("`{key}`"), "a condition");
        };
        match Condition::read(&value) {
            Ok(condition) => Some((condition, node.line)),
            Err(text) => {
                self.source.report(node.line, text);
                None
            }
        }
    }

    /// Every key and value of a table whose keys are names of the operator's.
    pub(super) fn entries(&self) -> Vec<(String, Node<'a>)> {
        let mut entries: Vec<_> = self.table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let named = |(key, value): (&Spanned<_>, &'a Spanned<DeValue<'a>>)| {
            let key: &toml::de::DeString<'a> = key.get_ref();
            (key.to_string(), Node::new(self.source, value))
        };
        entries.into_iter().map(named).collect()
    }

    /// Reports every key that nobody read.
    pub(super) fn done(self) {
        let read = self.read.borrow();
        for key in self.table.keys() {
            let name = key.get_ref();
            if !read.iter().any(|known| known == name) {
                let line = self.source.line_at(key.span().start);
                let mut known = read.clone();
                known.sort_unstable();
                known.dedup();
                let known = known.join("`, `");
                self.source
                    .report(line, format!("unknown key `{name}`; known here: `{known}`"));
            }
        }
    }
}
