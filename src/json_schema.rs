//! Builds the schemas of the API's bodies. `layby-derive` derives them from serde's attributes, so
//! that the document and the bodies have equal names. The derived code calls this module.

pub use layby_derive::{RequestSchema, ResponseSchema};

pub use poem_openapi::registry::Registry;
pub use poem_openapi::types::Type;

use poem_openapi::registry::{MetaSchema, MetaSchemaRef};
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, forward_to_deserialize_any};
use serde_json::Value;

/// A member of an object's schema.
pub struct Member {
    name: &'static str,
    schema: MetaSchemaRef,
    is_required: bool,
}

/// When a body contains a member.
pub enum Presence {
    /// The member is always present, and a `None` is null.
    Always,
    /// The member is left out if there is no value.
    Sometimes,
    /// A `None` may be null or left out.
    Optional,
    /// The member may be left out. It then has this value.
    Default(Option<Value>),
}

impl Member {
    /// Returns the member `name` of the type `T`.
    pub fn for_type<T: Type>(
        registry: &mut Registry,
        name: &'static str,
        description: &'static str,
        presence: Presence,
    ) -> Self {
        T::register(registry);
        Self::new(
            name,
            description,
            presence,
            T::schema_ref(),
            !T::IS_REQUIRED,
        )
    }

    /// Returns the member with this schema. This function is separate from `for_type`, so that it
    /// is compiled only once, and not for each type.
    fn new(
        name: &'static str,
        description: &'static str,
        presence: Presence,
        schema: MetaSchemaRef,
        is_option: bool,
    ) -> Self {
        let is_required = match presence {
            Presence::Always => true,
            Presence::Optional => !is_option,
            Presence::Sometimes | Presence::Default(_) => false,
        };
        let remarks = MetaSchema {
            description: (!description.is_empty()).then_some(description),
            nullable: is_option && !matches!(presence, Presence::Sometimes),
            default: match presence {
                Presence::Default(value) => value,
                _ => None,
            },
            ..MetaSchema::ANY
        };
        let schema = match schema {
            MetaSchemaRef::Inline(schema) => MetaSchemaRef::Inline(Box::new(MetaSchema {
                description: remarks.description.or(schema.description),
                ..schema.merge(remarks)
            })),
            reference if remarks.is_empty() => reference,
            reference => MetaSchemaRef::Inline(Box::new(MetaSchema {
                all_of: vec![reference],
                ..remarks
            })),
        };
        Self {
            name,
            schema,
            is_required,
        }
    }
}

/// A struct with named members.
pub trait Members {
    /// Adds the members in the order in which serde writes them.
    fn add(registry: &mut Registry, members: &mut Vec<Member>);
}

/// Returns the schema of a struct.
pub fn object_of<T: Members>(
    registry: &mut Registry,
    name: &str,
    description: &'static str,
) -> MetaSchema {
    let mut members = Vec::new();
    T::add(registry, &mut members);
    object(name, description, members)
}

/// Returns the schema of an object with these members.
pub fn object(name: &str, description: &'static str, members: Vec<Member>) -> MetaSchema {
    let required = members.iter().filter(|member| member.is_required);
    MetaSchema {
        title: Some(name.to_string()),
        description: (!description.is_empty()).then_some(description),
        required: required.map(|member| member.name).collect(),
        properties: members
            .into_iter()
            .map(|member| (member.name, member.schema))
            .collect(),
        ..MetaSchema::new("object")
    }
}

/// Returns the schema of an enum. The names are those that serde gives to the variants.
pub fn choice<T: Serialize>(description: &'static str, members: &[T]) -> MetaSchema {
    let names = members.iter().map(serde_json::to_value);
    MetaSchema {
        description: Some(description),
        enum_items: names.filter_map(Result::ok).collect(),
        ..MetaSchema::new("string")
    }
}

/// Returns the schema of a closed set of numbers.
pub fn numbers(name: &str, description: &'static str, numbers: &[u32]) -> MetaSchema {
    MetaSchema {
        title: Some(name.to_string()),
        description: Some(description),
        enum_items: numbers.iter().map(|number| (*number).into()).collect(),
        ..MetaSchema::new("integer")
    }
}

/// Returns the schema of a map from names to `T`.
pub fn map_of<T: Type>(registry: &mut Registry, description: &'static str) -> MetaSchema {
    T::register(registry);
    MetaSchema {
        description: Some(description),
        additional_properties: Some(Box::new(T::schema_ref())),
        ..MetaSchema::new("object")
    }
}

/// Returns the value of a member that a request leaves out.
pub fn default_of<T: Default + Serialize>() -> Option<Value> {
    serde_json::to_value(T::default()).ok()
}

/// Reads a member that may be left out or null. A missing member and null both give the default.
///
/// # Errors
/// Fails if the member has the wrong type.
pub fn or_default<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(
    from: D,
) -> Result<T, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

/// Implements [`Type`] for a type by its schema. With `inline`, the schema is repeated at each use.
/// Without `inline`, the schema is published once under its name.
macro_rules! schema_of {
    (inline $kind:ty, $name:literal, $schema:expr) => {
        $crate::json_schema::schema_of!(
            @type $kind, $name,
            poem_openapi::registry::MetaSchemaRef::Inline(Box::new($schema)), |_registry| ()
        );
    };
    ($kind:ty, $name:expr, $schema:expr) => {
        $crate::json_schema::schema_of!(
            @type $kind, $name,
            poem_openapi::registry::MetaSchemaRef::Reference($name.to_string()),
            |registry: &mut poem_openapi::registry::Registry| {
                registry.create_schema::<$kind, _>($name.to_string(), $schema);
            }
        );
    };
    (@type $kind:ty, $name:expr, $reference:expr, $register:expr) => {
        impl poem_openapi::types::Type for $kind {
            const IS_REQUIRED: bool = true;
            type RawValueType = Self;
            type RawElementValueType = Self;

            fn name() -> std::borrow::Cow<'static, str> {
                $name.into()
            }

            fn schema_ref() -> poem_openapi::registry::MetaSchemaRef {
                $reference
            }

            fn register(registry: &mut poem_openapi::registry::Registry) {
                $register(registry);
            }

            fn as_raw_value(&self) -> Option<&Self> {
                Some(self)
            }

            fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
                Box::new(std::iter::once(self))
            }
        }
    };
}

pub(crate) use schema_of;

/// One answer: a number, a text, true or false, or null for no answer. A request may contain any
/// JSON here. The product form checks the JSON, and reports an error at the field's path.
pub struct Scalar;

schema_of!(Scalar, "Scalar", |_| MetaSchema {
    description: Some("An answer; null where there is none."),
    nullable: true,
    one_of: vec![
        type_schema("number"),
        type_schema("string"),
        type_schema("boolean")
    ],
    ..MetaSchema::ANY
});

/// The value of an option: a number or a word.
pub struct OptionValue;

schema_of!(inline OptionValue, "option_value", MetaSchema {
    one_of: vec![type_schema("number"), type_schema("string")],
    ..MetaSchema::ANY
});

fn type_schema(kind: &'static str) -> MetaSchemaRef {
    MetaSchemaRef::Inline(Box::new(MetaSchema::new(kind)))
}

/// A number. A whole number is written as an integer.
pub struct Number;

schema_of!(inline Number, "number", MetaSchema::new("number"));

/// Reads a struct from an object only. Serde's derived code also accepts a list.
///
/// # Errors
/// Fails if the value is not an object, or not a valid `T`.
pub fn from_object<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<T, D::Error> {
    T::deserialize(AsObject(from))
}

/// A deserializer that reads a struct as a map, so that only an object is accepted.
pub struct AsObject<D>(pub D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for AsObject<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
