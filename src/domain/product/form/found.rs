//! What going through a form found: blocks of rows of cells.

use serde_json::Value;

/// What going through a form found.
pub(super) struct Evaluation {
    pub blocks: Vec<Block>,
}

/// What was found in a dataset.
pub(super) struct Block {
    pub visible: bool,
    /// One row of cells; as many as instances when the dataset repeats.
    pub rows: Vec<Vec<Cell>>,
    /// How many of the rows count as given; the rest stands in for instances
    /// that are needed and missing.
    pub given: usize,
    /// Which fields an empty instance would show.
    pub pattern: Vec<bool>,
    /// What is wrong with the dataset as a whole.
    pub error: Option<String>,
}

/// What was found at a field.
pub(super) struct Cell {
    pub visible: bool,
    /// The normalised answer, null when there is none that holds.
    pub value: Value,
    /// What is wrong with it, apart, since mostly nothing is.
    pub wrong: Option<Box<Wrong>>,
}

/// An answer that doesn't hold.
pub(super) struct Wrong {
    /// What was typed.
    pub typed: Option<Value>,
    /// What to do about it; none where nobody is told.
    pub error: Option<String>,
}

impl Cell {
    /// A field without an answer.
    pub const fn empty(visible: bool) -> Self {
        Self {
            visible,
            value: Value::Null,
            wrong: None,
        }
    }

    /// The sentence that says what to do about the answer.
    pub fn error(&self) -> Option<&String> {
        self.wrong.as_ref()?.error.as_ref()
    }

    /// Notes that the answer doesn't hold: what was typed, and what to do about it.
    pub fn refuse(&mut self, typed: Option<Value>, error: Option<String>) {
        self.wrong = Some(Box::new(Wrong { typed, error }));
    }
}
