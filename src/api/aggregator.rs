//! Quotes that come through aggregators.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::param::Header;
use poem_openapi::{Object, OpenApi};
use serde_json::Value;

use super::client::CalledFrom;
use super::error::ApiError;
use super::payload::{DataResponse, JsonBody};
use super::quote_view::{self, QuoteExtras};
use super::wire::quote::{Affiliate, QuoteCreate, SerializedProduct, Tracking};
use super::wire::quote_read::QuoteRead;
use crate::app::partners::Risk;
use crate::app::{App, AppError};

/// Aggregators.
pub struct Aggregator;

/// A partner's risk, or a click-through id of ours.
#[derive(Object)]
struct AggregatorRequest {
    /// A partner: the risk. Answers that are missing are the customer's to give.
    product: Option<SerializedProduct>,
    source_tracking: Option<Tracking>,
    affiliate_uuid: Option<String>,
    affiliate_request_uuid: Option<String>,
    affiliate_extra: Option<Value>,
    /// A partner: whatever else it wants kept.
    additional: Option<Value>,
    /// A partner: its own id of this risk. The same again is the same quote.
    reference_uuid: Option<String>,
    /// A partner: the service it asks for.
    service_uuid: Option<String>,
    /// A customer: the id in the address that the partner was given.
    id: Option<String>,
    /// A customer: true to have a link to the quote mailed.
    #[oai(default)]
    mail_link: bool,
}

#[OpenApi]
impl Aggregator {
    /// A partner sends a risk and is answered the quote and its customer's address
    /// (`click_through`); the customer's first click is answered the quote and a token.
    #[oai(path = "/api/v2/aggregator", method = "post")]
    async fn aggregator(
        &self,
        app: Data<&Arc<App>>,
        #[oai(name = "X-Partner-Key")] key: Header<Option<String>>,
        from: CalledFrom,
        request: JsonBody<AggregatorRequest>,
    ) -> Result<DataResponse<Option<QuoteRead>>, ApiError> {
        let (key, click) = (key.0.as_deref(), request.body.id.clone());
        match (key, click) {
            (None, Some(click)) if request.body.mail_link => {
                app.mail_click(&click, &from.0).await?;
                DataResponse::data(&serde_json::Map::new())
            }
            (None, Some(click)) => {
                let (view, token) = app.click_through(&click).await?;
                let with = QuoteExtras {
                    token: Some(token.expose()),
                    ..QuoteExtras::default()
                };
                quote_view::answer_with(&app, &view, with)
            }
            (Some(key), _) => {
                let (body, raw) = request.parts();
                let sent = app.partner_risk(key, body.risk()?, &raw).await?;
                let with = QuoteExtras {
                    click_through: Some(&sent.click_through),
                    ..QuoteExtras::default()
                };
                quote_view::answer_with(&app, &sent.view, with)
            }
            (None, None) => Err(AppError::Unauthenticated.into()),
        }
    }
}

impl AggregatorRequest {
    fn risk(self) -> Result<Risk, ApiError> {
        let product = self
            .product
            .ok_or_else(|| ApiError::malformed("`product` is missing."))?;
        let identifier = product
            .identifier()
            .ok_or_else(|| ApiError::malformed("`product_identifier` is missing."))?
            .to_string();
        let create = QuoteCreate::of(
            product,
            self.source_tracking,
            Affiliate {
                uuid: self.affiliate_uuid,
                request_uuid: self.affiliate_request_uuid,
                extra: self.affiliate_extra,
            },
        );
        Ok(Risk {
            submission: create.submission(&identifier)?,
            reference: self.reference_uuid.unwrap_or_default(),
            service: self.service_uuid.unwrap_or_default(),
            additional: self.additional.filter(|additional| !additional.is_null()),
        })
    }
}
