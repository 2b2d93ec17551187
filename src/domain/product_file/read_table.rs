//! Fills a tariff's table from its rows, and reports every combination of keys without a row.

use super::names::shown;
use super::reader::{FileReader, Node, Section};
use crate::domain::condition::Literal;
use crate::domain::product::tariff::{Figure, KeySource, TableKey};

/// How a row names a missing answer.
const MISSING: &str = "-";
/// Most cells a table may have; more is taken for a mistake in its keys.
const MOST_CELLS: usize = 100_000;
/// How many missing rows a message lists before it only counts them.
const HOLES_LISTED: usize = 12;

/// A key of a table and the values it can have.
pub(super) struct Key {
    pub(super) name: String,
    pub(super) by: KeySource,
    pub(super) values: Vec<Literal>,
}

pub(super) fn table(
    source: &FileReader,
    section: &Section,
    keys: &[Key],
    rows: Node,
) -> Option<Figure> {
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
    if size > MOST_CELLS {
        section.report(format!("a table of {size} cells is too large"));
        return None;
    }
    let mut cells = vec![None; size];
    for row in rows.items("`rows`") {
        if let Some((cell, figure)) = read_row(source, keys, &table_keys, row)
            && let Some(slot) = cells.get_mut(cell)
            && slot.replace(figure).is_some()
        {
            source.report(row.line, "this row is there twice");
        }
    }
    holes(section, keys, &table_keys, &cells);
    Some(Figure::Table(table_keys, cells))
}

fn read_row(
    source: &FileReader,
    keys: &[Key],
    table: &[TableKey],
    row: Node,
) -> Option<(usize, i64)> {
    let parts = row.items("a row");
    let Some((figure, values)) = parts.split_last() else {
        source.report(row.line, "a row is empty");
        return None;
    };
    if values.len() != keys.len() {
        let text = format!("a row here has {} keys and then a figure", keys.len());
        source.report(row.line, text);
        return None;
    }
    let mut cell = Some(0);
    for ((key, table), node) in keys.iter().zip(table).zip(values) {
        let value = node.scalar("a key")?;
        let literal = Literal::of(&value)?;
        let at = match key.values.iter().position(|known| *known == literal) {
            None if value == MISSING => Some(key.values.len()),
            found => found,
        };
        if at.is_none() {
            let text = format!("{} is no value of `{}`", shown(&literal), key.name);
            source.report(node.line, text);
        }
        cell = cell.zip(at).map(|(cell, at)| cell + at * table.stride);
    }
    // A wrong figure is reported at its own line; the row is there, so it isn't missing as well.
    let figure = figure.decimal("the figure of a row", 2).unwrap_or(0);
    Some((cell?, figure))
}

/// Every combination of the keys' values needs a row; only the rows for
/// missing answers are the operator's choice.
fn holes(section: &Section, keys: &[Key], table: &[TableKey], cells: &[Option<i64>]) {
    let mut holes = Vec::new();
    for (at, cell) in cells.iter().enumerate() {
        let mut names = Vec::new();
        for (key, table) in keys.iter().zip(table) {
            let value = at / table.stride % (table.missing + 1);
            names.extend(key.values.get(value).map(shown));
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
    section.report(format!("the table has no row for {keys} = {holes}{rest}"));
}
