//! Lists the documents of a policy, a quote or a rescue card. Orders missing documents of a policy
//! or quote.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;

use crate::app::documents::DocumentRenderer;
use crate::app::documents::order::{document_id, order, order_at_sale};
use crate::app::documents::owner::subject;
use crate::app::quotes::revision_of;
use crate::app::{App, AppError, Caller, access};
use crate::clock::Clock;
use crate::config::ExternalDocument;
use crate::domain::document::{Document, DocumentKind, ProductDocument};
use crate::domain::policy::Policy;
use crate::domain::product::Product;
use crate::domain::quote::Quote;
use crate::json_schema::ResponseSchema;
use crate::store::{Direction, Read, tables};

/// Heading of the product's documents, which are public.
const ABOUT_THE_COVER: &str = "About your cover";

/// Suffix of the title of a renewal notice that a newer notice replaced.
const REPLACED: &str = ", replaced by a newer one";

/// A document.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
#[serde(rename = "DocumentItem")]
pub struct ListedDocument {
    pub(in crate::app) identifier: String,
    title: String,
    /// Whether the PDF can be fetched now.
    is_ready: bool,
    /// When the document was ordered. Null for a product's document.
    date: Option<DateTime<Utc>>,
}

/// Documents under a heading.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
#[serde(rename = "DocumentGroup")]
pub struct ListedDocumentGroup {
    title: &'static str,
    documents: Vec<ListedDocument>,
}

/// The date of a policy's revision.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
pub struct RevisionDate {
    date_revision: DateTime<Utc>,
}

/// A policy's documents.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
pub struct PolicyDocuments {
    documents: Vec<ListedDocumentGroup>,
    /// The revision in force, and the revisions with documents, by the revision's number.
    revisions: BTreeMap<String, RevisionDate>,
    external: Vec<ExternalDocument>,
}

/// Returns a policy's documents of one revision: `revision`, or the revision in force if `revision`
/// is `None`. If the revision in force has no schedule, orders the documents of a sale for this
/// revision.
///
/// # Errors
/// The errors of [`access::quote_of`], but a visitor's token of a policy does not expire.
/// [`AppError::NotFound`] for a quote that is not bought. [`AppError::NotFound`] for a revision
/// that is not in force and has no documents.
pub async fn policy_documents(
    app: &App,
    caller: &Caller,
    uuid: Uuid,
    revision: Option<u32>,
) -> Result<PolicyDocuments, AppError> {
    let now = app.clock.now();
    let read = || {
        app.store.read(|tx| {
            let quote = access::documents_of(tx, caller, uuid, now)?;
            let policy = tables::POLICIES.get(tx, &uuid)?;
            let policy = policy.ok_or(AppError::NotFound)?;
            let rows = rows_of(tx, uuid)?;
            let has_schedule = rows
                .iter()
                .any(|row| row.kind == DocumentKind::Schedule && row.revision == policy.revision);
            let list = listing(app, tx, &quote, &policy, &rows, revision)?;
            Ok::<_, AppError>((policy, list, has_schedule))
        })
    };
    let (policy, list, has_schedule) = read().await?;
    if has_schedule {
        return Ok(list);
    }
    app.store
        .write(move |tx| order_at_sale(tx, &policy, now))
        .await?;
    let (_, list, _) = read().await?;
    Ok(list)
}

fn listing(
    app: &App,
    tx: &impl Read,
    quote: &Quote,
    policy: &Policy,
    rows: &[Document],
    revision: Option<u32>,
) -> Result<PolicyDocuments, AppError> {
    let mut numbers: Vec<u32> = rows.iter().map(|row| row.revision).collect();
    numbers.push(policy.revision);
    numbers.sort_unstable();
    numbers.dedup();
    let read_number = revision.unwrap_or(policy.revision);
    if !numbers.contains(&read_number) {
        return Err(AppError::NotFound);
    }
    let sold = quote.accepted.as_ref().map(|accepted| accepted.revision);
    let mut revisions = BTreeMap::new();
    let mut product = None;
    for number in numbers {
        let saved = revision_of(tx, quote, number)?;
        let date_revision = if sold == Some(number) {
            policy.purchased
        } else {
            saved.at
        };
        revisions.insert(number.to_string(), RevisionDate { date_revision });
        if number == read_number {
            product = Some(app.products.by_hash(tx, &saved.product_hash)?);
        }
    }
    let notices = rows.iter().filter(|row| row.kind == DocumentKind::Renewal);
    // If two notices have the same time, the notice of the higher policy revision is newer.
    let newest = notices.max_by_key(|row| (row.created, row.revision));
    let newest = newest.map(|row| row.id);
    let mut groups: Vec<ListedDocumentGroup> = Vec::new();
    for row in rows.iter().filter(|row| row.revision == read_number) {
        let title = row.kind.group();
        let mut document = listed(row);
        // A renewal that was quoted again has a newer notice, which replaces the older notice.
        if row.kind == DocumentKind::Renewal && newest != Some(row.id) {
            document.title.push_str(REPLACED);
        }
        match groups.iter_mut().find(|group| group.title == title) {
            Some(group) => group.documents.push(document),
            None => groups.push(ListedDocumentGroup {
                title,
                documents: vec![document],
            }),
        }
    }
    groups.extend(product.map(|product| ListedDocumentGroup {
        title: ABOUT_THE_COVER,
        documents: public_documents(&app.clock, &app.printing, &product),
    }));
    Ok(PolicyDocuments {
        documents: groups,
        revisions,
        external: app.config.site.external_documents.clone(),
    })
}

/// Returns the documents of a quote before its purchase: the product's documents and the demands
/// and needs statement. The statement exists only if the quote has a price, and at least one demand
/// or need. Orders a missing statement.
///
/// # Errors
/// The errors of [`access::quote_of`], but a visitor's token of a policy does not expire.
pub async fn quote_documents(
    app: &App,
    caller: &Caller,
    uuid: Uuid,
) -> Result<Vec<ListedDocument>, AppError> {
    let now = app.clock.now();
    let kind = DocumentKind::DemandsAndNeeds;
    let stored = |tx: &_, number| tables::DOCUMENTS.get(tx, &document_id(uuid, kind, number, None));
    let (subject, mut needs) = app
        .store
        .read(|tx| {
            let quote = access::documents_of(tx, caller, uuid, now)?;
            let subject = subject(&app.products, tx, quote, None)?;
            let needs = stored(tx, subject.revision.number)?;
            Ok::<_, AppError>((subject, needs))
        })
        .await?;
    let mut found = public_documents(&app.clock, &app.printing, &subject.product);
    if subject.revision.price.is_some() && !subject.needs().is_empty() {
        let number = subject.revision.number;
        if needs.is_none() {
            app.store
                .write(move |tx| order(tx, uuid, kind, number, None, now))
                .await?;
            needs = app.store.read(|tx| stored(tx, number)).await?;
        }
        found.extend(needs.as_ref().map(listed));
    }
    Ok(found)
}

/// Returns the documents of a rescue card: the schedule in force, if any, and the product's
/// documents.
///
/// # Errors
/// Fails if the store fails.
pub(in crate::app) fn documents_of_card(
    clock: &Clock,
    printing: &DocumentRenderer,
    tx: &impl Read,
    policy: &Policy,
    product: &Product,
) -> Result<Vec<ListedDocument>, AppError> {
    let rows = rows_of(tx, policy.uuid)?;
    let mut schedules = rows
        .iter()
        .filter(|row| row.kind == DocumentKind::Schedule && row.revision == policy.revision);
    let mut found: Vec<_> = schedules.next_back().map(listed).into_iter().collect();
    found.extend(public_documents(clock, printing, product));
    Ok(found)
}

fn public_documents(
    clock: &Clock,
    printing: &DocumentRenderer,
    product: &Product,
) -> Vec<ListedDocument> {
    let now = clock.now();
    let listed = |kind: ProductDocument| {
        let identifier = kind.identifier(product.identifier(), product.version());
        ListedDocument {
            is_ready: !printing.is_failing(&identifier, now),
            identifier,
            title: kind.title().to_string(),
            date: None,
        }
    };
    ProductDocument::ALL.into_iter().map(listed).collect()
}

/// Returns a policy's documents, ordered by kind and then by age, oldest first.
pub(in crate::app) fn rows_of(tx: &impl Read, policy: Uuid) -> Result<Vec<Document>, AppError> {
    let mut rows = Vec::new();
    let keys =
        tables::DOCUMENT_BY_POLICY.list_readable(tx, &policy, Direction::Forward, usize::MAX)?;
    for ((_, id), ()) in keys {
        rows.extend(tables::DOCUMENTS.get_readable(tx, &id)?);
    }
    rows.sort_by_key(|row| (row.kind.rank(), row.created));
    Ok(rows)
}

fn listed(row: &Document) -> ListedDocument {
    ListedDocument {
        identifier: row.id.to_string(),
        title: row.kind.title().to_string(),
        is_ready: row.made.is_some(),
        date: Some(row.created),
    }
}
