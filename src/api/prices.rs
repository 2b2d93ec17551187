//! Prices of answers that aren't saved.

use std::sync::Arc;

use chrono::NaiveDate;
use poem::web::Data;
use poem_openapi::OpenApi;
use serde::Serialize;

use super::error::ApiError;
use super::payload::{DataResponse, JsonBody, JsonResponse};
use super::wire::quote::{MonthlyAnswer, PriceAnswer, PriceRequest};
use crate::app::App;
use crate::domain::money::Pence;
use crate::domain::price::{Line, Per, Price};
use crate::domain::rating::Monthly;

/// Prices.
pub struct Prices;

#[derive(Serialize)]
struct Figures<'a> {
    amount_taxed: Pence,
    amount_net: Pence,
    amount_tax: Pence,
    amount_total: Pence,
    currency: &'a str,
    lines: &'a [Line],
    additional_charges: &'a [Line],
    per: Per,
    inception: NaiveDate,
    expiry: NaiveDate,
}

#[derive(Serialize)]
struct Priced<'a> {
    figures: Figures<'a>,
}

#[derive(Serialize)]
struct MonthlyPriced {
    pf: Monthly,
}

#[OpenApi]
impl Prices {
    /// What some answers cost.
    #[oai(path = "/api/v1/price", method = "post")]
    async fn price(
        &self,
        app: Data<&Arc<App>>,
        request: JsonBody<PriceRequest>,
    ) -> Result<DataResponse<PriceAnswer>, ApiError> {
        let (product, answers, tracking) = request.body.parts()?;
        let price = app.price(&product, &answers, &tracking)?;
        JsonResponse::data(&Priced {
            figures: figures(&price),
        })
    }

    /// What some answers cost in instalments.
    #[oai(path = "/api/v1/monthly-price", method = "post")]
    async fn monthly(
        &self,
        app: Data<&Arc<App>>,
        request: JsonBody<PriceRequest>,
    ) -> Result<DataResponse<MonthlyAnswer>, ApiError> {
        let (product, answers, tracking) = request.body.parts()?;
        JsonResponse::data(&MonthlyPriced {
            pf: app.monthly_price(&product, &answers, &tracking)?,
        })
    }
}

fn figures(price: &Price) -> Figures<'_> {
    Figures {
        amount_taxed: price.taxed,
        amount_net: price.net,
        amount_tax: price.tax,
        amount_total: price.total,
        currency: &price.currency,
        lines: &price.lines,
        additional_charges: &price.charges,
        per: price.per,
        inception: price.inception,
        expiry: price.expiry,
    }
}
