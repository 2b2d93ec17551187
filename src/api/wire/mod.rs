//! What goes over the wire: the bodies of requests and answers, which are also what the API's
//! document and the website's generated types describe. A file an area.

pub mod account;
pub mod adjustment;
pub mod aggregator;
pub mod answers;
pub mod cancellation;
pub mod cover;
pub mod document;
pub mod first_page;
pub mod form;
pub mod form_check;
pub mod form_state;
pub mod gap;
pub mod lookup;
pub mod password;
pub mod payment;
pub mod policy;
pub mod policy_list;
pub mod prepared;
pub mod price;
pub mod product;
pub mod published;
pub mod quote;
pub mod quote_read;
pub mod refund;
pub mod renewal;
pub mod rescue_card;
pub mod site;

use std::borrow::Cow;

use indexmap::IndexMap;
use poem_openapi::registry::{MetaSchema, MetaSchemaRef, Registry};
use poem_openapi::types::Type;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use crate::domain::money::Pence;
use crate::domain::quote::QuoteStatus;
use crate::schema::schema_of;

/// An amount: pounds with at most two decimals on the wire, whole pence inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pounds(pub Pence);

schema_of!(inline Pounds, "pounds", pounds());
schema_of!(inline Pence, "pounds", pounds());

fn pounds() -> MetaSchema {
    MetaSchema {
        description: Some("pounds, at most two decimals"),
        ..MetaSchema::new("number")
    }
}

/// A number, written whole where it is whole.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Number(pub Value);

schema_of!(inline Number, "number", MetaSchema::new("number"));

/// A quote's or policy's status, by its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatusId(pub QuoteStatus);

impl Serialize for StatusId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.0.id())
    }
}

schema_of!(StatusId, "StatusId", |_| MetaSchema {
    title: Some("StatusId".to_string()),
    description: Some("A status by its id; `GET /api/v1/quote/statuses` names them."),
    enum_items: QuoteStatus::ALL.map(|status| status.id().into()).to_vec(),
    ..MetaSchema::new("integer")
});

/// Values by name, in an order of their own.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Named<T>(pub IndexMap<String, T>);

impl<T: Type> Type for Named<T> {
    const IS_REQUIRED: bool = true;
    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        format!("map_{}", T::name()).into()
    }

    fn schema_ref() -> MetaSchemaRef {
        MetaSchemaRef::Inline(Box::new(MetaSchema {
            additional_properties: Some(Box::new(T::schema_ref())),
            ..MetaSchema::new("object")
        }))
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
