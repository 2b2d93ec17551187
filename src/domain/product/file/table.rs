//! Fills a tariff's table from its rows, and reports every combination of keys without a row.

use serde::Deserialize;
use serde_json::Value;

use super::names::format_value;
use super::source::SourceLine;
use super::tariff_file::Hundredths;
use crate::domain::product::condition::Literal;
use crate::domain::product::tariff::{Figure, KeySource, TableKey};

/// A row's value for a missing answer.
const MISSING: &str = "-";
/// Maximum number of cells. A larger table is treated as a mistake in the keys.
const MAX_CELLS: usize = 100_000;
/// Maximum number of missing rows that a message lists. The message gives only the number of the
/// others.
const HOLES_LISTED: usize = 12;

/// A key of a table, with its possible values.
pub(super) struct RawTableKey {
    pub(super) name: String,
    pub(super) by: KeySource,
    pub(super) values: Vec<Literal>,
}

/// Returns the filled table of the step at `place`. Reports mistakes. Returns `None` only if the
/// table is too large.
pub(super) fn fill(keys: &[RawTableKey], rows: &[Vec<Value>], place: SourceLine) -> Option<Figure> {
    let mut size = 1usize;
    let mut table_keys = Vec::new();
    for key in keys.iter().rev() {
        table_keys.push(TableKey {
            by: key.by.clone(),
            stride: size,
            missing: key.values.len(),
        });
        size = size.saturating_mul(key.values.len() + 1);
    }
    table_keys.reverse();
    if size > MAX_CELLS {
        place.report(format!("a table of {size} cells is too large"));
        return None;
    }
    let mut cells = vec![None; size];
    for (row, place) in rows.iter().zip(place.items("rows")) {
        if let Some((cell, figure)) = read_row(keys, &table_keys, row, place)
            && let Some(slot) = cells.get_mut(cell)
            && slot.replace(figure).is_some()
        {
            place.report("this row is there twice");
        }
    }
    check_holes(place, keys, &table_keys, &cells);
    Some(Figure::Table(table_keys, cells))
}

/// Returns the index of a row's cell, and its figure. Reports a wrong row, and returns `None` if
/// the cell is unknown.
fn read_row(
    keys: &[RawTableKey],
    table: &[TableKey],
    row: &[Value],
    place: SourceLine,
) -> Option<(usize, i64)> {
    let Some((figure, values)) = row.split_last() else {
        place.report("a row is empty");
        return None;
    };
    if values.len() != keys.len() {
        let text = format!("a row here has {} keys and then a figure", keys.len());
        place.report(text);
        return None;
    }
    let places = place.list();
    let mut cell = Some(0);
    for (((key, table), value), place) in keys.iter().zip(table).zip(values).zip(&places) {
        let literal = Literal::from_json(value);
        let index = literal.as_ref().and_then(|literal| {
            let found = key.values.iter().position(|candidate| candidate == literal);
            found.or_else(|| (value == MISSING).then_some(key.values.len()))
        });
        if index.is_none() {
            let value = literal.map_or_else(|| value.to_string(), |literal| format_value(&literal));
            place.report(format!("{value} is no value of `{}`", key.name));
        }
        cell = cell
            .zip(index)
            .map(|(cell, index)| cell + index * table.stride);
    }
    let figure = Hundredths::deserialize(figure).unwrap_or_else(|_| {
        let place = places.last().copied().unwrap_or(place);
        place.report("the figure of a row must be a number with at most 2 decimals");
        // The row exists, so it must not be reported as missing too.
        Hundredths(0)
    });
    Some((cell?, figure.0))
}

/// Reports every combination of the keys' values without a row. Rows for missing answers are
/// optional.
fn check_holes(place: SourceLine, keys: &[RawTableKey], table: &[TableKey], cells: &[Option<i64>]) {
    let mut holes = Vec::new();
    for (index, cell) in cells.iter().enumerate() {
        let mut names = Vec::new();
        for (key, table) in keys.iter().zip(table) {
            let value = index / table.stride % (table.missing + 1);
            names.extend(key.values.get(value).map(format_value));
        }
        if cell.is_none() && names.len() == keys.len() {
            holes.push(format!("[{}]", names.join(", ")));
        }
    }
    if holes.is_empty() {
        return;
    }
    let more = holes.len().saturating_sub(HOLES_LISTED);
    holes.truncate(HOLES_LISTED);
    let keys: Vec<_> = keys.iter().map(|key| key.name.as_str()).collect();
    let rest = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    let (keys, holes) = (keys.join(", "), holes.join(", "));
    place.report(format!("the table has no row for {keys} = {holes}{rest}"));
}
