//! The export for an operator: one row for each quote or policy, with its customer's campaign, affiliate or
//! partner.

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use crate::app::AppError;
use crate::app::payments::refunds::unrefunded::net_paid;
use crate::domain::money::Pence;
use crate::domain::payment::PaymentFrequency;
use crate::domain::policy::plan::PaymentPlan;
use crate::domain::quote::Quote;
use crate::domain::quote::policyholder;
use crate::store::{Read, ReadTx, Store, tables};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportKind {
    /// Every quote, with any status.
    Quotes,
    /// Every policy, also one that was not taken up.
    Policies,
}

/// A row of the export. Amounts are in pounds. Days are days in London, and times are in UTC.
#[derive(Clone, Debug, Serialize)]
pub struct ExportRow {
    custom_id: String,
    uuid: Uuid,
    product: String,
    product_version_sha256: String,
    status_id: u32,
    status: &'static str,
    holder_name: String,
    email_primary: Option<String>,
    in_account: bool,
    renewal: bool,
    created: DateTime<Utc>,
    updated: DateTime<Utc>,
    inception: Option<NaiveDate>,
    expiry: Option<NaiveDate>,
    amount_total: Option<Pence>,
    amount_tax: Option<Pence>,
    currency: Option<String>,
    purchased: Option<DateTime<Utc>>,
    cover_begins: Option<DateTime<Utc>>,
    paid: Option<Pence>,
    /// `annual` or `monthly`.
    payment_frequency: Option<&'static str>,
    /// The monthly payments that are not collected yet.
    uncollected: Option<Pence>,
    path: Option<String>,
    utm_source: Option<String>,
    utm_medium: Option<String>,
    utm_campaign: Option<String>,
    external_uuid: Option<String>,
    affiliate_uuid: Option<String>,
    affiliate_request_uuid: Option<String>,
    affiliate_extra: Option<Value>,
    aggregator: Option<String>,
    aggregator_reference: Option<String>,
    aggregator_service: Option<String>,
    aggregator_additional: Option<Value>,
    aggregator_price: Option<Pence>,
}

/// Passes each row to `take`, in the order of creation. Memory use does not grow with the store.
///
/// # Errors
/// If the store or `take` fails.
pub async fn rows<E: From<AppError>>(
    store: &Store,
    which: ExportKind,
    now: DateTime<Utc>,
    mut take: impl FnMut(ExportRow) -> Result<(), E>,
) -> Result<(), E> {
    let mut write = |tx: &ReadTx| -> Result<(), E> {
        for quote in tables::QUOTES.rows(tx, &()) {
            let (_, quote) = quote.map_err(AppError::from)?;
            let was_bought = || tables::was_bought(tx, &quote.uuid, quote.status);
            if which == ExportKind::Quotes || was_bought().map_err(AppError::from)? {
                take(row(tx, quote, now)?)?;
            }
        }
        Ok(())
    };
    store.read(|tx| Ok::<_, AppError>(write(tx))).await?
}

fn row(tx: &impl Read, quote: Quote, now: DateTime<Utc>) -> Result<ExportRow, AppError> {
    let policy = tables::policy_of(tx, &quote)?;
    let status = quote.status_at(now);
    let sold = match &policy {
        Some(policy) => super::quotes::revision_of(tx, &quote, policy.revision)?,
        None => quote.current,
    };
    let plan = tables::PLANS.get(tx, &quote.uuid)?;
    let frequency = plan
        .as_ref()
        .map_or(PaymentFrequency::Annual, PaymentPlan::frequency);
    let (tracking, partner) = (quote.origin.tracking, quote.partner);
    let partner_field =
        |part: fn(&crate::domain::quote::ByPartner) -> String| partner.as_ref().map(part);
    Ok(ExportRow {
        custom_id: quote.reference,
        uuid: quote.uuid,
        product: quote.product,
        product_version_sha256: sold.product_hash,
        status_id: status.id(),
        status: status.title(),
        holder_name: quote.holder_name,
        email_primary: policyholder::email(&sold.answers).map(str::to_string),
        in_account: quote.owner.is_some(),
        renewal: quote.renews.is_some(),
        created: quote.created,
        updated: quote.updated,
        inception: policy.as_ref().map(|p| p.inception).or(sold.inception),
        expiry: policy.as_ref().map(|p| p.expiry).or(sold.expiry),
        amount_total: sold.price.as_ref().map(|price| price.total),
        amount_tax: sold.price.as_ref().map(|price| price.tax),
        currency: sold.price.map(|price| price.currency),
        purchased: policy.as_ref().map(|policy| policy.purchased),
        cover_begins: policy.as_ref().map(|policy| policy.cover_begins),
        paid: policy
            .as_ref()
            .map(|_| net_paid(tx, quote.uuid))
            .transpose()?,
        payment_frequency: policy.map(|_| frequency.word()),
        uncollected: plan.map(|plan| plan.due(NaiveDate::MAX)),
        path: sold.path,
        utm_source: tracking.utm_source,
        utm_medium: tracking.utm_medium,
        utm_campaign: tracking.utm_campaign,
        external_uuid: tracking.external_uuid,
        affiliate_uuid: quote.origin.affiliate_uuid,
        affiliate_request_uuid: quote.origin.affiliate_request_uuid,
        affiliate_extra: quote.origin.affiliate_extra,
        aggregator: partner_field(|by_partner| by_partner.partner.clone()),
        aggregator_reference: partner_field(|by_partner| by_partner.reference.clone()),
        aggregator_service: partner_field(|by_partner| by_partner.service.clone()),
        aggregator_price: partner
            .as_ref()
            .and_then(|by_partner| by_partner.shown_price),
        aggregator_additional: partner.and_then(|by_partner| by_partner.additional),
    })
}
