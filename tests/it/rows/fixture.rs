//! Rows as text: hexadecimal for the program, and names, types and values for people.

use std::fmt::{self, Write};

use data_encoding::HEXLOWER;
use layby::store::AnyTable;
use rmpv::Value;

use super::golden::Stored;

/// Hexadecimal digits of a line.
const WIDTH: usize = 96;

/// The rows of one table.
pub struct Fixture<'a> {
    table: &'static dyn AnyTable,
    rows: &'a [Stored],
}

impl<'a> Fixture<'a> {
    pub fn of(table: &'static dyn AnyTable, rows: &'a [Stored]) -> Self {
        Self { table, rows }
    }
}

impl fmt::Display for Fixture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, name) = (self.table.number(), self.table.name());
        let version = self.table.version();
        writeln!(f, "table {number} {name}, rows of version {version}")?;
        for (key, value) in self.rows {
            writeln!(f, "\nkey {}", HEXLOWER.encode(key))?;
            let digits = HEXLOWER.encode(value);
            for line in digits.as_bytes().chunks(WIDTH) {
                writeln!(f, "row {}", str::from_utf8(line).unwrap())?;
            }
            let mut text = String::new();
            show(&super::fixture::value(value), 1, &mut text);
            writeln!(f, "is{text}")?;
        }
        Ok(())
    }
}

/// Returns the rows in a fixture's text.
pub fn rows(text: &str) -> Vec<Stored> {
    let bytes = |digits: &str| HEXLOWER.decode(digits.as_bytes()).unwrap();
    let mut rows: Vec<Stored> = Vec::new();
    for line in text.lines() {
        if let Some(key) = line.strip_prefix("key ") {
            rows.push((bytes(key), Vec::new()));
        } else if let Some(part) = line.strip_prefix("row ") {
            rows.last_mut().unwrap().1.extend(bytes(part));
        }
    }
    rows
}

/// Returns the MessagePack of a stored row, without its version.
pub fn value(stored: &[u8]) -> Value {
    let mut rest = &stored[1..];
    let value = rmpv::decode::read_value(&mut rest).unwrap();
    assert!(rest.is_empty(), "something follows the row");
    value
}

fn show(value: &Value, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    match value {
        Value::Nil => out.push_str(" nothing"),
        Value::Boolean(flag) => write!(out, " boolean {flag}").unwrap(),
        Value::Integer(number) => write!(out, " integer {number}").unwrap(),
        Value::F32(number) => write!(out, " short float {number}").unwrap(),
        Value::F64(number) => write!(out, " float {number}").unwrap(),
        Value::String(text) => write!(out, " text {:?}", text.as_str().unwrap()).unwrap(),
        Value::Binary(bytes) => write!(out, " bytes {}", HEXLOWER.encode(bytes)).unwrap(),
        Value::Array(items) => {
            write!(out, " list of {}", items.len()).unwrap();
            for item in items {
                write!(out, "\n{indent}-").unwrap();
                show(item, depth + 1, out);
            }
        }
        Value::Map(entries) => {
            write!(out, " map of {}", entries.len()).unwrap();
            for (name, value) in entries {
                write!(out, "\n{indent}{}:", name.as_str().unwrap()).unwrap();
                show(value, depth + 1, out);
            }
        }
        Value::Ext(kind, _) => panic!("a row has no extension of kind {kind}"),
    }
}
