//! A user's own policies, quotes and renewal quotes, in pages.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use uuid::Uuid;

use crate::app::products::ProductRegistry;
use crate::app::quotes::revision_of;
use crate::app::{App, AppError, Caller};
use crate::clock::Clock;
use crate::domain::money::Pence;
use crate::domain::policy::Policy;
use crate::domain::quote::list::ListEntry;
use crate::domain::quote::{QuoteStatus, StatusId, summary};
use crate::json_schema::ResponseSchema;
use crate::store::{Direction, Read, Store, StoreError, tables};

/// Maximum number of rows in a page.
pub const LARGEST_PAGE: usize = 100;

/// The columns by which a list can be sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortBy {
    /// The time of creation.
    #[default]
    Id,
    Reference,
    Status,
    /// The policyholder's name.
    Holder,
    /// The time of the first save.
    Created,
    /// First day of cover.
    Inception,
    /// The end of the quote's price.
    QuoteExpiry,
    /// Last day of cover.
    Expiry,
    Amount,
}

impl SortBy {
    /// The columns by their names in the API.
    pub const NAMES: [(&'static str, Self); 9] = [
        ("id", Self::Id),
        ("custom_id", Self::Reference),
        ("status_id", Self::Status),
        ("holder_name", Self::Holder),
        ("date_created", Self::Created),
        ("date_inception", Self::Inception),
        ("date_quote_expiry", Self::QuoteExpiry),
        ("date_expiry", Self::Expiry),
        ("amount_total", Self::Amount),
    ];

    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let found = Self::NAMES.iter().find(|(candidate, _)| *candidate == name);
        found.map(|(_, column)| *column)
    }
}

#[derive(Clone, Debug, Default)]
pub struct ListQuery {
    /// Number of the page, from 1.
    pub page: usize,
    /// Rows of a page, at most [`LARGEST_PAGE`].
    pub limit: usize,
    pub sort_by: SortBy,
    /// Whether the largest value comes first.
    pub descending: bool,
    /// Product's identifier.
    pub product: Option<String>,
    /// Part of the reference.
    pub reference: Option<String>,
    /// Part of the policyholder's name.
    pub holder: Option<String>,
    /// Status ids; empty for all. A policy that was not taken up counts as cancelled.
    pub statuses: HashSet<u32>,
    /// `true` for renewal quotes only, `false` for no renewal quotes, `None` for all rows.
    pub renewal: Option<bool>,
}

/// A row of the list.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
pub struct ListItem {
    pub custom_id: String,
    pub product_short_title: String,
    /// What is covered, and how much, in short lines, such as the plate and the level.
    pub cover: Vec<String>,
    /// The status now.
    pub status_id: StatusId,
    pub status_title: &'static str,
    pub holder_name: String,
    pub date_created: DateTime<Utc>,
    pub date_inception: Option<NaiveDate>,
    /// The first moment of a live policy's cover. Null for every other row, and if the cover ends before it
    /// begins.
    pub cover_begins: Option<DateTime<Utc>>,
    /// The moment from which a quote's price no longer holds. Null for a policy, and for a draft, partial,
    /// referred or declined quote.
    pub date_quote_expiry: Option<DateTime<Utc>>,
    pub date_expiry: Option<NaiveDate>,
    /// The price, in pounds. Null if there is none.
    pub amount_total: Option<Pence>,
    pub currency: String,
    pub policy_uuid: Uuid,
}

/// A page of the list.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
pub struct ListPage {
    pub data: Vec<ListItem>,
    /// The number of the page, from 1.
    pub current_page: usize,
    pub per_page: usize,
    /// The number of rows on all pages.
    pub total: usize,
    pub last_page: usize,
}

/// Runs [`list`] on a thread for blocking work. A customer with very many rows then delays only other lists.
///
/// # Errors
/// As [`list`].
pub async fn list_page(
    app: &Arc<App>,
    caller: &Caller,
    query: ListQuery,
) -> Result<ListPage, AppError> {
    let permit = app.lists.clone().acquire_owned().await;
    let permit = permit.map_err(|_| AppError::Unavailable)?;
    let (app, caller) = (app.clone(), caller.clone());
    let runtime = tokio::runtime::Handle::current();
    let listed = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        runtime.block_on(list(&app.store, &app.clock, &app.products, &caller, &query))
    });
    listed
        .await
        .map_err(|error| AppError::internal("the thread that reads a list failed", error))?
}

/// Returns a page of the caller's own policies and quotes.
///
/// # Errors
/// [`AppError::Unauthenticated`] without a log-in, and for a caller with a quote's token.
pub async fn list(
    store: &Store,
    clock: &Clock,
    products: &ProductRegistry,
    caller: &Caller,
    query: &ListQuery,
) -> Result<ListPage, AppError> {
    let Caller::User { uuid: user, .. } = caller else {
        return Err(AppError::Unauthenticated);
    };
    let now = clock.now();
    let filter = Filter::from_query(query);
    let mut rows: Vec<(Uuid, ListEntry, QuoteStatus)> = Vec::new();
    let mut outcome = Ok(());
    store
        .read(|tx| {
            tables::QUOTE_BY_OWNER.scan_readable(
                tx,
                user,
                Direction::Backward,
                |(_, uuid), entry| {
                    let status = entry.status_at(now);
                    match filter_status(tx, &uuid, status) {
                        Ok(selecting) if filter.matches(&entry, selecting) => {
                            rows.push((uuid, entry, status));
                        }
                        Ok(_) => {}
                        Err(error) => {
                            outcome = Err(error);
                            return ControlFlow::Break(());
                        }
                    }
                    ControlFlow::Continue(())
                },
            )
        })
        .await?;
    outcome?;
    let total = rows.len();
    // The scan returns the newest row first. The stable sort keeps this order for equal values.
    match (query.sort_by, query.descending) {
        (SortBy::Id, true) => {}
        (SortBy::Id, false) => rows.reverse(),
        (column, descending) => rows.sort_by(|a, b| {
            let order = compare(column, (&a.1, a.2), (&b.1, b.2));
            if descending { order.reverse() } else { order }
        }),
    }
    let limit = query.limit.clamp(1, LARGEST_PAGE);
    let page = query.page.max(1);
    let shown_rows = rows
        .into_iter()
        .skip((page - 1).saturating_mul(limit))
        .take(limit);
    let shown_rows: Vec<_> = shown_rows.collect();
    let read = store.read(|tx| {
        let begins = read_cover_begins(tx, &shown_rows)?;
        let covers = shown_rows.iter();
        let covers = covers.map(|(uuid, ..)| read_cover(tx, products, *uuid));
        Ok::<_, AppError>((begins, covers.collect::<Result<Vec<_>, _>>()?))
    });
    let (begins, covers) = read.await?;
    let rows = shown_rows.into_iter().zip(covers);
    let rows = rows.map(|((uuid, entry, status), cover)| {
        let cover_begins = begins.get(&uuid).copied();
        let item = list_item(clock, products, uuid, entry, status);
        ListItem {
            cover,
            cover_begins,
            ..item
        }
    });
    Ok(ListPage {
        data: rows.collect(),
        current_page: page,
        per_page: limit,
        total,
        last_page: total.div_ceil(limit).max(1),
    })
}

/// Returns the list's row of a quote or policy, without the cover and its first moment.
pub(in crate::app) fn list_item(
    clock: &Clock,
    products: &ProductRegistry,
    uuid: Uuid,
    entry: ListEntry,
    status: QuoteStatus,
) -> ListItem {
    ListItem {
        custom_id: entry.reference,
        product_short_title: short_title(clock, products, &entry.product),
        cover: Vec::new(),
        status_id: StatusId(status),
        status_title: status.title(),
        holder_name: entry.holder_name,
        date_created: entry.created,
        date_inception: entry.inception,
        cover_begins: None,
        date_quote_expiry: entry.expires,
        date_expiry: entry.expiry,
        amount_total: entry.amount,
        currency: entry.currency.unwrap_or_else(|| "GBP".to_string()),
        policy_uuid: uuid,
    }
}

/// Returns the short title of a product, or the product's identifier if the product is not on sale.
pub(in crate::app) fn short_title(
    clock: &Clock,
    products: &ProductRegistry,
    product: &str,
) -> String {
    match products.find(product, clock.today()) {
        Ok(registered) => registered.product.info().product_short_title.clone(),
        Err(_) => product.to_string(),
    }
}

/// Returns the product's lines for lists: of the revision in force for a policy, or of the newest answers. Returns
/// no lines for an unreadable quote or policy.
fn read_cover(
    tx: &impl Read,
    products: &ProductRegistry,
    uuid: Uuid,
) -> Result<Vec<String>, AppError> {
    let Some(quote) = tables::QUOTES.get_readable(tx, &uuid)? else {
        return Ok(Vec::new());
    };
    let revision = match tables::policy_of(tx, &quote) {
        Ok(Some(policy)) => revision_of(tx, &quote, policy.revision)?,
        Ok(None) => quote.current,
        Err(error) if error.is_unreadable_row() => return Ok(Vec::new()),
        Err(error) => return Err(error.into()),
    };
    let product = products.by_hash(tx, &revision.product_hash)?;
    Ok(summary::for_lists(&product, &revision.answers))
}

/// Returns the first moment of cover of each live policy among `rows`. Leaves out a policy whose scheduled
/// cancellation takes effect at this moment or earlier.
fn read_cover_begins(
    tx: &impl Read,
    rows: &[(Uuid, ListEntry, QuoteStatus)],
) -> Result<HashMap<Uuid, DateTime<Utc>>, StoreError> {
    let live = rows
        .iter()
        .filter(|(.., status)| *status == QuoteStatus::Live);
    let found = Vec::from_iter(live.map(|(uuid, ..)| tables::POLICIES.get_readable(tx, uuid)));
    let mut begins = HashMap::new();
    for policy in found {
        if let Some(policy) = policy?.filter(Policy::will_cover) {
            begins.insert(policy.uuid, policy.cover_begins);
        }
    }
    Ok(begins)
}

/// Returns the status by which a filter selects a row. A policy that was not taken up counts as cancelled.
fn filter_status(
    tx: &impl Read,
    uuid: &Uuid,
    status: QuoteStatus,
) -> Result<QuoteStatus, StoreError> {
    let is_undone = status == QuoteStatus::NotTakenUp && tables::was_bought(tx, uuid, status)?;
    Ok(if is_undone {
        QuoteStatus::Cancelled
    } else {
        status
    })
}

struct Filter<'a> {
    query: &'a ListQuery,
    reference: Option<String>,
    holder: Option<String>,
}

impl<'a> Filter<'a> {
    pub(in crate::app) fn from_query(query: &'a ListQuery) -> Self {
        let folded = |text: &Option<String>| {
            let text = text.as_deref()?.trim().to_lowercase();
            (!text.is_empty()).then_some(text)
        };
        Self {
            query,
            reference: folded(&query.reference),
            holder: folded(&query.holder),
        }
    }

    fn matches(&self, entry: &ListEntry, status: QuoteStatus) -> bool {
        let query = self.query;
        let has = |part: &Option<String>, text: &str| {
            part.as_ref()
                .is_none_or(|part| text.to_lowercase().contains(part))
        };
        (query.statuses.is_empty() || query.statuses.contains(&status.id()))
            && query
                .renewal
                .is_none_or(|expected| entry.renewal == expected)
            && (query.product.as_ref()).is_none_or(|product| *product == entry.product)
            && has(&self.reference, &entry.reference)
            && has(&self.holder, &entry.holder_name)
    }
}

fn compare(
    column: SortBy,
    (a, a_status): (&ListEntry, QuoteStatus),
    (b, b_status): (&ListEntry, QuoteStatus),
) -> Ordering {
    match column {
        SortBy::Id => Ordering::Equal,
        SortBy::Reference => a.reference.cmp(&b.reference),
        SortBy::Status => a_status.id().cmp(&b_status.id()),
        SortBy::Holder => {
            let folded = |entry: &ListEntry| entry.holder_name.to_lowercase();
            folded(a).cmp(&folded(b))
        }
        SortBy::Created => a.created.cmp(&b.created),
        SortBy::Inception => a.inception.cmp(&b.inception),
        SortBy::QuoteExpiry => a.expires.cmp(&b.expires),
        SortBy::Expiry => a.expiry.cmp(&b.expiry),
        SortBy::Amount => a.amount.cmp(&b.amount),
    }
}
