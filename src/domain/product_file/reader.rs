//! Reads a parsed product file into structs by serde. A mistake of type knows its place and its key, and a
//! struct is read from a table alone: serde's own code takes a list too.

use std::fmt;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, Error, IntoDeserializer, Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use toml::Spanned;
use toml::de::{DeString, DeValue, ValueDeserializer};

/// A value of the wrong type, or a key that is missing or unknown.
#[derive(Debug)]
pub(super) struct TypeMistake {
    text: String,
    /// Where it starts, in bytes.
    pub(super) start: Option<usize>,
    key: Option<String>,
}

impl TypeMistake {
    fn at(self, start: usize, key: &str) -> Self {
        Self {
            text: self.text,
            start: self.start.or(Some(start)),
            key: self.key.or_else(|| Some(key.to_owned())),
        }
    }
}

impl fmt::Display for TypeMistake {
    /// Serde names the key of some mistakes itself, and a condition its field.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.key {
            Some(key) if self.text.starts_with("invalid") || self.text.starts_with("must") => {
                write!(f, "`{key}`: {}", self.text)
            }
            _ => f.write_str(&self.text),
        }
    }
}

impl std::error::Error for TypeMistake {}

impl Error for TypeMistake {
    fn custom<T: fmt::Display>(text: T) -> Self {
        let (text, start, key) = (text.to_string(), None, None);
        Self { text, start, key }
    }
}

impl From<toml::de::Error> for TypeMistake {
    fn from(error: toml::de::Error) -> Self {
        Self::custom(error.message())
    }
}

/// A value under a key, as serde reads it.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) key: &'a str,
    pub(super) value: &'a Spanned<DeValue<'a>>,
}

impl Reader<'_> {
    fn at<T>(self, read: Result<T, TypeMistake>) -> Result<T, TypeMistake> {
        read.map_err(|mistake| mistake.at(self.value.span().start, self.key))
    }
}

impl<'de> Deserializer<'de> for Reader<'de> {
    type Error = TypeMistake;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeMistake> {
        self.at(match self.value.get_ref() {
            DeValue::Array(items) => {
                let items = items.iter().map(|value| Reader { value, ..self });
                visitor.visit_seq(SeqDeserializer::new(items))
            }
            DeValue::Table(table) => {
                let entries = table.iter();
                let entries = entries.map(|(key, value)| {
                    let name = key.get_ref();
                    (Key(key), Reader { key: name, value })
                });
                visitor.visit_map(MapDeserializer::new(entries))
            }
            _ => {
                let value = ValueDeserializer::from(self.value.clone());
                value.deserialize_any(visitor).map_err(TypeMistake::from)
            }
        })
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeMistake> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, TypeMistake> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TypeMistake> {
        match self.value.get_ref() {
            DeValue::Array(_) => self.at(Err(Error::invalid_type(Unexpected::Seq, &"a table"))),
            DeValue::Table(_) => self.deserialize_any(visitor),
            // A date is a struct for serde.
            _ => {
                let value = ValueDeserializer::from(self.value.clone());
                let read = value.deserialize_struct(name, fields, visitor);
                self.at(read.map_err(TypeMistake::from))
            }
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TypeMistake> {
        let value = ValueDeserializer::from(self.value.clone());
        let read = value.deserialize_enum(name, variants, visitor);
        self.at(read.map_err(TypeMistake::from))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, TypeMistake> for Reader<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// A key of a table. An unknown one is a mistake at its own line.
struct Key<'a>(&'a Spanned<DeString<'a>>);

impl<'de> Deserializer<'de> for Key<'de> {
    type Error = TypeMistake;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeMistake> {
        let name = self.0.get_ref();
        let read = visitor.visit_borrowed_str(name);
        read.map_err(|mistake: TypeMistake| mistake.at(self.0.span().start, name))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, TypeMistake> for Key<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}
