//! What customers answer, as it goes over the wire.

use indexmap::IndexMap;
use poem_openapi::registry::{MetaSchema, MetaSchemaRef, Registry};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::domain::answers::{Answers, fields};
use crate::schema::{RequestSchema, schema_of};

/// One answer: a number, a text, true or false; null where there is none. A request may hold any
/// JSON here: what it must be is the product form's to say, at the field's path.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Scalar(pub Value);

schema_of!(Scalar, "Scalar", |_| MetaSchema {
    description: Some("An answer; null where there is none."),
    nullable: true,
    one_of: vec![one_kind("number"), one_kind("string"), one_kind("boolean")],
    ..MetaSchema::ANY
});

/// What an answer holds when an option is chosen: a number or a word.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct OptionValue(pub Value);

schema_of!(inline OptionValue, "option_value", MetaSchema {
    one_of: vec![one_kind("number"), one_kind("string")],
    ..MetaSchema::ANY
});

fn one_kind(kind: &'static str) -> MetaSchemaRef {
    MetaSchemaRef::Inline(Box::new(MetaSchema::new(kind)))
}

/// Answers by the field's name.
#[derive(Debug, Default, Serialize)]
#[serde(transparent)]
pub struct Values(pub Map<String, Value>);

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        fields(from).map(Self)
    }
}

schema_of!(Values, "Values", |registry: &mut Registry| {
    Scalar::register(registry);
    MetaSchema {
        description: Some("Answers by the field's name."),
        additional_properties: Some(Box::new(Scalar::schema_ref())),
        ..MetaSchema::new("object")
    }
});

/// The instances of each repeatable dataset, each with its answers.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Multi(pub IndexMap<String, Vec<Map<String, Value>>>);

schema_of!(Multi, "Multi", |registry: &mut Registry| {
    Values::register(registry);
    let instances = MetaSchema {
        items: Some(Box::new(Values::schema_ref())),
        ..MetaSchema::new("array")
    };
    MetaSchema {
        description: Some("The instances of each repeatable dataset, each with its answers."),
        additional_properties: Some(Box::new(MetaSchemaRef::Inline(Box::new(instances)))),
        ..MetaSchema::new("object")
    }
});

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
