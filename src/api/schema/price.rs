//! JSON schemas of prices.

use chrono::NaiveDate;
use poem::http::StatusCode;
use serde::{Deserialize, Serialize};

use super::answers::SerializedProduct;
use super::quote::Tracking;
use crate::api::http::error::{ApiError, Failure};
use crate::app::AppError;
use crate::app::policies::plans::PlanOffer;
use crate::domain::money::Pence;
use crate::domain::money::price::{Basis, Line, Per, Price};
use crate::domain::product::rating::Monthly;
use crate::domain::quote::answers::Answers;
use crate::domain::quote::campaign::SourceTracking;
use crate::json_schema::{RequestSchema, ResponseSchema, or_default};

/// A request for a price.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct PriceRequest {
    /// The product. The default is the `product_identifier` in `product`.
    product_identifier: Option<String>,
    product: SerializedProduct,
    /// Ignored. The specification's clients send true.
    #[serde(default, deserialize_with = "or_default")]
    quote_ready: bool,
    source_tracking: Option<Tracking>,
}

impl PriceRequest {
    /// Returns the product, the answers and the campaign.
    ///
    /// # Errors
    /// 400 if the product's identifier is missing.
    pub fn parts(self) -> Result<(String, Answers, SourceTracking), ApiError> {
        let (named, answers) = self.product.parts();
        let identifier = self
            .product_identifier
            .or(named)
            .ok_or_else(|| ApiError::malformed("`product_identifier` is missing."))?;
        let tracking = self.source_tracking.map(Into::into).unwrap_or_default();
        Ok((identifier, answers, tracking))
    }
}

/// Most prices in one call.
const MAX_PRICES: usize = 16;

/// Requests for several prices.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct PricesRequest {
    /// 1 to 16 requests. Another number gets a 422.
    requests: Vec<PriceRequest>,
}

impl PricesRequest {
    /// Returns the requests if their number is allowed.
    ///
    /// # Errors
    /// 422 for none, or for more than 16.
    pub fn validate(self) -> Result<Vec<PriceRequest>, ApiError> {
        if (1..=MAX_PRICES).contains(&self.requests.len()) {
            return Ok(self.requests);
        }
        let text = format!("Ask for 1 to {MAX_PRICES} prices.");
        Err(AppError::field("requests", text).into())
    }
}

/// The price of answers.
#[derive(Serialize, ResponseSchema)]
pub struct Figures {
    /// The premium with insurance premium tax, in pounds. It is the sum of `lines`.
    amount_taxed: Pence,
    /// The premium without insurance premium tax, in pounds.
    amount_net: Pence,
    /// The insurance premium tax, in pounds.
    amount_tax: Pence,
    /// The premium with insurance premium tax, and the charges, in pounds.
    amount_total: Pence,
    currency: String,
    lines: Vec<Line>,
    additional_charges: Vec<Line>,
    per: Per,
    basis: Basis,
    inception: NaiveDate,
    expiry: NaiveDate,
}

/// A price.
#[derive(Serialize, ResponseSchema)]
pub struct PriceAnswer {
    pub(in crate::api) figures: Figures,
}

impl From<(Price, Basis)> for PriceAnswer {
    fn from((price, basis): (Price, Basis)) -> Self {
        Self {
            figures: Figures {
                amount_taxed: price.taxed,
                amount_net: price.net,
                amount_tax: price.tax,
                amount_total: price.total,
                currency: price.currency,
                lines: price.lines,
                additional_charges: price.charges,
                per: price.per,
                basis,
                inception: price.inception,
                expiry: price.expiry,
            },
        }
    }
}

/// The price of one of several requests, or the reason why there is none.
#[derive(Serialize, ResponseSchema)]
pub struct PriceOutcome {
    /// The HTTP status that `POST /api/v1/price` has for the request.
    status: u16,
    /// The price. Null if the request failed.
    figures: Option<Figures>,
    /// Why the request failed. Null if there is a price.
    failure: Option<Failure>,
}

impl From<Result<PriceAnswer, ApiError>> for PriceOutcome {
    fn from(priced: Result<PriceAnswer, ApiError>) -> Self {
        match priced {
            Ok(PriceAnswer { figures }) => Self {
                status: StatusCode::OK.as_u16(),
                figures: Some(figures),
                failure: None,
            },
            Err(error) => Self {
                status: error.status().as_u16(),
                figures: None,
                failure: Some(error.failure()),
            },
        }
    }
}

/// A price in monthly instalments.
#[derive(Serialize, ResponseSchema)]
pub struct MonthlyAnswer {
    pub(in crate::api) pf: Monthly,
    pub(in crate::api) plan: PlanOffer,
}

/// Returns whether `payment_frequency` is `monthly`.
///
/// # Errors
/// If it is neither `monthly` nor `annual`.
pub(in crate::api) fn is_monthly(payment_frequency: &str) -> Result<bool, AppError> {
    match payment_frequency {
        "annual" => Ok(false),
        "monthly" => Ok(true),
        _ => Err(AppError::field(
            "payment_frequency",
            "Choose annual or monthly.",
        )),
    }
}
