//! Reads a parsed TOML value into structs by serde. The error of a type mistake has the position, the key
//! and the path of the wrong value.
//! A struct is read from a table only, while serde's derived code also accepts a list.

use std::fmt;
use std::iter::{self, Enumerate};
use std::slice;

use serde::de::value::{BorrowedStrDeserializer, MapDeserializer};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};
use toml::Spanned;
use toml::de::{DeString, DeValue, ValueDeserializer};

/// A value of the wrong type, or a key that is missing or unknown.
#[derive(Debug)]
pub struct TypeMistake {
    /// Error text of serde or of a type's own reader.
    pub text: String,
    /// Offset of the start of the wrong value or key, in bytes.
    pub start: Option<usize>,
    /// Path of keys, such as `partners[0].name`.
    pub path: String,
    key: Option<String>,
}

impl TypeMistake {
    /// Adds the key of the value with the mistake. The offset and key of an inner value stay.
    fn with_key(mut self, start: usize, key: &str) -> Self {
        self.start.get_or_insert(start);
        self.key.get_or_insert_with(|| key.to_owned());
        self.with_prefix(key)
    }

    /// Adds the index of the list item with the mistake.
    fn at_item(mut self, start: usize, key: &str, number: usize) -> Self {
        self.start.get_or_insert(start);
        self.key.get_or_insert_with(|| key.to_owned());
        self.with_prefix(&format!("[{number}]"))
    }

    fn with_prefix(self, prefix: &str) -> Self {
        let is_end = self.path.is_empty() || self.path.starts_with('[');
        let dot = if is_end { "" } else { "." };
        let path = format!("{prefix}{dot}{}", self.path);
        Self { path, ..self }
    }
}

impl fmt::Display for TypeMistake {
    /// Writes the key before the text if the text begins with "invalid" or "must". Other texts name
    /// their key or field already.
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
        Self {
            text: text.to_string(),
            start: None,
            path: String::new(),
            key: None,
        }
    }
}

impl From<toml::de::Error> for TypeMistake {
    fn from(error: toml::de::Error) -> Self {
        Self::custom(error.message())
    }
}

/// Reads a value into a type.
///
/// # Errors
/// Fails with the first mistake.
pub fn read<'a, T: Deserialize<'a>>(value: &'a Spanned<DeValue<'a>>) -> Result<T, TypeMistake> {
    T::deserialize(Reader { key: "", value })
}

/// A value with its key, as serde reads it.
#[derive(Clone, Copy)]
struct Reader<'a> {
    /// The value's key. A list item has the key of its list.
    key: &'a str,
    value: &'a Spanned<DeValue<'a>>,
}

impl<'a> Reader<'a> {
    fn number(self) -> ValueDeserializer<'a> {
        ValueDeserializer::from(self.value.clone())
    }
}

impl<'de> Deserializer<'de> for Reader<'de> {
    type Error = TypeMistake;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeMistake> {
        match self.value.get_ref() {
            DeValue::Array(items) => visitor.visit_seq(Items {
                key: self.key,
                items: items.iter().enumerate(),
            }),
            DeValue::Table(table) => visitor.visit_map(Entries {
                entries: table.iter(),
                value: None,
            }),
            DeValue::String(text) => visitor.visit_borrowed_str(text),
            DeValue::Boolean(value) => visitor.visit_bool(*value),
            DeValue::Integer(_) => visitor.visit_i64(i64::deserialize(self.number())?),
            DeValue::Float(_) => visitor.visit_f64(f64::deserialize(self.number())?),
            DeValue::Datetime(_) => {
                let date = Unexpected::Other("date");
                Err(Error::invalid_type(date, &visitor))
            }
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
        match (self.value.get_ref(), fields) {
            (DeValue::Array(_), _) => Err(Error::invalid_type(Unexpected::Seq, &"a table")),
            // The toml crate's date type expects a struct with one field, which contains the date's text.
            (DeValue::Datetime(date), [field]) if name.ends_with("Datetime") => {
                visitor.visit_map(MapDeserializer::new(iter::once((*field, date.to_string()))))
            }
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TypeMistake> {
        match self.value.get_ref() {
            DeValue::String(name) => visitor.visit_enum(BorrowedStrDeserializer::new(name)),
            _ => Err(Error::custom("must be a text")),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map identifier ignored_any
    }
}

struct Items<'a> {
    key: &'a str,
    items: Enumerate<slice::Iter<'a, Spanned<DeValue<'a>>>>,
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = TypeMistake;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, TypeMistake> {
        let Some((number, value)) = self.items.next() else {
            return Ok(None);
        };
        let key = self.key;
        let read = seed.deserialize(Reader { key, value });
        read.map(Some)
            .map_err(|mistake| mistake.at_item(value.span().start, key, number))
    }
}

/// The entries of a table. The error of an unknown key has the position of the key.
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
            .map_err(|mistake: TypeMistake| mistake.with_key(name.span().start, key))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<T::Value, TypeMistake> {
        let reader = self.value.take();
        let reader = reader.ok_or_else(|| TypeMistake::custom("a value without its key"))?;
        let read = seed.deserialize(reader);
        read.map_err(|mistake: TypeMistake| mistake.with_key(reader.value.span().start, reader.key))
    }
}
