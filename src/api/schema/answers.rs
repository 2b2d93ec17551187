//! JSON schemas of a customer's answers.

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
    /// The instances of each repeatable dataset, by the dataset's identifier.
    multi: Option<Multi>,
}

impl SerializedProduct {
    /// Returns the product's identifier, if the request contains it.
    pub fn identifier(&self) -> Option<&str> {
        self.product_identifier.as_deref()
    }

    /// Returns the product's identifier and the answers.
    pub fn parts(self) -> (Option<String>, Answers) {
        (self.product_identifier, answers(self.values, self.multi))
    }

    pub fn answers(self) -> Answers {
        answers(self.values, self.multi)
    }
}

/// Converts answers to the domain's type. The product's form later refuses values of the wrong type.
pub fn answers(values: Option<Values>, multi: Option<Multi>) -> Answers {
    Answers {
        values: values.unwrap_or_default().0,
        multi: multi.unwrap_or_default().0,
    }
}
