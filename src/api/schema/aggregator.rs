//! JSON schemas for aggregators: requests and responses.

use poem_openapi::registry::{MetaSchema, Registry};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::answers::SerializedProduct;
use super::quote::{QuoteCreate, Tracking};
use super::quote_read::QuoteRead;
use crate::api::http::error::ApiError;
use crate::api::http::payload::EmptyBody;
use crate::app::partners::Risk;
use crate::json_schema::{RequestSchema, or_default, schema_of};

/// A partner's risk, or the click-through id that a partner's customer has.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct AggregatorRequest {
    /// From a partner: the risk. Answers may be missing if the given answers are valid and have a price.
    product: Option<SerializedProduct>,
    source_tracking: Option<Tracking>,
    affiliate_uuid: Option<String>,
    affiliate_request_uuid: Option<String>,
    affiliate_extra: Option<Value>,
    /// From a partner: other data to store, at most 16 KiB of JSON.
    additional: Option<Value>,
    /// From a partner: the partner's own id of the risk, 1 to 100 visible ASCII characters. A repeated
    /// request with this id gets the first answer and a new `click_through`. A request with this id and
    /// another body gets a 409.
    reference_uuid: Option<String>,
    /// From a partner: the requested service, one of the partner's services in the shop's settings.
    service_uuid: Option<String>,
    /// From a customer: the id in the address `click_through`.
    pub(in crate::api) id: Option<String>,
    /// From a customer: true mails a link to the quote, and the answer is an empty object. After the
    /// purchase, the link sets a password.
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) mail_link: bool,
}

impl AggregatorRequest {
    /// Returns the partner's risk.
    ///
    /// # Errors
    /// 400 if the product or its identifier is missing.
    pub fn risk(self) -> Result<Risk, ApiError> {
        let product = self
            .product
            .ok_or_else(|| ApiError::malformed("`product` is missing."))?;
        let identifier = product
            .identifier()
            .ok_or_else(|| ApiError::malformed("`product_identifier` is missing."))?
            .to_string();
        let create = QuoteCreate {
            product,
            draft: false,
            source_tracking: self.source_tracking,
            lookups: None,
            affiliate_uuid: self.affiliate_uuid,
            affiliate_request_uuid: self.affiliate_request_uuid,
            affiliate_extra: self.affiliate_extra,
        };
        Ok(Risk {
            submission: create.submission(&identifier)?,
            reference: self.reference_uuid.unwrap_or_default(),
            service: self.service_uuid.unwrap_or_default(),
            additional: self.additional.filter(|additional| !additional.is_null()),
        })
    }
}

/// A quote, or an empty object if a link to the quote is mailed.
#[derive(Serialize)]
#[serde(untagged)]
pub enum AggregatorAnswer {
    /// The quote, for its partner or its customer.
    Quote(Box<QuoteRead>),
    /// A link to the quote is mailed.
    Mailed(EmptyBody),
}

impl From<QuoteRead> for AggregatorAnswer {
    fn from(quote: QuoteRead) -> Self {
        Self::Quote(Box::new(quote))
    }
}

schema_of!(
    AggregatorAnswer,
    "AggregatorAnswer",
    |registry: &mut Registry| {
        QuoteRead::register(registry);
        EmptyBody::register(registry);
        MetaSchema {
            description: Some("The quote; or nothing, where a link to it was mailed."),
            any_of: vec![QuoteRead::schema_ref(), EmptyBody::schema_ref()],
            ..MetaSchema::ANY
        }
    }
);
