//! What customers answer, as it goes over the wire.

use serde::Deserialize;

use crate::domain::quote::answers::{Answers, Multi, Values};
use crate::json_schema::RequestSchema;

/// A product with its answers.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct SerializedProduct {
    product_identifier: Option<String>,
    /// Answers by field name.
    values: Option<Values>,
    /// Instances of the repeatable datasets, by dataset.
    multi: Option<Multi>,
}

impl SerializedProduct {
    /// The identifier it names.
    pub fn identifier(&self) -> Option<&str> {
        self.product_identifier.as_deref()
    }

    /// The identifier it names, and its answers.
    pub fn parts(self) -> (Option<String>, Answers) {
        (self.product_identifier, answers(self.values, self.multi))
    }

    /// Its answers.
    pub fn answers(self) -> Answers {
        answers(self.values, self.multi)
    }
}

/// Answers in the domain's form. Values of the wrong type are left for the product's form to refuse.
pub fn answers(values: Option<Values>, multi: Option<Multi>) -> Answers {
    Answers {
        values: values.unwrap_or_default().0,
        multi: multi.unwrap_or_default().0,
    }
}
