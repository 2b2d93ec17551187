//! Checks the datasets of a file, and makes the form of them as the website gets it.

use std::collections::HashSet;

use serde_json::Value;

use super::form_file::{self as file, DateFrom, Start};
use super::source::Place;
use crate::domain::product::fields::{Dataset, Field, FieldKind, FieldOption, Lookup, Validation};

/// Instances a repeatable dataset may have at most (specification, part 9:
/// "Add Another" is off above 9).
const MAX_INSTANCES: usize = 10;

/// The datasets as they are published.
pub(super) fn publish(datasets: &[file::Dataset], root: Place) -> Vec<Dataset> {
    if datasets.is_empty() {
        root.report("a product needs at least one `[[dataset]]`");
    }
    let places = root.items("dataset");
    let published = datasets.iter().zip(&places);
    let published: Vec<_> = published
        .map(|(dataset, place)| publish_dataset(dataset, *place))
        .collect();
    check_names(&published, &places);
    published
}

fn publish_dataset(file: &file::Dataset, place: Place) -> Dataset {
    let multi = file.multi;
    let min = file.min.unwrap_or(if multi { 0 } else { 1 });
    let max = file.max.unwrap_or(if multi { MAX_INSTANCES } else { 1 });
    if min > max || max == 0 {
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
            let text = format!("`{key}` needs `multi = true`");
            place.key(key).report(text);
        }
    }
    if file.assumed.is_some() && file.assume.is_none() {
        place.key("assumed").report("`assumed` needs `assume`");
    }
    let fields = file.fields.iter().zip(place.items("field"));
    let plural = || {
        let usual = || file.noun.as_ref().map(|noun| format!("{noun}s"));
        let plural = file.plural.clone().or_else(usual);
        plural.unwrap_or_else(|| file.identifier.clone())
    };
    Dataset {
        id: file.id,
        identifier: file.identifier.clone(),
        title: file.title.clone(),
        description: file.description.clone(),
        multi,
        min,
        max,
        count_field: file.count_field.clone(),
        noun: file.noun.clone(),
        plural: multi.then(plural),
        confirm: file.confirm.clone(),
        assumed: file.assumed.clone(),
        statements: file.statements.clone(),
        visible_when: file.visible_when.clone(),
        visible: true,
        fields: fields
            .map(|(field, place)| publish_field(field, place))
            .collect(),
        instances: None,
    }
}

fn publish_field(file: &file::Field, place: Place) -> Field {
    let kind = file.kind;
    check_limits(file, place);
    let is_asked = !file.display_only && !file.force_hidden && kind != FieldKind::Checkbox;
    let start = match &file.default {
        Some(Start::Answer(answer)) => answer.json(),
        _ if kind == FieldKind::Checkbox => Value::Bool(false),
        _ => Value::Null,
    };
    let default_from = match &file.default {
        Some(Start::Date(date)) if date.is_from_today() => Some(date.published()),
        _ => None,
    };
    Field {
        name: file.name.clone(),
        label: file.label.clone(),
        kind,
        value: start.clone(),
        default: start,
        default_from,
        visible: true,
        display_only: file.display_only,
        locked: file.locked,
        force_hidden: file.force_hidden,
        required: file
            .required
            .unwrap_or(is_asked && file.required_when.is_none()),
        required_when: file.required_when.clone(),
        folded: file.folded,
        group: file.group.clone(),
        lookup: publish_lookup(file, place),
        rateable: file.rateable,
        errors: Vec::new(),
        help: file.help.clone(),
        why: file.why.clone(),
        options: publish_options(file, place),
        visible_when: file.visible_when.clone(),
        validation: Validation {
            min_length: file.min_length,
            max_length: file.max_length,
            min: file.min,
            max: file.max,
            min_date: file.min_date.as_ref().map(DateFrom::published),
            max_date: file.max_date.as_ref().map(DateFrom::published),
        },
        width: file.width,
        autocomplete: file.autocomplete.clone(),
    }
}

fn publish_lookup(file: &file::Field, place: Place) -> Option<Lookup> {
    let at = place.key("lookup");
    match (&file.lookup, file.kind) {
        (None, kind) => return kind.is_lookup().then(Lookup::default),
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
            at.allow(&vehicle, "kind `vehicle_lookup`");
        }
        (Some(_), FieldKind::AddressLookup) => at.allow(&["lines"], "kind `address_lookup`"),
        (Some(_), _) => {
            at.report("`lookup` is for kinds `vehicle_lookup` and `address_lookup`");
        }
    }
    file.lookup.clone().map(Lookup::from)
}

/// The options of a field. A yes-or-no question has its two unless the file words them.
fn publish_options(file: &file::Field, place: Place) -> Vec<FieldOption> {
    if !file.kind.has_options() && place.has("options") {
        place.report("`options` are for kinds `cards`, `radio`, `select` and `yes_no`");
    }
    if file.kind == FieldKind::YesNo && file.options.is_empty() {
        return vec![FieldOption::new(1, "Yes"), FieldOption::new(2, "No")];
    }
    if file.kind.has_options() && file.options.is_empty() {
        place.report("`options` are missing");
    }
    let mut seen: Vec<&Value> = Vec::new();
    for (option, place) in file.options.iter().zip(place.items("options")) {
        let value = &option.value;
        let at = place.key("value");
        if !matches!(value, Value::Number(_) | Value::String(_)) {
            at.report("an option needs a `value`: a number or a text");
        }
        if value.as_f64().is_some_and(|number| number.fract() != 0.0) {
            at.report("an option's number must be whole");
        }
        if seen.contains(&value) {
            at.report(format!("option {value} is there twice"));
        }
        seen.push(value);
    }
    let with_text = |option: &FieldOption| {
        let mut option = option.clone();
        if option.text.is_empty() {
            option.text.clone_from(&option.label);
        }
        option
    };
    file.options.iter().map(with_text).collect()
}

fn check_limits(file: &file::Field, place: Place) {
    let dates = [&file.value_from, &file.min_date, &file.max_date];
    let starts = file.price_default.iter().map(|case| &case.value);
    let starts = starts.chain(&file.default).filter_map(|start| match start {
        Start::Date(date) => Some(date),
        Start::Answer(_) => None,
    });
    for date in dates.into_iter().flatten().chain(starts) {
        if date.months().unsigned_abs() > 2400 || date.days.unsigned_abs() > 73_000 {
            place.report("a date limit reaches at most 200 years");
        }
    }
    let is_dated = file.min_date.is_some() || file.max_date.is_some();
    if is_dated && file.kind != FieldKind::Date {
        place.report("`min_date` and `max_date` are for kind `date`");
    }
    let is_numbered = file.min.is_some() || file.max.is_some();
    if is_numbered && file.kind != FieldKind::Number {
        place.report("`min` and `max` are for kind `number`");
    }
    let is_measured = file.min_length.is_some() || file.max_length.is_some();
    if is_measured && !matches!(file.kind, FieldKind::Text | FieldKind::Address) {
        place.report("`min_length` and `max_length` are for kinds `text` and `address`");
    }
    if file.min.zip(file.max).is_some_and(|(min, max)| min > max) {
        place.report("`min` is above `max`");
    }
    let lengths = file.min_length.zip(file.max_length);
    if lengths.is_some_and(|(min, max)| min > max) {
        place.report("`min_length` is above `max_length`");
    }
    if let Some(days) = file.waiting_days {
        let at = place.key("waiting_days");
        if file.kind != FieldKind::Checkbox {
            at.report("`waiting_days` is for kind `checkbox`");
        }
        if days < 1 {
            at.report("`waiting_days` is at least 1");
        }
    }
}

fn check_names(datasets: &[Dataset], places: &[Place]) {
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
        let known = if dataset.multi { &mut own } else { &mut top };
        for (field, place) in dataset.fields.iter().zip(place.items("field")) {
            if !known.insert(field.name.as_str()) {
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
