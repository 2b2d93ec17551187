//! The fixtures that the website's tests share.

use layby::domain::product::Product;
use layby::domain::product::condition::{Condition, Scalar};
use layby::domain::product::form::{self, Scope};
use layby::domain::quote::answers::Answers;
use layby::domain::quote::summary::{SummaryLine, summary};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{breakdown, today};

#[derive(Deserialize)]
struct ConditionCase {
    name: String,
    condition: Value,
    values: Map<String, Value>,
    instance: Option<Map<String, Value>>,
    #[serde(default)]
    counts: Map<String, Value>,
    expect: bool,
}

#[test]
fn conditions_hold_as_the_fixtures_say() {
    let text = include_str!("../../fixtures/conditions.json");
    let cases: Vec<ConditionCase> = serde_json::from_str(text).unwrap();
    for case in cases {
        let condition = Condition::read(&case.condition).unwrap();
        let look = |name: &String| {
            let own = case
                .instance
                .as_ref()
                .and_then(|instance| instance.get(name));
            let found = own
                .or_else(|| case.counts.get(name))
                .or_else(|| case.values.get(name));
            found.map_or(Scalar::Missing, Scalar::from_json)
        };
        assert_eq!(condition.holds(&look), case.expect, "{}", case.name);
    }
}

#[derive(Deserialize)]
struct TextCase {
    name: String,
    text: String,
    accepted: bool,
}

#[test]
fn names_have_no_characters_that_cannot_be_seen() {
    let text = include_str!("../../fixtures/hidden_characters.json");
    let cases: Vec<TextCase> = serde_json::from_str(text).unwrap();
    for case in cases {
        let address = format!("1 High Street\n{} Gate, Leeds", case.text);
        let values = json!({ "first_name": case.text, "address_primary": address });
        let answers = json!({ "values": values });
        let answers: Answers = serde_json::from_value(answers).unwrap();
        let checked = form::check(&breakdown(), &answers, Scope::Complete, today());
        for field in ["first_name", "address_primary"] {
            let refused = "Remove the characters that can't be seen; typing it again helps";
            let expected = (!case.accepted).then_some(refused);
            assert_eq!(
                checked.errors.first(field),
                expected,
                "{} in {field}",
                case.name
            );
        }
    }
}

#[test]
fn a_condition_has_one_form_and_one_test() {
    for (wrong, says) in [
        (json!(true), "a condition is a table"),
        (json!({}), "exactly one of"),
        (json!({"field": 1, "is": 1}), "must be the name of a field"),
        (json!({"field": "a"}), "needs exactly one of `is`"),
        (
            json!({"field": "a", "is": 1, "set": true}),
            "needs exactly one of `is`",
        ),
        (json!({"field": "a", "is": [1]}), "must be one number"),
        (json!({"field": "a", "in": []}), "must be a list"),
        (json!({"field": "a", "at_least": "1"}), "must be a number"),
        (json!({"field": "a", "set": 1}), "must be true or false"),
        (json!({"field": "a", "equals": 1}), "`equals` is no test"),
        (json!({"all": []}), "`all` must be a list"),
        (
            json!({"any": [{"field": "a"}]}),
            "needs exactly one of `is`",
        ),
        (json!({"all": [], "any": []}), "exactly one of"),
        (json!({"none": []}), "`none` is no condition"),
    ] {
        let text = Condition::read(&wrong).unwrap_err();
        assert!(text.contains(says), "{wrong}: {text}");
    }
}

#[derive(Deserialize)]
struct FormCase {
    name: String,
    #[serde(flatten)]
    answers: Answers,
    #[serde(default)]
    visible: Vec<String>,
    #[serde(default)]
    lines: Vec<SummaryLine>,
}

/// Returns the paths of every visible field, for the given instances.
pub fn visible(product: &Product, answers: &Answers) -> Vec<String> {
    let form = form::describe(product, answers, form::Scope::Complete, today());
    let mut paths = Vec::new();
    for dataset in &form.datasets {
        let Some(instances) = &dataset.instances else {
            let shown = dataset.fields.iter().filter(|field| field.visible);
            paths.extend(shown.map(|field| field.name.clone()));
            continue;
        };
        let given = answers.rows(&dataset.identifier).len();
        for (index, row) in instances.iter().take(given).enumerate() {
            for field in row.iter().filter(|field| field.visible) {
                paths.push(format!("{}.{index}.{}", dataset.identifier, field.name));
            }
        }
    }
    paths
}

#[test]
fn fields_show_as_the_fixtures_say() {
    let text = include_str!("../../fixtures/visibility.json");
    let cases: Vec<FormCase> = serde_json::from_str(text).unwrap();
    let product = breakdown();
    for case in cases {
        assert_eq!(
            visible(&product, &case.answers),
            case.visible,
            "{}",
            case.name
        );
    }
}

#[test]
fn the_summary_reads_as_the_fixtures_say() {
    let text = include_str!("../../fixtures/summary.json");
    let cases: Vec<FormCase> = serde_json::from_str(text).unwrap();
    let product = breakdown();
    for case in cases {
        assert_eq!(
            summary(&product, &case.answers),
            case.lines,
            "{}",
            case.name
        );
    }
}
