//! Lists and removes the cards that gateways keep for a user's policies.

use std::ops::ControlFlow;

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use uuid::Uuid;

use crate::app::jobs::queue::enqueue;
use crate::app::payments::Gateways;
use crate::app::payments::providers::{is_chargeable, serviced_gateway};
use crate::app::{App, AppError, Caller};
use crate::domain::money::Pence;
use crate::domain::payment::{Instrument, Keys};
use crate::domain::policy::Policy;
use crate::domain::quote::{Quote, QuoteStatus};
use crate::integrations::payments::GatewayError;
use crate::json_schema::ResponseSchema;
use crate::store::tables::{self, Task};
use crate::store::{Direction, Read, StoreError, WriteTx};

/// A stored card of the logged-in user's policies.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
#[serde(rename = "StoredCard")]
pub struct CardView {
    pub id: Uuid,
    /// The gateway that keeps the card.
    pub gateway: String,
    /// The card's brand. Null, as the next two, unless the user was logged in when they agreed.
    pub brand: Option<String>,
    /// The last four digits of the card's number.
    pub last_four: Option<String>,
    /// The last month in which the card is valid: `2034-12`.
    pub expiry: Option<String>,
    /// The text to which the payer agreed.
    pub consent: String,
    /// When the payer agreed.
    pub agreed: DateTime<Utc>,
    /// The policies whose renewal or plan the card pays for.
    pub policies: Vec<StoredCardPolicy>,
}

/// A policy of a stored card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ResponseSchema)]
pub struct StoredCardPolicy {
    pub uuid: Uuid,
    /// The policy number.
    pub reference: String,
    /// Whether the policy renews automatically by the card.
    pub renews: bool,
    /// Whether payments of the policy's plan are left, which the card pays for.
    pub pays_plan: bool,
}

/// The effects of removing a stored card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ResponseSchema)]
pub struct RemovedCard {
    /// The policies that do not renew automatically any more, and those whose plan now has no card.
    pub stops: Vec<StoredCardPolicy>,
    /// Whether a charge of the card had begun. It is made once or not at all.
    pub is_charging: bool,
}

/// Returns the stored cards of the caller's policies, the newest first.
///
/// # Errors
/// [`AppError::Unauthenticated`] if the caller is not logged in.
pub async fn stored_cards(app: &App, caller: &Caller) -> Result<Vec<CardView>, AppError> {
    let user = caller.logged_in().ok_or(AppError::Unauthenticated)?;
    let gateways = &app.gateways;
    app.store.read(|tx| cards_of(gateways, tx, user)).await
}

fn cards_of(gateways: &Gateways, tx: &impl Read, user: Uuid) -> Result<Vec<CardView>, AppError> {
    let mut cards: Vec<CardView> = Vec::new();
    for (policy, mut listed) in policies_with_card(tx, user)? {
        let Some(id) = policy.instrument else {
            continue;
        };
        let pays = is_chargeable(gateways, tx, id)?;
        listed.renews &= pays;
        listed.pays_plan &= pays;
        if let Some(card) = cards.iter_mut().find(|card| card.id == id) {
            card.policies.push(listed);
            continue;
        }
        let stored = tables::INSTRUMENTS.get(tx, &id)?;
        if let Some(stored) = stored.filter(|stored| stored.removed.is_none()) {
            cards.push(view(&stored, user, listed));
        }
    }
    Ok(cards)
}

/// Returns what a user reads about a card. The payer may be another person than the policy's owner.
fn view(stored: &Instrument, user: Uuid, policy: StoredCardPolicy) -> CardView {
    let is_own = stored.consent.by == Some(user);
    let card = Some(&stored.card).filter(|_| is_own);
    let expiry = card.and_then(|card| card.expiry);
    CardView {
        id: stored.id,
        gateway: stored.gateway.clone(),
        brand: card.and_then(|card| card.brand.clone()),
        last_four: card.and_then(|card| card.last_four.clone()),
        expiry: expiry.map(|expiry| format!("{}-{:02}", expiry.year, expiry.month)),
        consent: stored.consent.text.clone(),
        agreed: stored.consent.at,
        policies: vec![policy],
    }
}

/// Returns a user's policies that have a stored card, the newest first.
fn policies_with_card(
    tx: &impl Read,
    user: Uuid,
) -> Result<Vec<(Policy, StoredCardPolicy)>, StoreError> {
    let mut own = Vec::new();
    tables::QUOTE_BY_OWNER.scan_readable(tx, &user, Direction::Backward, |(_, uuid), _| {
        own.push(uuid);
        ControlFlow::Continue(())
    })?;
    let mut found = Vec::new();
    for uuid in own {
        let policy = tables::POLICIES.get_readable(tx, &uuid)?;
        let quote = tables::QUOTES.get_readable(tx, &uuid)?;
        let (Some(policy), Some(quote)) = (policy, quote) else {
            continue;
        };
        if policy.instrument.is_some() {
            let plan = tables::PLANS.get(tx, &uuid)?;
            let left = plan.map_or(Pence::ZERO, |plan| plan.due(NaiveDate::MAX));
            let listed = StoredCardPolicy {
                uuid,
                pays_plan: left > Pence::ZERO,
                reference: quote.reference,
                renews: policy.auto_renew && quote.status == QuoteStatus::Live,
            };
            found.push((policy, listed));
        }
    }
    Ok(found)
}

/// Removes a stored card from all of the caller's policies, for good. They do not renew automatically any more,
/// and the payments of their plans need another card.
/// A job removes the card at its gateway. A charge that has begun is made once or not at all.
///
/// # Errors
/// [`AppError::Unauthenticated`] if the caller is not logged in. [`AppError::NotFound`] unless the card is of
/// one of the caller's policies.
pub async fn remove_card(app: &App, caller: &Caller, id: Uuid) -> Result<RemovedCard, AppError> {
    let user = caller.logged_in().ok_or(AppError::Unauthenticated)?;
    let now = app.clock.now();
    let removed = app.store.write(move |tx| remove(tx, user, id, now)).await?;
    app.work_added.notify_one();
    Ok(removed)
}

fn remove(
    tx: &mut WriteTx<'_>,
    user: Uuid,
    id: Uuid,
    now: DateTime<Utc>,
) -> Result<RemovedCard, AppError> {
    let card = tables::INSTRUMENTS.get(tx, &id)?;
    let mut card = card
        .filter(|card| card.removed.is_none())
        .ok_or(AppError::NotFound)?;
    let mut own = policies_with_card(tx, user)?;
    own.retain(|(policy, _)| policy.instrument == Some(id));
    if own.is_empty() {
        return Err(AppError::NotFound);
    }
    let (mut stops, mut is_charging) = (Vec::new(), false);
    for (mut policy, listed) in own {
        let plan = tables::PLANS.get(tx, &policy.uuid)?;
        is_charging |= listed.renews && policy.renewal.is_charging();
        is_charging |= plan.is_some_and(|plan| plan.open_charge().is_some());
        policy.instrument = None;
        policy.auto_renew = false;
        tables::POLICIES.put(tx, &policy.uuid, &policy)?;
        if listed.renews || listed.pays_plan {
            stops.push(listed);
        }
    }
    card.removed = Some(now);
    tables::INSTRUMENTS.put(tx, &id, &card)?;
    enqueue(tx, Task::RemoveCard { instrument: id }, now, id)?;
    Ok(RemovedCard { stops, is_charging })
}

/// Removes the card that a policy had, unless it also pays for the earlier or the next policy. Returns that
/// policy's quote.
pub(in crate::app) fn remove_unused(
    tx: &mut WriteTx<'_>,
    policy: &Policy,
    card: Uuid,
    now: DateTime<Utc>,
) -> Result<Option<Quote>, AppError> {
    let quote = tables::QUOTES.get(tx, &policy.uuid)?;
    let earlier = quote.and_then(|quote| quote.renews);
    for id in earlier.into_iter().chain(policy.renewal.quote()) {
        let quote = tables::QUOTES.get(tx, &id)?;
        let quote = quote.filter(|quote| quote.status == QuoteStatus::Live);
        let other = tables::POLICIES.get(tx, &id)?;
        if quote.is_some() && other.is_some_and(|other| other.instrument == Some(card)) {
            return Ok(quote);
        }
    }
    if let Some(mut card) = tables::INSTRUMENTS.get(tx, &card)?
        && card.removed.is_none()
    {
        card.removed = Some(now);
        tables::INSTRUMENTS.put(tx, &card.id, &card)?;
        let task = Task::RemoveCard {
            instrument: card.id,
        };
        enqueue(tx, task, now, card.id)?;
    }
    Ok(None)
}

/// Removes a card at its gateway, and deletes its tokens. If the shop does not service the gateway, or the
/// gateway can't remove a card, only deletes the tokens.
///
/// # Errors
/// [`AppError::NotFound`] if there is no such card. An error if the gateway's call fails. The job then
/// repeats it.
pub(in crate::app) async fn remove_at_gateway(app: &App, id: Uuid) -> Result<(), AppError> {
    let card = app
        .store
        .read(|tx| tables::INSTRUMENTS.get(tx, &id)?.ok_or(AppError::NotFound))
        .await?;
    if card.card.tokens.0.is_empty() {
        return Ok(());
    }
    if let Some(gateway) = serviced_gateway(&app.gateways, &card.gateway) {
        match gateway.detach(&card).await {
            Ok(()) => {}
            Err(error @ (GatewayError::Unable(_) | GatewayError::OtherMode)) => {
                tracing::warn!(instrument = %id, %error, "a card is only forgotten by the shop");
            }
            Err(error) => return Err(error.into()),
        }
    }
    app.store
        .write(move |tx| {
            let mut card = tables::INSTRUMENTS
                .get(tx, &id)?
                .ok_or(AppError::NotFound)?;
            card.card.tokens = Keys::default();
            Ok::<_, AppError>(tables::INSTRUMENTS.put(tx, &id, &card)?)
        })
        .await
}
