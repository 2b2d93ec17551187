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

/// A partner's risk, or a click-through id of ours.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct AggregatorRequest {
    /// A partner: the risk. Answers that are missing are the customer's to give.
    product: Option<SerializedProduct>,
    source_tracking: Option<Tracking>,
    affiliate_uuid: Option<String>,
    affiliate_request_uuid: Option<String>,
    affiliate_extra: Option<Value>,
    /// Anything else that a partner wants to store.
    additional: Option<Value>,
    /// A partner: its own id of this risk. The same again is the same quote.
    reference_uuid: Option<String>,
    /// A partner: the service it asks for.
    service_uuid: Option<String>,
    /// A customer: the id in the address that the partner was given.
    pub(in crate::api) id: Option<String>,
    /// A customer: true to have a link to the quote mailed.
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

/// The quote; or an empty object if a link to it was mailed.
#[derive(Serialize)]
#[serde(untagged)]
pub enum AggregatorAnswer {
    /// The quote, for its partner or its customer.
    Quote(Box<QuoteRead>),
    /// The link was mailed.
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
