//! The envelope of responses.

use std::borrow::Cow;

use poem_openapi::registry::{MetaSchemaRef, Registry};
use poem_openapi::types::Type;
use serde::Serialize;

use crate::json_schema::{self, Member, Presence};

/// A response in the envelope `{"data": ...}`.
#[derive(Serialize)]
pub struct Data<T> {
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
            let data = Member::for_type::<T>(registry, "data", "", Presence::Always);
            json_schema::object(&name, "", vec![data])
        });
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
        Box::new(std::iter::once(self))
    }
}
