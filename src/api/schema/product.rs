//! JSON schemas of products.

use serde::Serialize;

use crate::domain::product::stepper::StepperKind;
use crate::domain::product::{Form, Info};
use crate::json_schema::ResponseSchema;

/// A product: its form and its information.
#[derive(Serialize, ResponseSchema)]
pub struct ProductRead {
    pub(in crate::api) form: Form,
    pub(in crate::api) info: Info,
}

/// A product in the list of all.
#[derive(Serialize, ResponseSchema)]
pub struct ProductListItem {
    pub(in crate::api) product_title: String,
    pub(in crate::api) identifier: String,
}

/// A product that is on sale.
#[derive(Serialize, ResponseSchema)]
pub struct EnabledProduct {
    pub(in crate::api) identifier: String,
    pub(in crate::api) product_title: String,
    pub(in crate::api) product_short_title: String,
    pub(in crate::api) enabled: bool,
    pub(in crate::api) stepper: StepperKind,
}
