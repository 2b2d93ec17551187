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
use crate::app::policies::plans::PlanOffer;
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
    /// First day of cover. Null for a draft.
    pub(in crate::api) inception: Option<NaiveDate>,
    /// Last day of cover. Null for a draft.
    pub(in crate::api) expiry: Option<NaiveDate>,
    /// The moment from which the price no longer holds. Null for a policy, and for a draft, partial, referred
    /// or declined quote.
    pub(in crate::api) quote_expiry: Option<DateTime<Utc>>,
    /// The first moment of cover. Null before the purchase.
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
    /// The lines of the premium, and then the charges.
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

/// Properties of a quote.
#[derive(Serialize, ResponseSchema)]
pub struct QuoteFlags {
    /// Whether the quote can be bought now.
    pub(in crate::api) buyable: bool,
    /// Whether the customer has accepted the shown revision.
    pub(in crate::api) accepted: bool,
    /// Whether the quote renews a policy.
    pub(in crate::api) renewal_quote: bool,
    /// Whether the quote has become a policy. True also after the policy has ended.
    pub(in crate::api) policy: bool,
}

/// The aggregator through which a quote came.
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
    /// The reference that the customer sees.
    pub(in crate::api) custom_id: String,
    /// The same as `custom_id`.
    #[serde(rename = "quotePolicyID")]
    pub(in crate::api) quote_policy_id: String,
    pub(in crate::api) status_id: StatusId,
    pub(in crate::api) status_title: &'static str,
    /// Why underwriting refers or declines the quote. Null if there is no reason.
    pub(in crate::api) reason: Option<String>,
    pub(in crate::api) holder_name: String,
    pub(in crate::api) dates: QuoteDates,
    pub(in crate::api) revision_id: u32,
    /// The price. Null if the quote has none.
    pub(in crate::api) price: Option<QuotePrice>,
    pub(in crate::api) flags: QuoteFlags,
    /// The aggregator. Null if the quote came through none.
    pub(in crate::api) aggregator: Option<AggregatorInfo>,
    pub(in crate::api) source_tracking: SourceTracking,
    /// A new token for the quote, if a click-through opens the quote. Null in every other answer.
    pub(in crate::api) consumer_token: Option<String>,
    pub(in crate::api) account: Ownership,
    pub(in crate::api) summary: Vec<SummaryLine>,
    /// Notices to the customer that need no action, such as why the price differs from a partner's price.
    pub(in crate::api) notices: Vec<String>,
}

/// A saved revision.
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
    /// Whether each exclusion matters to the customer, by the exclusion's id. The newest acceptance with
    /// `exclusions` sets these answers.
    pub(in crate::api) exclusion_answers: BTreeMap<String, bool>,
    /// Whether the newest acceptance of the quote includes automatic renewal. False after a later save.
    pub(in crate::api) auto_renew: bool,
    /// How the newest acceptance of the quote is paid: `annual` or `monthly`. `annual` without one, and after a
    /// later save.
    pub(in crate::api) payment_frequency: &'static str,
    /// The plan by which the quote can be paid monthly. Null if it can't, and for a policy.
    pub(in crate::api) plan: Option<PlanOffer>,
    /// The exclusions of a policy's cover. Empty before the purchase.
    pub(in crate::api) exclusions: Vec<OpenExclusion>,
    /// The policy. Only `GET /api/v2/policy/{id}` and `GET /api/v2/policy/read/{id}` return `policy`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::api) policy: Option<PolicyInfo>,
    /// The address where the partner's customer continues. Only the answer to a partner has `click_through`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::api) click_through: Option<String>,
}
