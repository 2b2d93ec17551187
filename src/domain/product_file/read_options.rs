//! Reads the options of a `[[dataset.field]]`.

use serde_json::Value;

use super::reader::Section;
use crate::domain::product::fields::{FieldKind, FieldOption};

/// The options of a field, each with its line. A yes-or-no question has its two unless the file
/// words them.
pub(super) fn options(section: &Section, kind: FieldKind) -> (Vec<FieldOption>, Vec<usize>) {
    let listed = section.sections("options");
    if !kind.has_options() && section.has("options") {
        section.report("`options` are for kinds `cards`, `radio`, `select` and `yes_no`");
    }
    if kind == FieldKind::YesNo && listed.is_empty() {
        let option = |value: i64, label: &str| FieldOption {
            value: value.into(),
            label: label.into(),
            text: label.into(),
            description: None,
            includes: Vec::new(),
            excludes: Vec::new(),
            icon: None,
            visible_when: None,
        };
        return (
            vec![option(1, "Yes"), option(2, "No")],
            vec![section.line; 2],
        );
    }
    if kind.has_options() && listed.is_empty() {
        section.report("`options` are missing");
    }
    let mut seen: Vec<Value> = Vec::new();
    listed
        .into_iter()
        .map(|section| {
            let label = section.need_text("label");
            let value = section
                .node("value")
                .and_then(|node| node.scalar("`value`"));
            if !matches!(value, Some(Value::Number(_) | Value::String(_))) {
                section.report("an option needs a `value`: a number or a text");
            }
            let value = value.unwrap_or_default();
            if seen.contains(&value) {
                section.report_at("value", format!("option {value} is there twice"));
            }
            seen.push(value.clone());
            let visible = section.condition("visible_when");
            let option = FieldOption {
                value,
                text: section.text("text").unwrap_or_else(|| label.clone()),
                label,
                description: section.text("description"),
                includes: section.texts("includes"),
                excludes: section.texts("excludes"),
                icon: section.text("icon"),
                visible_when: visible.as_ref().map(|(condition, _)| condition.clone()),
            };
            let line = visible.map_or(section.line, |(_, line)| line);
            if option
                .value
                .as_f64()
                .is_some_and(|number| number.fract() != 0.0)
            {
                section.report_at("value", "an option's number must be whole");
            }
            section.done();
            (option, line)
        })
        .unzip()
}
