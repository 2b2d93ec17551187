//! Routes of prices for answers that are not saved.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::OpenApi;

use crate::api::http::client::CalledFrom;
use crate::api::http::error::ApiError;
use crate::api::http::payload::{DataResponse, JsonBody, JsonResponse};
use crate::api::schema::price::{
    MonthlyAnswer, PriceAnswer, PriceOutcome, PriceRequest, PricesRequest,
};
use crate::app::policies::plans::PlanOffer;
use crate::app::{App, quotes};
use crate::domain::product::rating;
use crate::domain::quote::answers::Answers;
use crate::domain::quote::campaign::SourceTracking;

pub struct PriceRoutes;

#[OpenApi]
impl PriceRoutes {
    /// Returns the price of answers. A missing answer gets the product's default for prices.
    #[oai(path = "/api/v1/price", method = "post")]
    async fn price(
        &self,
        app: Data<&Arc<App>>,
        from: CalledFrom,
        request: JsonBody<PriceRequest>,
    ) -> Result<DataResponse<PriceAnswer>, ApiError> {
        quotes::count_price(&app, &from.0)?;
        JsonResponse::data(price(&app, request.body.parts()?)?)
    }

    /// Returns the prices of 1 to 16 sets of answers, in the order of the requests.
    ///
    /// Each set has the result of `POST /api/v1/price`, and counts as one price for the limit of requests. If
    /// one set alone would get a 400, the whole request gets a 400.
    #[oai(path = "/api/v1/prices", method = "post")]
    async fn prices(
        &self,
        app: Data<&Arc<App>>,
        from: CalledFrom,
        request: JsonBody<PricesRequest>,
    ) -> Result<DataResponse<Vec<PriceOutcome>>, ApiError> {
        let requests = request.body.validate()?;
        quotes::count_prices(&app, &from.0, requests.len())?;
        let requests = requests.into_iter().map(PriceRequest::parts);
        let requests = requests.collect::<Result<Vec<_>, _>>()?;
        let outcomes = requests.into_iter().map(|parts| price(&app, parts).into());
        JsonResponse::data(outcomes.collect())
    }

    /// Returns the price of answers in monthly payments: the first at purchase, and equal instalments.
    ///
    /// A product that is not paid monthly, a price below its minimum, a shop that keeps no cards, and single trips
    /// get a 422.
    #[oai(path = "/api/v1/monthly-price", method = "post")]
    async fn monthly(
        &self,
        app: Data<&Arc<App>>,
        from: CalledFrom,
        request: JsonBody<PriceRequest>,
    ) -> Result<DataResponse<MonthlyAnswer>, ApiError> {
        quotes::count_price(&app, &from.0)?;
        let (product, answers, tracking) = request.body.parts()?;
        let plan = quotes::monthly_price(&app, &product, &answers, &tracking)?;
        let pf = rating::monthly(&plan);
        let plan = PlanOffer::from(&plan);
        JsonResponse::data(MonthlyAnswer { pf, plan })
    }
}

type PriceParts = (String, Answers, SourceTracking);

fn price(app: &App, (product, answers, tracking): PriceParts) -> Result<PriceAnswer, ApiError> {
    Ok(quotes::shown_price(&app.clock, &app.products, &product, &answers, &tracking)?.into())
}
