//! The result of an evaluation. Each dataset has rows, and each row has the results of its fields.

use serde_json::Value;

/// The results of all datasets, in the order of the form.
pub(super) struct Evaluation {
    pub blocks: Vec<DatasetResult>,
}

pub(super) struct DatasetResult {
    pub visible: bool,
    /// One row, or one row for each instance of a repeatable dataset. A row has a result for each field.
    pub rows: Vec<Vec<FieldResult>>,
    /// Number of rows with given or assumed instances. The other rows are required instances that
    /// are missing.
    pub instances: usize,
    /// Whether each field would be visible in an empty instance.
    pub pattern: Vec<bool>,
    /// Error of the whole dataset.
    pub error: Option<String>,
}

pub(super) struct FieldResult {
    pub visible: bool,
    /// The normalised answer, or null if it is missing or invalid.
    pub value: Value,
    /// The error. The box saves memory, because most fields have no error.
    pub wrong: Option<Box<FieldError>>,
}

/// An invalid answer.
pub(super) struct FieldError {
    /// The answer as typed, or `None` if it is missing.
    pub typed: Option<Value>,
    /// Error text for the customer. `None` if the form ignores the invalid answer without an error.
    pub error: Option<String>,
}

impl FieldResult {
    /// Returns the result of a field without an answer.
    pub const fn empty(visible: bool) -> Self {
        Self {
            visible,
            value: Value::Null,
            wrong: None,
        }
    }

    /// Returns the error text for the customer, or `None` if there is none.
    pub fn error(&self) -> Option<&String> {
        self.wrong.as_ref()?.error.as_ref()
    }

    /// Marks the answer as invalid, with the typed answer and the error text.
    pub fn refuse(&mut self, typed: Option<Value>, error: Option<String>) {
        self.wrong = Some(Box::new(FieldError { typed, error }));
    }
}
