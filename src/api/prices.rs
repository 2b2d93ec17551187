//! Prices of answers that aren't saved.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::OpenApi;

use super::client::CalledFrom;
use super::error::ApiError;
use super::payload::{DataResponse, JsonBody, JsonResponse};
use super::wire::price::{MonthlyAnswer, PriceAnswer, PriceRequest};
use crate::app::App;

/// Prices.
pub struct Prices;

#[OpenApi]
impl Prices {
    /// What some answers cost.
    #[oai(path = "/api/v1/price", method = "post")]
    async fn price(
        &self,
        app: Data<&Arc<App>>,
        from: CalledFrom,
        request: JsonBody<PriceRequest>,
    ) -> Result<DataResponse<PriceAnswer>, ApiError> {
        app.count_price(&from.0)?;
        let (product, answers, tracking) = request.body.parts()?;
        JsonResponse::data(app.shown_price(&product, &answers, &tracking)?.into())
    }

    /// What some answers cost in instalments.
    #[oai(path = "/api/v1/monthly-price", method = "post")]
    async fn monthly(
        &self,
        app: Data<&Arc<App>>,
        from: CalledFrom,
        request: JsonBody<PriceRequest>,
    ) -> Result<DataResponse<MonthlyAnswer>, ApiError> {
        app.count_price(&from.0)?;
        let (product, answers, tracking) = request.body.parts()?;
        JsonResponse::data(app.monthly_price(&product, &answers, &tracking)?.into())
    }
}
