//! Checks the datasets of a file, and completes them for the website.

use std::collections::HashSet;

use serde_json::Value;

use super::source::SourceLine;
use crate::domain::product::field_kind::FieldKind;
use crate::domain::product::field_lookup::Lookup;
use crate::domain::product::fields::{Dataset, Field, FieldOption, Start, Validation};

/// Maximum number of instances of a repeatable dataset without a `max` in the file (specification,
/// part 9).
const MAX_INSTANCES: usize = 10;

/// Checks the datasets of a file, and completes them as the website receives them.
pub(super) fn publish(datasets: &mut [Dataset], root: SourceLine) {
    if datasets.is_empty() {
        root.report("a product needs at least one `[[dataset]]`");
    }
    let places = root.items("dataset");
    for (dataset, place) in datasets.iter_mut().zip(&places) {
        publish_dataset(dataset, *place);
    }
    check_names(datasets, &places);
}

fn publish_dataset(dataset: &mut Dataset, place: SourceLine) {
    let multi = dataset.multi;
    if !multi && !place.has("min") {
        dataset.min = 1;
    }
    if !place.has("max") {
        dataset.max = if multi { MAX_INSTANCES } else { 1 };
    }
    if dataset.min > dataset.max || dataset.max == 0 {
        place.report("`min` must not be above `max`, and `max` not zero");
    }
    for key in [
        "min",
        "max",
        "count_field",
        "noun",
        "plural",
        "confirm",
        "assume",
    ] {
        if !multi && place.has(key) {
            place.report_key(key, "needs `multi = true`");
        }
    }
    if dataset.assumed.is_some() && dataset.assume.is_none() {
        place.report_key("assumed", "needs `assume`");
    }
    if multi && dataset.plural.is_none() {
        let noun = dataset.noun.as_ref().map(|noun| format!("{noun}s"));
        dataset.plural = noun.or_else(|| Some(dataset.identifier.clone()));
    }
    for (field, place) in dataset.fields.iter_mut().zip(place.items("field")) {
        publish_field(field, place);
    }
}

fn publish_field(field: &mut Field, place: SourceLine) {
    check_limits(field, place);
    publish_lookup(field, place);
    publish_options(field, place);
    match &field.start {
        Some(Start::Answer(answer)) => field.default = answer.json(),
        Some(Start::Date(date)) if date.is_from_today() => field.default_from = Some(date.clone()),
        _ if field.kind == FieldKind::Checkbox => field.default = false.into(),
        _ => {}
    }
    field.value = field.default.clone();
    if !place.has("required") {
        let is_asked = !field.display_only && !field.force_hidden;
        let is_answered = field.kind == FieldKind::Checkbox || field.required_when.is_some();
        field.required = is_asked && !is_answered;
    }
    field.validation = Validation {
        min_length: field.min_length,
        max_length: field.max_length,
        min: field.min,
        max: field.max,
        min_date: field.min_date.clone(),
        max_date: field.max_date.clone(),
    };
}

fn publish_lookup(field: &mut Field, place: SourceLine) {
    let lookup_key = place.key("lookup");
    match (&field.lookup, field.kind) {
        (None, kind) => field.lookup = kind.is_lookup().then(Lookup::default),
        (Some(_), FieldKind::VehicleLookup) => {
            let vehicle = [
                "make",
                "model",
                "colour",
                "fuel",
                "first_registered",
                "mot_note",
                "tax_note",
            ];
            lookup_key.allow(&vehicle, "kind `vehicle_lookup`");
        }
        (Some(_), FieldKind::AddressLookup) => {
            lookup_key.allow(&["lines"], "kind `address_lookup`")
        }
        (Some(_), _) => {
            lookup_key.report("`lookup` is for kinds `vehicle_lookup` and `address_lookup`");
        }
    }
}

/// Checks and completes the options of a field. A yes-or-no question gets its two options if the file has
/// none.
fn publish_options(field: &mut Field, place: SourceLine) {
    if !field.kind.has_options() && place.has("options") {
        place.report("`options` are for kinds `cards`, `radio`, `select` and `yes_no`");
    }
    if field.kind == FieldKind::YesNo && field.options.is_empty() {
        field.options = vec![FieldOption::new(1, "Yes"), FieldOption::new(2, "No")];
        return;
    }
    if field.kind.has_options() && field.options.is_empty() {
        place.report("`options` are missing");
    }
    let mut seen: Vec<&Value> = Vec::new();
    for (option, place) in field.options.iter_mut().zip(place.items("options")) {
        if option.text.is_empty() {
            option.text.clone_from(&option.label);
        }
        let value = &option.value;
        let value_key = place.key("value");
        if !matches!(value, Value::Number(_) | Value::String(_)) {
            value_key.report("an option needs a `value`: a number or a text");
        }
        if value.as_f64().is_some_and(|number| number.fract() != 0.0) {
            value_key.report("an option's number must be whole");
        }
        if seen.contains(&value) {
            value_key.report(format!("option {value} is there twice"));
        }
        seen.push(value);
    }
}

fn check_limits(field: &Field, place: SourceLine) {
    let dates = [&field.value_from, &field.min_date, &field.max_date];
    let starts = field.price_default.iter().map(|case| &case.value);
    let starts = starts.chain(&field.start).filter_map(|start| match start {
        Start::Date(date) => Some(date),
        Start::Answer(_) => None,
    });
    for date in dates.into_iter().flatten().chain(starts) {
        if date.all_months().unsigned_abs() > 2400 || date.days.unsigned_abs() > 73_000 {
            place.report("a date limit reaches at most 200 years");
        }
    }
    let is_dated = field.min_date.is_some() || field.max_date.is_some();
    if is_dated && field.kind != FieldKind::Date {
        place.report("`min_date` and `max_date` are for kind `date`");
    }
    let is_numbered = field.min.is_some() || field.max.is_some();
    if is_numbered && field.kind != FieldKind::Number {
        place.report("`min` and `max` are for kind `number`");
    }
    let is_measured = field.min_length.is_some() || field.max_length.is_some();
    if is_measured && !matches!(field.kind, FieldKind::Text | FieldKind::Address) {
        place.report("`min_length` and `max_length` are for kinds `text` and `address`");
    }
    if field.min.zip(field.max).is_some_and(|(min, max)| min > max) {
        place.report("`min` is above `max`");
    }
    let lengths = field.min_length.zip(field.max_length);
    if lengths.is_some_and(|(min, max)| min > max) {
        place.report("`min_length` is above `max_length`");
    }
    if let Some(days) = field.waiting_days {
        let days_key = place.key("waiting_days");
        if field.kind != FieldKind::Checkbox {
            days_key.report("`waiting_days` is for kind `checkbox`");
        }
        if days < 1 {
            days_key.report("`waiting_days` is at least 1");
        }
    }
}

fn check_names(datasets: &[Dataset], places: &[SourceLine]) {
    let (mut ids, mut identifiers, mut top) = (HashSet::new(), HashSet::new(), HashSet::new());
    for (dataset, place) in datasets.iter().zip(places) {
        let name = dataset.identifier.as_str();
        if !ids.insert(dataset.id) {
            place.report(format!("dataset id {} is there twice", dataset.id));
        }
        if !identifiers.insert(name) {
            place.report(format!("dataset `{name}` is there twice"));
        }
        if name.contains('.') {
            place.report("a dataset's identifier is a word without a dot");
        }
        let mut own = HashSet::new();
        let values = if dataset.multi { &mut own } else { &mut top };
        for (field, place) in dataset.fields.iter().zip(place.items("field")) {
            if !values.insert(field.name.as_str()) {
                place.report(format!("field `{}` is there twice", field.name));
            }
            if field.name.contains(['.', '{', '}']) {
                place.report("a field's name has no dots or braces");
            }
        }
        if let Some(count) = &dataset.count_field
            && !top.insert(count)
        {
            place.report(format!("field `{count}` is there twice"));
        }
    }
}
