//! Publishes the structs of the wire: `answer!` and `request!` declare a struct that serde writes or
//! reads, and describe it in the API's document by the same names, so that the document can't say
//! anything else than what is sent.
//!
//! In an answer an `Option` is always there, and null where there is nothing; one that is marked
//! `skip_serializing_if` is left out instead. In a request an `Option` may be null or left out, and so
//! may a member that is marked `default`.

use std::borrow::Cow;

use poem_openapi::registry::{MetaSchema, MetaSchemaRef, Registry};
use poem_openapi::types::Type;
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, forward_to_deserialize_any};
use serde_json::Value;

/// A member of a published struct.
pub struct Member {
    /// Its name in JSON.
    pub name: &'static str,
    /// What it holds.
    pub schema: MetaSchemaRef,
    /// What the document says of it.
    pub about: &'static str,
    /// Whether it may be left out.
    pub omitted: bool,
    /// Whether it may be null.
    pub nullable: bool,
    /// What it is when it is left out.
    pub default: Option<Value>,
}

/// The schema of a published struct.
pub fn object(name: &str, about: &'static str, members: Vec<Member>) -> MetaSchema {
    let required = members.iter().filter(|member| !member.omitted);
    MetaSchema {
        title: Some(name.to_string()),
        description: described(about),
        required: required.map(|member| member.name).collect(),
        properties: members.into_iter().map(property).collect(),
        ..MetaSchema::new("object")
    }
}

fn property(member: Member) -> (&'static str, MetaSchemaRef) {
    let said = MetaSchema {
        description: described(member.about),
        default: member.default,
        nullable: member.nullable,
        ..MetaSchema::ANY
    };
    let schema = match member.schema {
        MetaSchemaRef::Inline(schema) => MetaSchemaRef::Inline(Box::new(MetaSchema {
            description: said.description.or(schema.description),
            ..schema.merge(said)
        })),
        reference if said.is_empty() => reference,
        reference => MetaSchemaRef::Inline(Box::new(MetaSchema {
            all_of: vec![reference],
            ..said
        })),
    };
    (member.name, schema)
}

fn described(about: &'static str) -> Option<&'static str> {
    let about = about.trim();
    (!about.is_empty()).then_some(about)
}

/// What a member of a request is when it is left out.
pub fn default_of<T: Default + Serialize>() -> Option<Value> {
    serde_json::to_value(T::default()).ok()
}

/// Reads a member that may be left out or null: both mean its default.
///
/// # Errors
/// When the member has the wrong type.
pub fn or_default<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(
    from: D,
) -> Result<T, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

/// Implements [`Type`] for a type by its schema: written out wherever it is used where it is
/// `inline`, and otherwise published once by its name.
macro_rules! schema_of {
    (inline $kind:ty, $name:literal, $schema:expr) => {
        $crate::api::wire::published::schema_of!(
            @type $kind, $name,
            poem_openapi::registry::MetaSchemaRef::Inline(Box::new($schema)), |_registry| ()
        );
    };
    ($kind:ty, $name:expr, $schema:expr) => {
        $crate::api::wire::published::schema_of!(
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

macro_rules! published {
    (
        [$(#[$outer:meta])*], $omits_options:literal,
        $(#[doc = $about:literal])*
        $vis:vis struct $name:ident {
            $(
                $(#[doc = $text:literal])*
                $(#[serde(rename = $json:literal)])?
                $(#[serde(skip_serializing_if = $unless:literal)])?
                $(#[serde(default, deserialize_with = $with:literal)])?
                $member_vis:vis $member:ident: $kind:ty,
            )*
        }
    ) => {
        $(#[doc = $about])*
        $(#[$outer])*
        $vis struct $name {
            $(
                $(#[doc = $text])*
                $(#[serde(rename = $json)])?
                $(#[serde(skip_serializing_if = $unless)])?
                $(#[serde(default, deserialize_with = $with)])?
                $member_vis $member: $kind,
            )*
        }

        $crate::api::wire::published::schema_of!($name, stringify!($name), |_registry: &mut poem_openapi::registry::Registry| {
            $(<$kind as poem_openapi::types::Type>::register(_registry);)*
            let members = vec![$({
                let names: &[&'static str] = &[$($json,)? stringify!($member)];
                let skipped: &[&str] = &[$($unless)?];
                let defaulted: &[&str] = &[$($with)?];
                let option = !<$kind as poem_openapi::types::Type>::IS_REQUIRED;
                $crate::api::wire::published::Member {
                    name: names.first().copied().unwrap_or_default(),
                    schema: <$kind as poem_openapi::types::Type>::schema_ref(),
                    about: concat!($($text),*),
                    omitted: !skipped.is_empty() || !defaulted.is_empty() || ($omits_options && option),
                    nullable: option && skipped.is_empty(),
                    default: None$(.or_else(|| {
                        let _ = $with;
                        $crate::api::wire::published::default_of::<$kind>()
                    }))?,
                }
            }),*];
            $crate::api::wire::published::object(stringify!($name), concat!($($about),*), members)
        });
    };
}

/// Declares the body of answers, or a part of one.
macro_rules! answer {
    ($($item:tt)*) => {
        $crate::api::wire::published::published!(
            [#[derive(serde::Serialize)]], false, $($item)*
        );
    };
}

/// Declares the body of requests, or a part of one. Members that aren't named are ignored.
macro_rules! request {
    ($($item:tt)*) => {
        $crate::api::wire::published::published!(
            [
                #[derive(serde::Deserialize)]
                #[serde(remote = "Self")]
                #[allow(dead_code, reason = "what clients may send is described, needed or not")]
            ],
            true, $($item)*
        );
        $crate::api::wire::published::read_as_object!($($item)*);
    };
}

/// Reads a struct from a JSON object alone. What serde derives would take an array as well, its items
/// in the order of the members; `remote = "Self"` makes of it a function that is called here.
macro_rules! read_as_object {
    ($(#[doc = $about:literal])* $vis:vis struct $name:ident $members:tt) => {
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                Self::deserialize($crate::api::wire::published::Object(from))
            }
        }
    };
}

pub(in crate::api) use {answer, published, read_as_object, request, schema_of};

/// Reads a struct as a map, so that only a JSON object will do.
pub struct Object<D>(pub D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Object<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// An answer in the envelope, `{"data": ...}`.
#[derive(Serialize)]
pub struct Data<T> {
    /// What is answered.
    pub data: T,
}

impl<T: Type> Type for Data<T> {
    const IS_REQUIRED: bool = true;
    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        format!("Data_{}", T::name()).into()
    }

    fn schema_ref() -> MetaSchemaRef {
        MetaSchemaRef::Reference(Self::name().into_owned())
    }

    fn register(registry: &mut Registry) {
        let name = Self::name().into_owned();
        registry.create_schema::<Self, _>(name.clone(), |registry| {
            T::register(registry);
            let data = Member {
                name: "data",
                schema: T::schema_ref(),
                about: "",
                omitted: false,
                nullable: !T::IS_REQUIRED,
                default: None,
            };
            object(&name, "", vec![data])
        });
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
        Box::new(std::iter::once(self))
    }
}
