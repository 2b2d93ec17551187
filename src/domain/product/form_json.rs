//! The parts of a form's JSON that no answer changes, written once for each product. Reading a
//! quote spends most of its time on writing its form, so this is an optimisation.

use serde_json::{Value, json};

use super::fields::{Dataset, Field, Form};

/// A form's unchanging text.
#[derive(Clone, Debug, Default)]
pub(crate) struct FormJson {
    /// Up to its datasets.
    pub head: String,
    /// Dataset by dataset.
    pub datasets: Vec<DatasetJson>,
}

/// A dataset's unchanging text.
#[derive(Clone, Debug)]
pub(crate) struct DatasetJson {
    /// Up to whether it shows.
    pub head: String,
    /// Field by field.
    pub fields: Vec<FieldJson>,
}

/// A field's unchanging text.
#[derive(Clone, Debug)]
pub(crate) struct FieldJson {
    /// Up to its value.
    pub head: String,
    /// Its value while it has no answer.
    pub default: String,
    /// What comes after its value: hidden or shown, free or locked.
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
        // Stored answers have nothing wrong.
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

    /// What comes after its value.
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

/// An object that goes on.
fn open(object: &Value) -> String {
    let mut text = object.to_string();
    text.pop();
    text
}
