//! Reads one answer by its field's kind. The result is the normalised answer, or an error text for the
//! customer.

use chrono::NaiveDate;
use serde_json::Value;

use crate::domain::product::compiled::{CompiledField, FieldRef, Rule};
use crate::domain::product::condition::{Scalar, number_json};
use crate::domain::product::field_kind::FieldKind;
use crate::domain::time::dates;

/// Maximum length of a text in bytes. A longer text is refused without further checks.
const MAX_TEXT_LENGTH: usize = 4000;
/// Maximum absolute value of a number. Up to this value, a double distinguishes all numbers with
/// two decimals.
const LARGEST: f64 = 1e12;

/// Returns the normalised answer, or null for a missing answer.
pub(super) fn read<'a>(
    field: &CompiledField,
    typed: &Value,
    today: NaiveDate,
    look: &impl Fn(&FieldRef) -> Scalar<'a>,
) -> Result<Value, String> {
    let kind = field.kind;
    match typed {
        Value::String(text) if !text.trim().is_empty() => {}
        // A checkbox with an empty text is not ticked.
        Value::String(_) if kind == FieldKind::Checkbox => return Ok(Value::Bool(false)),
        Value::Null | Value::String(_) => return Ok(Value::Null),
        _ => {}
    }
    if kind.has_options() {
        return option(field, typed, look);
    }
    match kind {
        FieldKind::Checkbox if typed.is_boolean() => return Ok(typed.clone()),
        FieldKind::Checkbox => return Err("Tick the box or leave it empty".into()),
        FieldKind::Number => return number(field, typed),
        _ => {}
    }
    let Value::String(typed) = typed else {
        return Err(kind.not_text().into());
    };
    let lengths = (field.bounds.min_length, field.bounds.max_length);
    if typed.len() > MAX_TEXT_LENGTH {
        return Err(format!("Use {} characters or fewer", lengths.1));
    }
    let typed = typed.trim();
    let stored = match kind {
        FieldKind::Date => date(field, typed, today, look)?,
        _ => kind.check_text(typed, lengths, today)?,
    };
    Ok(Value::String(stored))
}

fn option<'a>(
    field: &CompiledField,
    typed: &Value,
    look: &impl Fn(&FieldRef) -> Scalar<'a>,
) -> Result<Value, String> {
    let options = &field.options;
    let holds = |rule: &Option<Rule>| rule.as_ref().is_none_or(|rule| rule.holds(look));
    let chosen = options
        .find(Scalar::from_json(typed))
        .filter(|index| options.rules.get(*index).is_some_and(holds))
        .and_then(|index| options.values.get(index));
    match (chosen, field.kind) {
        // The option decides the notation: 2.0 becomes 2.
        (Some(value), _) => Ok(value.json()),
        (None, FieldKind::YesNo) => Err("Choose yes or no".into()),
        (None, _) => Err("Choose one of the options".into()),
    }
}

fn number(field: &CompiledField, typed: &Value) -> Result<Value, String> {
    let Some(number) = typed.as_f64().filter(|number| number.is_finite()) else {
        return Err("Enter a number in figures, such as 250".into());
    };
    if number.abs() > LARGEST {
        return Err("Enter a smaller number".into());
    }
    let (min, max) = (field.bounds.min, field.bounds.max);
    if min.is_some_and(|min| number < min as f64) || max.is_some_and(|max| number > max as f64) {
        return Err(match (min, max) {
            (Some(min), Some(max)) => format!("Enter a number from {min} to {max}"),
            (Some(min), None) => format!("Enter a number of {min} or more"),
            _ => format!("Enter a number of {} or less", max.unwrap_or_default()),
        });
    }
    let hundredths = number * 100.0;
    if (hundredths - hundredths.round()).abs() > 1e-6 * hundredths.abs().max(1.0) {
        return Err("Use at most two decimals".into());
    }
    Ok(number_json(number))
}

fn date<'a>(
    field: &CompiledField,
    text: &str,
    today: NaiveDate,
    look: &impl Fn(&FieldRef) -> Scalar<'a>,
) -> Result<String, String> {
    let Some(date) = dates::parse_form_date(text) else {
        return Err("Enter a date that exists, such as 01/06/2026".into());
    };
    let limit = |limit: &Option<crate::domain::product::compiled::CompiledDateLimit>| {
        limit.as_ref().and_then(|limit| limit.date(today, look))
    };
    let (min, max) = (limit(&field.min_date), limit(&field.max_date));
    if let Some(min) = min.filter(|min| date < *min) {
        let min = dates::shown_date(min);
        return Err(format!("Enter a date on or after {min}"));
    }
    if let Some(max) = max.filter(|max| date > *max) {
        let max = dates::shown_date(max);
        return Err(format!("Enter a date on or before {max}"));
    }
    Ok(dates::form_date(date))
}
