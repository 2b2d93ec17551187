//! Quotes, prices and payments as they go over the wire.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use poem_openapi::Object;
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use super::Pounds;
use super::product::Form;
use crate::api::error::ApiError;
use crate::app::quotes::Submission;
use crate::domain::answers::Answers;
use crate::domain::campaign::SourceTracking;
use crate::domain::quote::Origin;

/// A product with its answers.
#[derive(Object, Default)]
pub struct SerializedProduct {
    product_identifier: Option<String>,
    /// Answers by field name.
    #[oai(default)]
    values: Value,
    /// Cards of the repeatable datasets, by dataset.
    #[oai(default)]
    multi: Value,
}

impl SerializedProduct {
    /// The identifier, or what the path named.
    pub fn identifier(&self) -> Option<&str> {
        self.product_identifier.as_deref()
    }

    /// The answers; values of the wrong type are the form's to refuse, a wrong shape isn't.
    pub fn answers(self) -> Result<Answers, ApiError> {
        let or_empty = |value: Value, empty: Value| if value.is_null() { empty } else { value };
        let values = or_empty(self.values, Value::Object(serde_json::Map::new()));
        let multi = or_empty(self.multi, Value::Object(serde_json::Map::new()));
        let shape = || {
            ApiError::malformed(
                "`values` must be an object, and `multi` an object of lists of objects.",
            )
        };
        Ok(Answers {
            values: serde_json::from_value(values).map_err(|_| shape())?,
            multi: serde_json::from_value(multi).map_err(|_| shape())?,
        })
    }
}

/// Campaign words of the first page's address.
#[derive(Object, Default)]
pub struct Tracking {
    external_uuid: Option<String>,
    utm_source: Option<String>,
    utm_campaign: Option<String>,
    utm_medium: Option<String>,
}

impl From<Tracking> for SourceTracking {
    fn from(tracking: Tracking) -> Self {
        Self {
            external_uuid: tracking.external_uuid,
            utm_source: tracking.utm_source,
            utm_campaign: tracking.utm_campaign,
            utm_medium: tracking.utm_medium,
        }
    }
}

/// A question for a price.
#[derive(Object)]
pub struct PriceRequest {
    product_identifier: Option<String>,
    product: SerializedProduct,
    /// Always true; the specification's clients send it.
    #[oai(default)]
    quote_ready: bool,
    source_tracking: Option<Tracking>,
}

impl PriceRequest {
    /// Product, answers and campaign.
    pub fn parts(self) -> Result<(String, Answers, SourceTracking), ApiError> {
        let identifier = self
            .product_identifier
            .or_else(|| self.product.identifier().map(str::to_string))
            .ok_or_else(|| ApiError::malformed("`product_identifier` is missing."))?;
        let tracking = self.source_tracking.unwrap_or_default().into();
        Ok((identifier, self.product.answers()?, tracking))
    }
}

/// A form to be worked out.
#[derive(Object)]
pub struct FormRequest {
    #[oai(default)]
    values: Value,
    #[oai(default)]
    multi: Value,
    product_identifier: Option<String>,
    /// Only this step's errors.
    step: Option<u32>,
}

impl FormRequest {
    /// Answers and step.
    pub fn parts(self) -> Result<(Answers, Option<u32>), ApiError> {
        let step = self.step;
        let product = SerializedProduct {
            product_identifier: self.product_identifier,
            values: self.values,
            multi: self.multi,
        };
        Ok((product.answers()?, step))
    }
}

/// A quote to be saved.
#[derive(Object)]
pub struct QuoteCreate {
    product: SerializedProduct,
    /// True keeps what is there without asking for the rest.
    #[oai(default)]
    draft: bool,
    source_tracking: Option<Tracking>,
    affiliate_uuid: Option<String>,
    affiliate_request_uuid: Option<String>,
    /// `{"multiple": true, "requests": {"<custom id>": {...}}}`.
    affiliate_extra: Option<Value>,
}

/// What came of an affiliate.
pub struct Affiliate {
    /// Its id for itself.
    pub uuid: Option<String>,
    /// Its id of this request.
    pub request_uuid: Option<String>,
    /// What it wants back.
    pub extra: Option<Value>,
}

impl QuoteCreate {
    /// A whole quote of its parts.
    pub fn of(
        product: SerializedProduct,
        source_tracking: Option<Tracking>,
        affiliate: Affiliate,
    ) -> Self {
        Self {
            product,
            draft: false,
            source_tracking,
            affiliate_uuid: affiliate.uuid,
            affiliate_request_uuid: affiliate.request_uuid,
            affiliate_extra: affiliate.extra,
        }
    }

    /// What is to be saved under the product the path names.
    pub fn submission(self, product: &str) -> Result<Submission, ApiError> {
        if self
            .product
            .identifier()
            .is_some_and(|named| named != product)
        {
            return Err(ApiError::malformed(
                "`product_identifier` is not the product of the address.",
            ));
        }
        Ok(Submission {
            product: product.to_string(),
            draft: self.draft,
            origin: Origin {
                tracking: self.source_tracking.unwrap_or_default().into(),
                affiliate_uuid: self.affiliate_uuid,
                affiliate_request_uuid: self.affiliate_request_uuid,
                affiliate_extra: self.affiliate_extra.filter(|extra| !extra.is_null()),
            },
            answers: self.product.answers()?,
            renews: None,
        })
    }
}

/// New answers for a quote.
#[derive(Object)]
pub struct QuoteUpdate {
    product: SerializedProduct,
    /// True keeps what is there without asking for the rest.
    #[oai(default)]
    draft: bool,
    /// The revision that was read; without it the last write wins.
    revision_id: Option<u32>,
    /// Where in the form the customer is; kept for clients that send it.
    path: Option<String>,
}

impl QuoteUpdate {
    /// Product, answers and the revision read.
    pub fn submission(self) -> Result<(Submission, Option<u32>), ApiError> {
        let product = self
            .product
            .identifier()
            .ok_or_else(|| ApiError::malformed("`product_identifier` is missing."))?
            .to_string();
        let submission = Submission {
            product,
            draft: self.draft,
            origin: Origin::default(),
            answers: self.product.answers()?,
            renews: None,
        };
        Ok((submission, self.revision_id))
    }
}

/// One line of a price.
#[derive(Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
pub struct PriceLine {
    code: String,
    label: String,
    amount: Pounds,
    /// Why it is what it is, where that needs saying.
    note: Option<String>,
}

/// What some answers cost.
#[derive(Object, Serialize)]
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
    /// `year` or `trip`.
    per: String,
    inception: NaiveDate,
    expiry: NaiveDate,
}

/// A price.
#[derive(Object, Serialize)]
pub struct PriceAnswer {
    figures: Figures,
}

/// A price in instalments.
#[derive(Object, Serialize)]
pub struct Instalments {
    deposit: Pounds,
    instalments: u32,
    instalment_amount: Pounds,
    last_instalment_amount: Pounds,
    total: Pounds,
    charge: Pounds,
    flat_rate: f64,
    apr: f64,
}

/// A monthly price.
#[derive(Object, Serialize)]
pub struct MonthlyAnswer {
    pf: Instalments,
}

/// A line of the summary card.
#[derive(Object, Serialize)]
pub struct SummaryText {
    code: String,
    text: String,
}

/// A form worked out.
#[derive(Object, Serialize)]
pub struct FormAnswer {
    form: Form,
    summary: Vec<SummaryText>,
    counts: BTreeMap<String, u32>,
}

/// What a create answers.
#[derive(Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
pub struct QuoteCreated {
    pub(in crate::api) uuid: Uuid,
    pub(in crate::api) custom_id: String,
    pub(in crate::api) consumer_token: String,
    pub(in crate::api) status_id: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::api) reason: Option<String>,
    pub(in crate::api) revision_id: u32,
    pub(in crate::api) notices: Vec<String>,
}

/// What a save answers.
#[derive(Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
pub struct QuoteSaved {
    pub(in crate::api) uuid: Uuid,
    pub(in crate::api) revision_id: u32,
    pub(in crate::api) status_id: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::api) reason: Option<String>,
    pub(in crate::api) notices: Vec<String>,
}

/// The customer's agreement to buy.
#[derive(Object)]
pub struct AcceptRequest {
    /// `annual`; `monthly` is refused until instalments are collected.
    pub(in crate::api) payment_frequency: Option<String>,
    #[oai(default)]
    pub(in crate::api) terms_and_conditions: bool,
    #[oai(default)]
    pub(in crate::api) auto_renew: bool,
    /// The revision that was shown; another one is a conflict.
    pub(in crate::api) revision_id: Option<u32>,
}

/// What is to be paid.
#[derive(Object, Serialize)]
pub struct Accepted {
    pub(in crate::api) uuid: Uuid,
    pub(in crate::api) amount_due: Pounds,
    pub(in crate::api) revision_id: u32,
}

/// A status and its name.
#[derive(Object, Serialize)]
pub struct StatusTitle {
    pub(in crate::api) status_id: u32,
    pub(in crate::api) status_title: String,
}
