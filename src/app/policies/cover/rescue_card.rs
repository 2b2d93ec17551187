//! The rescue card: a customer's copy of a policy on a phone, shown without a network. The shop
//! stores no card, only the hash of a key for each device. With the key, the device can read the card
//! and its documents, and nothing else.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;

use crate::app::documents::{self, ListedDocument, RenderedPdf, document_file};
use crate::app::products::help_line::help_line;
use crate::app::quotes::revision_of;
use crate::app::{App, AppError, Caller, access};
use crate::clock::Clock;
use crate::domain::policy::cover_period::{CoverNow, CoverPeriod, cover_periods, current_cover};
use crate::domain::policy::{Policy, term};
use crate::domain::product::Product;
use crate::domain::quote::{Quote, QuoteStatus, summary};
use crate::domain::time::dates::{add_days, london_date};
use crate::json_schema::ResponseSchema;
use crate::secret::{Secret, same_bytes};
use crate::store::tables::{self, RescueCardKey, StoredRescueCards};
use crate::store::{Read, Store, StoreError, WriteTx};

/// Maximum number of cards of a policy. A further card replaces the oldest card.
const MAX_CARDS: usize = 10;

/// Days after a policy's last day in which a key still reads the card. The card then shows that cover
/// has ended.
const KNOWN_FOR: i64 = 31;

/// Maximum number of renewals to follow from the policy of a key.
const MOST_RENEWALS: usize = 50;

/// A rescue card.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
#[serde(rename = "Card")]
pub struct RescueCard {
    brand: String,
    /// The number to call in any case.
    assistance_phone: String,
    /// The number for text messages from the roadside. Null if the shop has none.
    assistance_text: Option<String>,
    /// The current policy, and the policy that renews it if the renewal is bought.
    policies: Vec<CardPolicy>,
    /// When the card was read from the shop.
    as_of: DateTime<Utc>,
}

/// A policy on a rescue card.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
struct CardPolicy {
    reference: String,
    title: String,
    /// The chosen cover, as short lines in the product's own words.
    lines: Vec<String>,
    registrations: Vec<String>,
    status: CoverStatus,
    /// The periods of cover, the earliest first. Empty if the policy is cancelled or has ended.
    cover_periods: Vec<CoverPeriod>,
    /// The number to call.
    phone: String,
    documents: Vec<ListedDocument>,
}

/// The status of a policy on a card. `live`: there is cover now or later. `cancelled`: the policy was
/// cancelled, or undone before its first day. `ended`: the last day is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ResponseSchema)]
#[serde(rename = "CoverStatus", rename_all = "snake_case")]
enum CoverStatus {
    /// There is cover now or later.
    Live,
    /// The policy was cancelled, or undone before its first day.
    Cancelled,
    /// The last day is over.
    Ended,
}

/// Creates a card of a policy for a device. Returns the key that reads the card again, and the
/// card.
///
/// # Errors
/// As [`access::documents_of`]. [`AppError::NotFound`] if there is no policy, or if cover ended over
/// 31 days ago. A refusal if the policy no longer covers anything. A refusal if the product has no
/// roadside number.
pub async fn store_rescue_card(
    app: &App,
    caller: &Caller,
    policy: Uuid,
) -> Result<(Secret, RescueCard), AppError> {
    let now = app.clock.now();
    let card = app
        .store
        .read(|tx| {
            access::documents_of(tx, caller, policy, now)?;
            let card = current_card(app, tx, policy, now)?.ok_or(AppError::NotFound)?;
            match card.policies.first() {
                Some(cover) if cover.status == CoverStatus::Live => Ok(card),
                _ => Err(AppError::rule(
                    "no_cover",
                    "This policy covers nothing any more, so there is no card of it.",
                )),
            }
        })
        .await?;
    let (key, hash) = access::new_quote_token(policy)?;
    app.store
        .write(move |tx: &mut WriteTx<'_>| {
            let hash = hash.clone();
            let key = RescueCardKey { hash, made: now };
            Ok::<_, AppError>(add_key(tx, policy, key)?)
        })
        .await?;
    Ok((key, card))
}

/// Returns the card for a key.
///
/// # Errors
/// [`AppError::Unauthenticated`] for a key that is unknown or deleted. The same error if the last day
/// of the policy and its renewals was over 31 days ago. A refusal if the product has no roadside
/// number.
pub async fn rescue_card(app: &App, key: &str) -> Result<RescueCard, AppError> {
    let now = app.clock.now();
    app.store.read(|tx| card_by_key(app, tx, key, now)).await
}

/// Returns a document of the card for a key.
///
/// # Errors
/// As [`rescue_card`]. [`AppError::NotFound`] for a document that is not on the card.
/// [`AppError::NotReady`] while the document is being rendered.
pub async fn rescue_card_document(
    app: &App,
    key: &str,
    identifier: &str,
) -> Result<RenderedPdf, AppError> {
    let now = app.clock.now();
    let own = app
        .store
        .read(|tx| {
            let card = card_by_key(app, tx, key, now)?;
            let mut documents = card.policies.iter().flat_map(|cover| &cover.documents);
            if !documents.any(|document| document.identifier == identifier) {
                return Err(AppError::NotFound);
            }
            let Ok(id) = Uuid::parse_str(identifier) else {
                return Ok(None);
            };
            let row = tables::DOCUMENTS.get(tx, &id)?.ok_or(AppError::NotFound)?;
            let quote = tables::QUOTES.get(tx, &row.policy)?;
            let quote = quote.ok_or(AppError::NotFound)?;
            document_file(tx, row, &quote).map(Some)
        })
        .await?;
    match own {
        Some(own) => documents::read_pdf(&app.contents, own).await,
        // A document whose identifier is no UUID belongs to a product. Anybody may read the document.
        None => documents::document(app, &Caller::Anonymous, identifier).await,
    }
}

/// Deletes the key of a card that the customer removes from a device. Ignores an unknown key.
///
/// # Errors
/// If the store fails.
pub async fn remove_rescue_card(store: &Store, key: &str) -> Result<(), AppError> {
    let Some((policy, hash)) = access::resume_link(key) else {
        return Ok(());
    };
    store
        .write(move |tx: &mut WriteTx<'_>| {
            let is_its = |key: &RescueCardKey| key.hash == hash;
            remove_keys(tx, policy, is_its)?;
            Ok::<_, AppError>(())
        })
        .await
}

/// Deletes the keys of all cards of a policy, on all devices. Returns their number.
///
/// # Errors
/// As [`access::quote_of`].
pub async fn revoke_rescue_cards(
    store: &Store,
    clock: &Clock,
    caller: &Caller,
    policy: Uuid,
) -> Result<usize, AppError> {
    let now = clock.now();
    store
        .read(|tx| access::quote_of(tx, caller, policy, now))
        .await?;
    store
        .write(move |tx: &mut WriteTx<'_>| Ok::<_, AppError>(remove_keys(tx, policy, |_| true)?))
        .await
}

fn card_by_key(
    app: &App,
    tx: &impl Read,
    key: &str,
    now: DateTime<Utc>,
) -> Result<RescueCard, AppError> {
    let (policy, hash) = access::resume_link(key).ok_or(AppError::Unauthenticated)?;
    let cards = tables::RESCUE_CARDS.get(tx, &policy)?.unwrap_or_default();
    let is_its = |key: &RescueCardKey| same_bytes(key.hash.as_bytes(), hash.as_bytes());
    if !cards.keys.iter().any(is_its) {
        return Err(AppError::Unauthenticated);
    }
    current_card(app, tx, policy, now)?.ok_or(AppError::Unauthenticated)
}

/// Returns the card of a policy. If the policy covers nothing any more, returns the card of its
/// bought renewal. Returns `None` if there is no policy, or over 31 days after the last day.
fn current_card(
    app: &App,
    tx: &impl Read,
    policy: Uuid,
    now: DateTime<Utc>,
) -> Result<Option<RescueCard>, AppError> {
    let Some(mut covered) = contract(tx, policy)? else {
        return Ok(None);
    };
    let mut next = renewal_of(tx, &covered.1)?;
    for _ in 0..MOST_RENEWALS {
        match next {
            Some(renewal) if card_status(&covered, now) != CoverStatus::Live => {
                next = renewal_of(tx, &renewal.1)?;
                covered = renewal;
            }
            _ => break,
        }
    }
    if add_days(covered.1.expiry, KNOWN_FOR) < london_date(now) {
        return Ok(None);
    }
    let mut policies = vec![card_cover(app, tx, &covered, now)?];
    if let Some(next) = next.filter(|next| card_status(next, now) == CoverStatus::Live) {
        policies.push(card_cover(app, tx, &next, now)?);
    }
    let site = &app.config.site;
    Ok(Some(RescueCard {
        brand: site.brand.clone(),
        assistance_phone: site.assistance_phone.clone(),
        assistance_text: site.assistance_text.clone(),
        policies,
        as_of: now,
    }))
}

fn card_cover(
    app: &App,
    tx: &impl Read,
    contract: &(Quote, Policy),
    now: DateTime<Utc>,
) -> Result<CardPolicy, AppError> {
    let (quote, policy) = contract;
    let revision = revision_of(tx, quote, policy.revision)?;
    let product = app.products.by_hash(tx, &revision.product_hash)?;
    if !has_card(&product) {
        let text = "There is no rescue card for this cover.";
        return Err(AppError::rule("no_card", text));
    }
    let status = card_status(contract, now);
    let trips = term::trip_days(&product, &revision.answers);
    Ok(CardPolicy {
        reference: quote.reference.clone(),
        title: product.info().product_title.clone(),
        lines: summary::for_letter(&product, &revision.answers),
        registrations: policy.registrations.clone(),
        status,
        cover_periods: if status == CoverStatus::Live {
            cover_periods(policy, &trips)
        } else {
            Vec::new()
        },
        phone: help_line(&product, &app.config.site).phone,
        documents: documents::documents_of_card(&app.clock, &app.printing, tx, policy, &product)?,
    })
}

/// Returns whether the product has a roadside number: the shop's assistance line or its own number.
fn has_card(product: &Product) -> bool {
    let help = product.info().help.as_ref();
    help.is_some_and(|help| help.assistance || help.phone.is_some())
}

fn contract(tx: &impl Read, uuid: Uuid) -> Result<Option<(Quote, Policy)>, AppError> {
    let Some(quote) = tables::QUOTES.get(tx, &uuid)? else {
        return Ok(None);
    };
    let policy = tables::policy_of(tx, &quote)?;
    Ok(policy.map(|policy| (quote, policy)))
}

/// Returns the policy that renews `policy`, or `None` if no renewal is bought.
fn renewal_of(tx: &impl Read, policy: &Policy) -> Result<Option<(Quote, Policy)>, AppError> {
    match policy.renewal.quoted() {
        Some(quoted) => contract(tx, quoted.quote),
        None => Ok(None),
    }
}

fn card_status((quote, policy): &(Quote, Policy), now: DateTime<Utc>) -> CoverStatus {
    match quote.status {
        QuoteStatus::Cancelled | QuoteStatus::NotTakenUp => CoverStatus::Cancelled,
        // The term is enough without the trips: it begins with the first trip and ends with the last.
        QuoteStatus::Live if current_cover(&cover_periods(policy, &[]), now) != CoverNow::Over => {
            CoverStatus::Live
        }
        QuoteStatus::Live if policy.scheduled_end.is_some() => CoverStatus::Cancelled,
        _ => CoverStatus::Ended,
    }
}

/// Adds a card's key to the keys of its policy. Above [`MAX_CARDS`], removes the oldest keys.
fn add_key(tx: &mut WriteTx<'_>, policy: Uuid, key: RescueCardKey) -> Result<(), StoreError> {
    let mut cards = tables::RESCUE_CARDS.get(tx, &policy)?.unwrap_or_default();
    cards.keys.push(key);
    let too_many = cards.keys.len().saturating_sub(MAX_CARDS);
    cards.keys.drain(..too_many);
    tables::RESCUE_CARDS.put(tx, &policy, &cards)
}

/// Removes the keys for which `ends` is true. Returns their number.
fn remove_keys(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    ends: impl Fn(&RescueCardKey) -> bool,
) -> Result<usize, StoreError> {
    let Some(mut cards) = tables::RESCUE_CARDS.get(tx, &policy)? else {
        return Ok(0);
    };
    let before = cards.keys.len();
    cards.keys.retain(|key| !ends(key));
    let ended = before - cards.keys.len();
    if cards.keys.is_empty() {
        tables::RESCUE_CARDS.delete(tx, &policy)?;
    } else if ended > 0 {
        tables::RESCUE_CARDS.put(tx, &policy, &StoredRescueCards { keys: cards.keys })?;
    }
    Ok(ended)
}
