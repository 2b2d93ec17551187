//! The parts of a form's JSON that no answer changes, written once for each product. This is an
//! optimisation, because reading a quote spends most of its time on writing the form.

use serde_json::{Value, json};

use super::fields::{Dataset, Field, Form};

/// The fixed JSON of a form.
#[derive(Clone, Debug, Default)]
pub(crate) struct FormJson {
    /// JSON before the datasets.
    pub head: String,
    /// One entry for each dataset.
    pub datasets: Vec<DatasetJson>,
}

/// The fixed JSON of a dataset.
#[derive(Clone, Debug)]
pub(crate) struct DatasetJson {
    /// JSON up to the value of `visible`.
    pub head: String,
    /// One entry for each field.
    pub fields: Vec<FieldJson>,
}

/// The fixed JSON of a field.
#[derive(Clone, Debug)]
pub(crate) struct FieldJson {
    /// JSON up to the answer.
    pub head: String,
    /// JSON of the value while the field has no answer.
    pub default: String,
    /// JSON after the value, for each combination of visible and locked.
    tails: [String; 4],
}

impl FormJson {
    pub fn new(form: &Form) -> Self {
        let dataset = |dataset: &Dataset| DatasetJson {
            head: open(&json!({ "identifier": dataset.identifier, "title": dataset.title }))
                + ",\"visible\":",
            fields: dataset.fields.iter().map(FieldJson::new).collect(),
        };
        Self {
            head: open(&json!({ "product_identifier": form.product_identifier }))
                + ",\"datasets\":[",
            datasets: form.datasets.iter().map(dataset).collect(),
        }
    }
}

impl FieldJson {
    fn new(field: &Field) -> Self {
        // Stored answers are valid, so `errors` is empty.
        let tail = |visible: bool, locked: bool| {
            let rest = json!({
                "visible": visible, "display_only": field.display_only, "locked": locked,
                "errors": [], "rateable": field.rateable,
            });
            rest.to_string().replacen('{', ",", 1)
        };
        Self {
            head: open(&json!({ "name": field.name })) + ",\"value\":",
            default: field.default.to_string(),
            tails: [
                tail(false, false),
                tail(false, true),
                tail(true, false),
                tail(true, true),
            ],
        }
    }

    /// Returns the JSON after the value.
    pub fn tail(&self, visible: bool, locked: bool) -> &str {
        let [hidden, hidden_locked, shown, shown_locked] = &self.tails;
        match (visible, locked) {
            (false, false) => hidden,
            (false, true) => hidden_locked,
            (true, false) => shown,
            (true, true) => shown_locked,
        }
    }
}

/// Returns the object's JSON without its closing brace.
fn open(object: &Value) -> String {
    let mut text = object.to_string();
    text.pop();
    text
}
