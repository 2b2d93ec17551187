//! A quote, and the policy it became, as they are read over the wire.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use poem_openapi::Object;
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use super::Pounds;
use super::policy::PolicyInfo;
use super::quote::{PriceLine, SummaryText};
use crate::domain::moment;

/// A quote's dates.
#[derive(Object, Serialize)]
pub struct QuoteDates {
    #[serde(serialize_with = "moment::rfc3339")]
    pub(in crate::api) created: DateTime<Utc>,
    pub(in crate::api) inception: Option<NaiveDate>,
    pub(in crate::api) expiry: Option<NaiveDate>,
    #[serde(serialize_with = "moment::option::rfc3339")]
    pub(in crate::api) quote_expiry: Option<DateTime<Utc>>,
    #[serde(serialize_with = "moment::option::rfc3339")]
    pub(in crate::api) cover_begins: Option<DateTime<Utc>>,
}

/// A quote's price.
#[derive(Object, Serialize)]
pub struct QuotePrice {
    amount_total: Pounds,
    amount_net: Pounds,
    amount_tax: Pounds,
    currency: String,
    per: String,
    lines: Vec<PriceLine>,
}

/// What may be done with a quote.
#[derive(Object, Serialize)]
pub struct QuoteFlags {
    pub(in crate::api) buyable: bool,
    pub(in crate::api) accepted: bool,
    pub(in crate::api) renewal_quote: bool,
    /// True once it was bought.
    pub(in crate::api) policy: bool,
}

/// The aggregator a quote came through.
#[derive(Object, Serialize)]
pub struct AggregatorInfo {
    pub(in crate::api) id: u32,
    pub(in crate::api) name: String,
    pub(in crate::api) identifier: String,
    pub(in crate::api) logo_url: String,
}

/// What there is to know of a quote.
#[derive(Object, Serialize)]
pub struct QuoteInfo {
    uuid: Uuid,
    product_identifier: String,
    product_title: String,
    product_short_title: String,
    custom_id: String,
    #[oai(rename = "quotePolicyID")]
    #[serde(rename = "quotePolicyID")]
    quote_policy_id: String,
    status_id: u32,
    status_title: String,
    reason: Option<String>,
    holder_name: String,
    dates: QuoteDates,
    revision_id: u32,
    price: Option<QuotePrice>,
    flags: QuoteFlags,
    aggregator: Option<AggregatorInfo>,
    consumer_token: Option<String>,
    summary: Vec<SummaryText>,
    /// What the customer should know, such as why the price is not the one a partner showed.
    notices: Vec<String>,
}

/// A field with its answer.
#[derive(Object, Serialize)]
pub struct AnsweredField {
    name: String,
    value: Value,
    visible: bool,
    display_only: bool,
    locked: bool,
    errors: Vec<String>,
    rateable: bool,
}

/// A dataset with its answers.
#[derive(Object, Serialize)]
pub struct AnsweredDataset {
    identifier: String,
    title: String,
    visible: bool,
    fields: Vec<AnsweredField>,
}

/// A form with its answers.
#[derive(Object, Serialize)]
pub struct AnsweredForm {
    product_identifier: String,
    datasets: Vec<AnsweredDataset>,
}

/// One saved revision.
#[derive(Object, Serialize)]
pub struct VersionInfo {
    pub(in crate::api) policy_revision_id: u32,
    #[serde(serialize_with = "moment::rfc3339")]
    pub(in crate::api) date_revision: DateTime<Utc>,
    pub(in crate::api) amount_total: Option<Pounds>,
}

/// A quote whole.
#[derive(Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
pub struct QuoteRead {
    info: QuoteInfo,
    form: AnsweredForm,
    multi: BTreeMap<String, Vec<BTreeMap<String, Value>>>,
    values: BTreeMap<String, Value>,
    versions: Vec<VersionInfo>,
    policy: Option<PolicyInfo>,
    /// To a partner only: where its customer goes on.
    click_through: Option<String>,
}
