//! A user's policies and quotes as they are listed over the wire.

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use uuid::Uuid;

use super::StatusId;
use crate::app::quotes::list::ListedQuote;
use crate::domain::money::Pence;
use crate::schema::ResponseSchema;

/// A row.
#[derive(Serialize, ResponseSchema)]
pub struct ListItem {
    pub(in crate::api) custom_id: String,
    pub(in crate::api) product_short_title: String,
    pub(in crate::api) status_id: StatusId,
    pub(in crate::api) status_title: &'static str,
    pub(in crate::api) holder_name: String,
    pub(in crate::api) date_created: DateTime<Utc>,
    pub(in crate::api) date_inception: Option<NaiveDate>,
    /// Live policies only; null where cover is to end before it begins.
    pub(in crate::api) cover_begins: Option<DateTime<Utc>>,
    /// Quotes only.
    pub(in crate::api) date_quote_expiry: Option<DateTime<Utc>>,
    pub(in crate::api) date_expiry: Option<NaiveDate>,
    /// Pounds.
    pub(in crate::api) amount_total: Option<Pence>,
    pub(in crate::api) currency: String,
    pub(in crate::api) policy_uuid: Uuid,
}

/// A page.
#[derive(Serialize, ResponseSchema)]
pub struct ListPage {
    pub(in crate::api) data: Vec<ListItem>,
    /// From 1.
    pub(in crate::api) current_page: usize,
    pub(in crate::api) per_page: usize,
    pub(in crate::api) total: usize,
    pub(in crate::api) last_page: usize,
}

impl From<ListedQuote> for ListItem {
    fn from(row: ListedQuote) -> Self {
        let entry = row.entry;
        Self {
            custom_id: entry.reference,
            product_short_title: row.product_title,
            status_id: StatusId(row.status),
            status_title: row.status.title(),
            holder_name: entry.holder_name,
            date_created: entry.created,
            date_inception: entry.inception,
            cover_begins: row.cover_begins,
            date_quote_expiry: entry.expires,
            date_expiry: entry.expiry,
            amount_total: entry.amount,
            currency: entry.currency.unwrap_or_else(|| "GBP".to_string()),
            policy_uuid: row.uuid,
        }
    }
}
