//! How a quote, or the policy it became, is written for its reader.

use chrono::{DateTime, NaiveDate, Utc};
use poem_openapi::types::{ParseFromJSON, ToJSON, Type};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::error::ApiError;
use super::payload::{DataResponse, JsonResponse};
use super::wire::Pounds;
use super::wire::policy::PolicyInfo;
use super::wire::quote_read::{AggregatorInfo, QuoteDates, QuoteFlags, VersionInfo};
use crate::app::App;
use crate::app::quotes::read::QuoteView;
use crate::domain::answer_table::AnswerTable;
use crate::domain::answers::Answers;
use crate::domain::form;
use crate::domain::money::Pence;
use crate::domain::price::{Line, Per, Price};
use crate::domain::product::Product;
use crate::domain::summary::{self, SummaryLine};

/// All but the form.
#[derive(Serialize)]
struct Read<'a> {
    info: Info<'a>,
    multi: &'a indexmap::IndexMap<String, Vec<Map<String, Value>>>,
    values: Values<'a>,
    versions: Vec<VersionInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<PolicyInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    click_through: Option<&'a str>,
}

/// What an answer carries beside the quote.
#[derive(Default)]
pub(super) struct QuoteExtras<'a> {
    /// The policy's own part.
    pub(super) policy: Option<PolicyInfo>,
    /// A new token for the quote.
    pub(super) token: Option<&'a str>,
    /// To a partner: where its customer goes on.
    pub(super) click_through: Option<&'a str>,
}

/// The answers, and how many vehicles, persons and trips there are.
struct Values<'a> {
    product: &'a Product,
    answers: &'a Answers,
}

impl Serialize for Values<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in &self.answers.values {
            map.serialize_entry(name, value)?;
        }
        for (name, count) in form::counts_of(self.product, self.answers) {
            map.serialize_entry(name, &count)?;
        }
        map.end()
    }
}

#[derive(Serialize)]
struct Info<'a> {
    uuid: Uuid,
    product_identifier: &'a str,
    product_title: &'a str,
    product_short_title: &'a str,
    custom_id: &'a str,
    #[serde(rename = "quotePolicyID")]
    quote_policy_id: &'a str,
    status_id: u32,
    status_title: &'a str,
    reason: Option<&'a str>,
    holder_name: &'a str,
    dates: QuoteDates,
    revision_id: u32,
    price: Option<PriceView<'a>>,
    flags: QuoteFlags,
    aggregator: Option<AggregatorInfo>,
    consumer_token: Option<&'a str>,
    summary: Vec<SummaryLine>,
    notices: &'a [String],
}

#[derive(Serialize)]
struct PriceView<'a> {
    amount_total: Pence,
    amount_net: Pence,
    amount_tax: Pence,
    currency: &'a str,
    per: Per,
    lines: Vec<&'a Line>,
}

impl<'a> PriceView<'a> {
    fn of(price: &'a Price) -> Self {
        Self {
            amount_total: price.total,
            amount_net: price.net,
            amount_tax: price.tax,
            currency: &price.currency,
            per: price.per,
            lines: price.lines.iter().chain(&price.charges).collect(),
        }
    }
}

/// Writes `view` for its reader.
pub(super) fn answer_with<S>(
    app: &App,
    view: &QuoteView,
    with: QuoteExtras<'_>,
) -> Result<DataResponse<S>, ApiError>
where
    S: ParseFromJSON + ToJSON + Type + Serialize,
{
    let partner = app.partner(&view.quote);
    let quote = &view.quote;
    let revision = view.revision();
    let answers = &revision.answers;
    let product = view.product.info();
    let sheet = AnswerTable::read(&view.product.compiled, answers);
    let price = revision.price.as_ref();
    let policy = view.policy.as_ref();
    let accepted = quote
        .accepted
        .as_ref()
        .is_some_and(|accepted| accepted.revision == revision.number);
    let (inception, expiry): (Option<NaiveDate>, Option<NaiveDate>) =
        (revision.inception, revision.expiry);
    let cover_begins: Option<DateTime<Utc>> = policy.map(|policy| policy.cover_begins);
    let bought = policy.is_some();
    let write_form = |body: &mut Vec<u8>| form::write_state(&view.product, &sheet, bought, body);
    let rest = Read {
        info: Info {
            uuid: quote.uuid,
            product_identifier: &quote.product,
            product_title: &product.product_title,
            product_short_title: &product.product_short_title,
            custom_id: &quote.reference,
            quote_policy_id: &quote.reference,
            status_id: view.status.id(),
            status_title: view.status.title(),
            reason: quote.reason.as_deref(),
            holder_name: &quote.holder_name,
            dates: QuoteDates {
                created: quote.created,
                inception,
                expiry,
                quote_expiry: quote.expires.filter(|_| policy.is_none()),
                cover_begins,
            },
            revision_id: revision.number,
            price: price.map(PriceView::of),
            flags: QuoteFlags {
                buyable: view.buyable,
                accepted,
                renewal_quote: quote.renewal,
                policy: policy.is_some(),
            },
            aggregator: partner.map(|partner| AggregatorInfo {
                id: partner.id,
                name: partner.name.clone(),
                identifier: partner.identifier.clone(),
                logo_url: partner.logo_url.clone(),
            }),
            consumer_token: with.token,
            summary: summary::summary_on(&view.product, &sheet),
            notices: &view.notices,
        },
        multi: &answers.multi,
        values: Values {
            product: &view.product,
            answers,
        },
        versions: quote
            .versions
            .iter()
            .map(|version| VersionInfo {
                policy_revision_id: version.number,
                date_revision: version.at,
                amount_total: version.amount.map(Pounds),
            })
            .collect(),
        policy: with.policy,
        click_through: with.click_through,
    };
    JsonResponse::data_with("form", write_form, &rest)
}
