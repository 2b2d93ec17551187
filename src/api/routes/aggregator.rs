//! Routes of quotes from aggregators.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::Header;

use crate::api::http::auth::Auth;
use crate::api::http::client::CalledFrom;
use crate::api::http::error::ApiError;
use crate::api::http::payload::{DataResponse, EmptyBody, JsonBody, JsonResponse};
use crate::api::routes::quote_view::{self, QuoteExtras};
use crate::api::schema::aggregator::{AggregatorAnswer, AggregatorRequest};
use crate::app::{App, AppError, partners};

pub struct AggregatorRoutes;

#[OpenApi]
impl AggregatorRoutes {
    /// Saves a partner's risk as a quote, or opens such a quote for the partner's customer.
    ///
    /// A partner sends `X-Partner-Key`. The answer has the quote and the address that the customer opens
    /// (`click_through`). A customer sends `id` without a key. The first such request for a quote returns the
    /// quote and a token. Each later request gets a 409, or a 404 if the quote was claimed or has expired.
    #[oai(path = "/api/v2/aggregator", method = "post")]
    async fn aggregator(
        &self,
        app: Data<&Arc<App>>,
        #[oai(name = "X-Partner-Key")] key: Header<Option<String>>,
        who: Auth,
        from: CalledFrom,
        request: JsonBody<AggregatorRequest>,
    ) -> Result<DataResponse<AggregatorAnswer>, ApiError> {
        let (key, click) = (key.0.as_deref(), request.body.id.clone());
        match (key, click) {
            (None, Some(click)) if request.body.mail_link => {
                partners::mail_click(&app, &click, &from.0).await?;
                JsonResponse::data(AggregatorAnswer::Mailed(EmptyBody {}))
            }
            (None, Some(click)) => {
                let (view, token) =
                    partners::click_through(&app, &click, who.0.logged_in()).await?;
                let extras = QuoteExtras {
                    token: Some(token.expose().to_string()),
                    ..QuoteExtras::default()
                };
                JsonResponse::data(quote_view::quote_read(&app, view, extras)?.into())
            }
            (Some(key), _) => {
                let (body, raw) = request.parts();
                let sent = partners::partner_risk(&app, key, body.risk()?, &raw).await?;
                let extras = QuoteExtras {
                    click_through: Some(sent.click_through),
                    ..QuoteExtras::default()
                };
                JsonResponse::data(quote_view::quote_read(&app, sent.view, extras)?.into())
            }
            (None, None) => Err(AppError::Unauthenticated.into()),
        }
    }
}
