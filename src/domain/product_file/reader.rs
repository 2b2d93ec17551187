//! Reads a parsed product file into structs by serde. A mistake of type knows its place and its key, and a
//! struct is read from a table alone: serde's own code takes a list too.

use std::fmt;
use std::slice;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor};
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

impl<'a> Reader<'a> {
    /// Reads the value; a mistake that has no place yet is at this one.
    fn read<T: DeserializeSeed<'a>>(self, seed: T) -> Result<T::Value, TypeMistake> {
        let read = seed.deserialize(self);
        read.map_err(|mistake| mistake.at(self.value.span().start, self.key))
    }
}

impl<'de> Deserializer<'de> for Reader<'de> {
    type Error = TypeMistake;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeMistake> {
        match self.value.get_ref() {
            DeValue::Array(items) => visitor.visit_seq(Items {
                key: self.key,
                items: items.iter(),
            }),
            DeValue::Table(table) => visitor.visit_map(Entries {
                entries: table.iter(),
                value: None,
            }),
            _ => Ok(ValueDeserializer::from(self.value.clone()).deserialize_any(visitor)?),
        }
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
            DeValue::Array(_) => Err(Error::invalid_type(Unexpected::Seq, &"a table")),
            DeValue::Table(_) => self.deserialize_any(visitor),
            // A date is a struct for serde.
            _ => {
                let value = ValueDeserializer::from(self.value.clone());
                Ok(value.deserialize_struct(name, fields, visitor)?)
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
        Ok(value.deserialize_enum(name, variants, visitor)?)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map identifier ignored_any
    }
}

/// The items of a list.
struct Items<'a> {
    key: &'a str,
    items: slice::Iter<'a, Spanned<DeValue<'a>>>,
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = TypeMistake;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, TypeMistake> {
        let (key, value) = (self.key, self.items.next());
        value
            .map(|value| Reader { key, value }.read(seed))
            .transpose()
    }
}

/// The entries of a table. An unknown key is a mistake at its own line.
struct Entries<'a, I> {
    entries: I,
    value: Option<Reader<'a>>,
}

impl<'de, I> MapAccess<'de> for Entries<'de, I>
where
    I: Iterator<Item = (&'de Spanned<DeString<'de>>, &'de Spanned<DeValue<'de>>)>,
{
    type Error = TypeMistake;

    fn next_key_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, TypeMistake> {
        let Some((name, value)) = self.entries.next() else {
            return Ok(None);
        };
        let key = name.get_ref();
        self.value = Some(Reader { key, value });
        let read = seed.deserialize(BorrowedStrDeserializer::new(key));
        read.map(Some)
            .map_err(|mistake: TypeMistake| mistake.at(name.span().start, key))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<T::Value, TypeMistake> {
        let value = self.value.take();
        let value = value.ok_or_else(|| TypeMistake::custom("a value without its key"))?;
        value.read(seed)
    }
}
