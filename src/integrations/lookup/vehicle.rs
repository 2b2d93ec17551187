//! Common parts of the vehicle registers' answers.

use chrono::NaiveDate;
use serde_json::Value;

use crate::domain::uk::registration::normalise;

/// Returns a mark in capitals without spaces and hyphens, or an empty text if the mark is invalid.
pub(super) fn strip_spaces(mark: &str) -> String {
    normalise(mark).unwrap_or_default()
}

/// Checks that an answer is about the queried vehicle. The error is the reason for the log.
pub(super) fn same_mark(found: &Value, name: &str, mark: &str) -> Result<(), &'static str> {
    let found_mark = found.get(name).and_then(Value::as_str).and_then(normalise);
    match found_mark {
        Some(found_mark) if found_mark == strip_spaces(mark) => Ok(()),
        Some(_) => Err("it answers about another vehicle"),
        None => Err("it doesn't say about which vehicle it answers"),
    }
}

/// Reads a day, `yyyy-MM-dd`. Returns `None` if it is missing or invalid.
pub(super) fn day(found: &Value, name: &str) -> Option<NaiveDate> {
    found.get(name)?.as_str()?.get(..10)?.parse().ok()
}

/// Reads a month, `yyyy-MM` or `yyyy-MM-dd`, as its first day. Returns `None` if it is missing or
/// invalid, in the future, or before the first registrations (1903).
pub(super) fn month(found: &Value, name: &str, today: NaiveDate) -> Option<NaiveDate> {
    let text = found.get(name)?.as_str()?;
    let first: NaiveDate = format!("{}-01", text.get(..7)?).parse().ok()?;
    let earliest = NaiveDate::from_ymd_opt(1903, 1, 1)?;
    (earliest <= first && first <= today).then_some(first)
}
