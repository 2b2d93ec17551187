//! Prices as they go over the wire.

use chrono::NaiveDate;
use poem::http::StatusCode;
use poem_openapi::Enum;
use serde::Serialize;

use super::Pounds;
use super::answers::SerializedProduct;
use super::published::{answer, or_default, request};
use super::quote::Tracking;
use crate::api::error::{ApiError, Failure};
use crate::app::AppError;
use crate::domain::answers::Answers;
use crate::domain::campaign::SourceTracking;
use crate::domain::money::Pence;
use crate::domain::{price, rating};

request! {
    /// A request for a price.
    pub struct PriceRequest {
        product_identifier: Option<String>,
        product: SerializedProduct,
        /// Always true; the specification's clients send it.
        #[serde(default, deserialize_with = "or_default")]
        quote_ready: bool,
        source_tracking: Option<Tracking>,
    }
}

impl PriceRequest {
    /// Product, answers and campaign.
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

/// Most prices that one call asks for.
const MAX_PRICES: usize = 16;

request! {
    /// Requests for several prices.
    pub struct PricesRequest {
        /// 1 to 16.
        requests: Vec<PriceRequest>,
    }
}

impl PricesRequest {
    /// The requests, as many as there may be.
    pub fn checked(self) -> Result<Vec<PriceRequest>, ApiError> {
        if (1..=MAX_PRICES).contains(&self.requests.len()) {
            return Ok(self.requests);
        }
        let text = format!("Ask for 1 to {MAX_PRICES} prices.");
        Err(AppError::field("requests", text).into())
    }
}

/// What a price is for.
#[derive(Clone, Copy, Enum, Serialize)]
#[oai(rename_all = "snake_case", remote = "price::Per")]
#[serde(rename_all = "snake_case")]
pub enum Period {
    Year,
    Trip,
}

/// How long a price is for: the whole term, or one day of a trip whose days aren't known yet.
#[derive(Clone, Copy, Enum, Serialize)]
#[oai(rename_all = "snake_case", remote = "price::Basis")]
#[serde(rename_all = "snake_case")]
pub enum PriceBasis {
    Day,
    Term,
}

answer! {
    /// One line of a price.
    pub struct PriceLine {
        code: String,
        label: String,
        amount: Pounds,
        /// Why it is what it is, where that needs saying.
        #[serde(skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    }
}

impl From<price::Line> for PriceLine {
    fn from(line: price::Line) -> Self {
        let price::Line {
            code,
            label,
            amount,
            note,
        } = line;
        Self {
            code,
            label,
            amount: Pounds(amount),
            note,
        }
    }
}

answer! {
    /// What some answers cost.
    pub struct Figures {
        /// Premium with insurance premium tax; the lines add up to it.
        amount_taxed: Pounds,
        amount_net: Pounds,
        amount_tax: Pounds,
        /// Taxed premium and charges.
        amount_total: Pounds,
        currency: String,
        lines: Vec<PriceLine>,
        additional_charges: Vec<PriceLine>,
        per: Period,
        basis: PriceBasis,
        inception: NaiveDate,
        expiry: NaiveDate,
    }
}

answer! {
    /// A price.
    pub struct PriceAnswer {
        pub(in crate::api) figures: Figures,
    }
}

impl From<(price::Price, price::Basis)> for PriceAnswer {
    fn from((price, basis): (price::Price, price::Basis)) -> Self {
        let price::Price {
            lines,
            charges,
            net,
            tax,
            taxed,
            total,
            currency,
            per,
            inception,
            expiry,
        } = price;
        Self {
            figures: Figures {
                amount_taxed: Pounds(taxed),
                amount_net: Pounds(net),
                amount_tax: Pounds(tax),
                amount_total: Pounds(total),
                currency,
                lines: lines.into_iter().map(PriceLine::from).collect(),
                additional_charges: charges.into_iter().map(PriceLine::from).collect(),
                per: per.into(),
                basis: basis.into(),
                inception,
                expiry,
            },
        }
    }
}

answer! {
    /// The price of one of several requests, or why it has none.
    pub struct PriceOutcome {
        /// The status that `POST /api/v1/price` has for it.
        status: u16,
        /// None where it failed.
        figures: Option<Figures>,
        /// None where there is a price.
        failure: Option<Failure>,
    }
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

answer! {
    /// A price in instalments.
    pub struct Instalments {
        deposit: Pounds,
        instalments: i64,
        instalment_amount: Pounds,
        last_instalment_amount: Pounds,
        total: Pounds,
        charge: Pounds,
        flat_rate: f64,
        apr: f64,
    }
}

answer! {
    /// A monthly price.
    pub struct MonthlyAnswer {
        pf: Instalments,
    }
}

impl From<rating::Monthly> for MonthlyAnswer {
    fn from(monthly: rating::Monthly) -> Self {
        let rating::Monthly {
            deposit,
            instalments,
            instalment_amount,
            last_instalment_amount,
            total,
        } = monthly;
        Self {
            pf: Instalments {
                deposit: Pounds(deposit),
                instalments,
                instalment_amount: Pounds(instalment_amount),
                last_instalment_amount: Pounds(last_instalment_amount),
                total: Pounds(total),
                // Nothing is charged for paying monthly.
                charge: Pounds(Pence::ZERO),
                flat_rate: 0.0,
                apr: 0.0,
            },
        }
    }
}
