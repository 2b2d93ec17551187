//! JSON that is written before its answer is.

use std::borrow::Cow;
use std::io;
use std::marker::PhantomData;

use poem_openapi::registry::{MetaSchemaRef, Registry};
use poem_openapi::types::Type;
use serde::{Serialize, Serializer};
use serde_json::ser::Formatter;

/// The JSON of a `T`, already written; it stands in an answer in the place of a `T`.
///
/// This is an optimisation, and the only place where bytes are put into an answer: a quote's form
/// state is most of what is answered when it is read, and most of it never changes, so that it is
/// joined of texts that were written when the product was loaded. Tests compare what is sent with
/// the schema of `T`.
pub struct Prepared<T> {
    json: Vec<u8>,
    form: PhantomData<fn() -> T>,
}

impl<T> Prepared<T> {
    /// `json` has the form of a `T`.
    pub fn new(json: Vec<u8>) -> Self {
        let form = PhantomData;
        Self { json, form }
    }
}

impl<T> Serialize for Prepared<T> {
    /// Hands the bytes to [`WithPrepared`]. No other part of an answer is written as bytes.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.json)
    }
}

impl<T: Type> Type for Prepared<T> {
    const IS_REQUIRED: bool = T::IS_REQUIRED;
    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        T::name()
    }

    fn schema_ref() -> MetaSchemaRef {
        T::schema_ref()
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
        Box::new(std::iter::once(self))
    }
}

/// Writes JSON without spaces, and [`Prepared`] JSON as it is.
pub struct WithPrepared;

impl Formatter for WithPrepared {
    fn write_byte_array<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        json: &[u8],
    ) -> io::Result<()> {
        writer.write_all(json)
    }
}
