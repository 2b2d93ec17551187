//! JSON schemas to read a quote and the policy that it became.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::exclusion::OpenExclusion;
use super::form_state::AnsweredForm;
use crate::api::schema::raw_json::RawJson;
use crate::app::access::Ownership;
use crate::app::policies::PolicyInfo;
use crate::domain::money::Pence;
use crate::domain::money::price::{Basis, Line, Per, Price};
use crate::domain::quote::StatusId;
use crate::domain::quote::answers::{Multi, Values};
use crate::domain::quote::campaign::SourceTracking;
use crate::domain::quote::summary::SummaryLine;
use crate::json_schema::ResponseSchema;

/// A quote's dates.
#[derive(Serialize, ResponseSchema)]
pub struct QuoteDates {
    pub(in crate::api) created: DateTime<Utc>,
    pub(in crate::api) inception: Option<NaiveDate>,
    pub(in crate::api) expiry: Option<NaiveDate>,
    pub(in crate::api) quote_expiry: Option<DateTime<Utc>>,
    pub(in crate::api) cover_begins: Option<DateTime<Utc>>,
}

/// A quote's price.
#[derive(Serialize, ResponseSchema)]
pub struct QuotePrice {
    amount_total: Pence,
    amount_net: Pence,
    amount_tax: Pence,
    currency: String,
    per: Per,
    basis: Basis,
    /// The premium's lines, and then the charges.
    lines: Vec<Line>,
}

impl From<(Price, Basis)> for QuotePrice {
    fn from((price, basis): (Price, Basis)) -> Self {
        let mut lines = price.lines;
        lines.extend(price.charges);
        Self {
            amount_total: price.total,
            amount_net: price.net,
            amount_tax: price.tax,
            currency: price.currency,
            per: price.per,
            basis,
            lines,
        }
    }
}

/// The requests that are possible for a quote.
#[derive(Serialize, ResponseSchema)]
pub struct QuoteFlags {
    pub(in crate::api) buyable: bool,
    pub(in crate::api) accepted: bool,
    pub(in crate::api) renewal_quote: bool,
    /// True once it was bought.
    pub(in crate::api) policy: bool,
}

/// The aggregator a quote came through.
#[derive(Serialize, ResponseSchema)]
pub struct AggregatorInfo {
    pub(in crate::api) id: u32,
    pub(in crate::api) name: String,
    pub(in crate::api) identifier: String,
    pub(in crate::api) logo_url: String,
}

/// A quote's data.
#[derive(Serialize, ResponseSchema)]
pub struct QuoteInfo {
    pub(in crate::api) uuid: Uuid,
    pub(in crate::api) product_identifier: String,
    pub(in crate::api) product_title: String,
    pub(in crate::api) product_short_title: String,
    pub(in crate::api) custom_id: String,
    #[serde(rename = "quotePolicyID")]
    pub(in crate::api) quote_policy_id: String,
    pub(in crate::api) status_id: StatusId,
    pub(in crate::api) status_title: &'static str,
    pub(in crate::api) reason: Option<String>,
    pub(in crate::api) holder_name: String,
    pub(in crate::api) dates: QuoteDates,
    pub(in crate::api) revision_id: u32,
    pub(in crate::api) price: Option<QuotePrice>,
    pub(in crate::api) flags: QuoteFlags,
    pub(in crate::api) aggregator: Option<AggregatorInfo>,
    pub(in crate::api) source_tracking: SourceTracking,
    pub(in crate::api) consumer_token: Option<String>,
    pub(in crate::api) account: Ownership,
    pub(in crate::api) summary: Vec<SummaryLine>,
    /// A notice to the customer, such as why the price differs from the one a partner showed.
    pub(in crate::api) notices: Vec<String>,
}

/// One saved revision.
#[derive(Serialize, ResponseSchema)]
pub struct VersionInfo {
    pub(in crate::api) policy_revision_id: u32,
    pub(in crate::api) date_revision: DateTime<Utc>,
    pub(in crate::api) amount_total: Option<Pence>,
}

/// A quote with its form, answers and versions.
#[derive(Serialize, ResponseSchema)]
pub struct QuoteRead {
    #[schema(AnsweredForm)]
    pub(in crate::api) form: RawJson,
    pub(in crate::api) info: QuoteInfo,
    #[schema(Multi)]
    pub(in crate::api) multi: IndexMap<String, Vec<Map<String, Value>>>,
    #[schema(Values)]
    pub(in crate::api) values: Map<String, Value>,
    pub(in crate::api) versions: Vec<VersionInfo>,
    /// The customer's answers about the exclusions at acceptance, by their ids: whether each matters to
    /// them.
    pub(in crate::api) exclusion_answers: BTreeMap<String, bool>,
    /// Whether the customer wanted the cover to renew by itself when they last agreed to buy.
    pub(in crate::api) auto_renew: bool,
    /// The exclusions of a policy's cover. Empty before the purchase.
    pub(in crate::api) exclusions: Vec<OpenExclusion>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::api) policy: Option<PolicyInfo>,
    /// For a partner only: the address where its customer continues.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::api) click_through: Option<String>,
}
