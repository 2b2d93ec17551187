//! The JSON bodies of requests and responses: one file for each area. The API's document and the
//! website's generated types describe the same bodies.

pub mod account;
pub mod adjustment;
pub mod aggregator;
pub mod answers;
pub mod cancellation;
pub mod cover;
pub mod document;
pub mod exclusion;
pub mod form_check;
pub mod form_state;
pub mod lookup;
pub(crate) mod openapi_document;
pub mod password;
pub mod payment;
pub mod price;
pub mod product;
pub mod published;
pub mod quote;
pub mod quote_read;
pub mod raw_json;
pub mod renewal;
pub mod rescue_card;
pub mod site;

use poem_openapi::registry::MetaSchema;

use crate::domain::money::Pence;
use crate::json_schema::schema_of;

schema_of!(inline Pence, "pounds", MetaSchema {
    description: Some("pounds, at most two decimals"),
    ..MetaSchema::new("number")
});
