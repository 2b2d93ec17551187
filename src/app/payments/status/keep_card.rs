//! Stores the card that a gateway keeps, with the payment that kept it, and its new data.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use crate::app::AppError;
use crate::app::jobs::queue::enqueue;
use crate::app::payments::remove_unused;
use crate::domain::payment::{CardOnFile, Consent, Instrument, Payment, PaymentStatus, Purpose};
use crate::domain::policy::plan::PlanEvent;
use crate::domain::time::dates::london_date;
use crate::store::tables::Task;
use crate::store::{Read, Store, StoreError, WriteTx, tables};

/// The time from the payment until the shop asks again for the card that the gateway keeps. Some
/// messages about a payment have no card.
const CARD_QUERY_AFTER: TimeDelta = TimeDelta::hours(1);

/// Returns whether the payer of a bought policy consented to keep the card, and the shop has no card of
/// the payment or has less data than `card`.
pub(super) fn lacks_card(
    tx: &impl Read,
    payment: &Payment,
    card: Option<&CardOnFile>,
) -> Result<bool, StoreError> {
    let is_paid = payment.status == PaymentStatus::Paid && payment.unapplied.is_none();
    if !is_paid || payment.consent.is_none() || payment.instrument().is_some() {
        return Ok(false);
    }
    let policy = tables::POLICIES.get(tx, &payment.quote)?;
    let pays_plan = matches!(payment.purpose, Purpose::Instalments(_));
    let Some(policy) = policy.filter(|own| pays_plan || own.payment == payment.id) else {
        return Ok(false);
    };
    // After the charges were stopped, only a later consent counts.
    let stopped = policy.charging_stopped.as_ref().map(|stop| stop.at);
    let agreed = payment.consent.as_ref().map(|consent| consent.at);
    if stopped.is_some() && agreed <= stopped {
        return Ok(false);
    }
    // A customer may have given another card meanwhile.
    let current = policy.instrument.map(|id| tables::INSTRUMENTS.get(tx, &id));
    let current = current.transpose()?.flatten();
    if current.is_some_and(|current| agreed < Some(current.consent.at)) {
        return Ok(false);
    }
    let Some(stored) = tables::INSTRUMENTS.get(tx, &Instrument::id_of(payment.id))? else {
        return Ok(pays_plan || policy.instrument.is_none());
    };
    // The card may have been taken off the policy since.
    if policy.instrument != Some(stored.id) {
        return Ok(false);
    }
    let has_more = |card: &CardOnFile| {
        let (old, new) = (&stored.card, card);
        let has_digits = old.last_four.is_none() && new.last_four.is_some();
        has_digits || (old.expiry.is_none() && new.expiry.is_some())
    };
    Ok(card.is_some_and(has_more))
}

/// Stores the stored card of a payment, and names the card in the policy. Does nothing unless
/// [`lacks_card`] is true. Removes the card of a payment that goes back.
pub(super) fn keep_card(
    tx: &mut WriteTx<'_>,
    payment: &Payment,
    card: Option<&CardOnFile>,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    if payment.unapplied.is_some() {
        return discard_card(tx, payment, card, now);
    }
    let policy = tables::POLICIES.get(tx, &payment.quote)?;
    let (true, Some(mut policy), Some(consent)) = (
        lacks_card(tx, payment, card)?,
        policy,
        payment.consent.as_ref(),
    ) else {
        return Ok(());
    };
    let Some(card) = card else {
        let task = Task::AskGateway {
            payment: payment.id,
        };
        let due = payment.paid_at.unwrap_or(now) + CARD_QUERY_AFTER;
        if due > now {
            enqueue(tx, task, due, payment.id)?;
        }
        return Ok(());
    };
    let instrument = new_instrument(payment, card, consent);
    tables::INSTRUMENTS.put(tx, &instrument.id, &instrument)?;
    let before = policy.instrument.replace(instrument.id);
    if let Some(before) = before.filter(|before| *before != instrument.id) {
        remove_unused(tx, &policy, before, now)?;
    }
    if let Some(mut plan) = tables::PLANS.get(tx, &policy.uuid)? {
        let on = london_date(now);
        let _ = plan.apply(PlanEvent::CardReplaced { on });
        tables::PLANS.put(tx, &policy.uuid, &plan)?;
    }
    Ok(tables::POLICIES.put(tx, &policy.uuid, &policy)?)
}

/// Removes the card of a payment that goes back from its gateway, because nothing uses it.
fn discard_card(
    tx: &mut WriteTx<'_>,
    payment: &Payment,
    card: Option<&CardOnFile>,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let (Some(card), Some(consent)) = (card, payment.consent.as_ref()) else {
        return Ok(());
    };
    let instrument = new_instrument(payment, card, consent);
    let id = instrument.id;
    if payment.instrument().is_some() || tables::INSTRUMENTS.has(tx, &id)? {
        return Ok(());
    }
    let removed = Some(now);
    let instrument = Instrument {
        removed,
        ..instrument
    };
    tables::INSTRUMENTS.put(tx, &id, &instrument)?;
    enqueue(tx, Task::RemoveCard { instrument: id }, now, id)
}

fn new_instrument(payment: &Payment, card: &CardOnFile, consent: &Consent) -> Instrument {
    Instrument {
        id: Instrument::id_of(payment.id),
        payment: payment.id,
        gateway: payment.provider.clone(),
        mode: payment.mode,
        card: card.clone(),
        consent: consent.clone(),
        removed: None,
        is_unusable: false,
    }
}

/// Stores new data of the card that a payment kept, as the gateway reports it. The tokens stay. A card that must
/// not be charged again stays so, unless its number or expiry is another one.
pub(super) async fn update_card(
    store: &Store,
    payment: Uuid,
    new: CardOnFile,
) -> Result<(), AppError> {
    store
        .write(move |tx| {
            let Some(mut card) = tables::INSTRUMENTS.get(tx, &Instrument::id_of(payment))? else {
                return Ok(());
            };
            let old = card.card.clone();
            let own = &mut card.card;
            own.brand = new.brand.clone().or(own.brand.take());
            own.last_four = new.last_four.clone().or(own.last_four.take());
            own.expiry = new.expiry.or(own.expiry);
            if card.card != old && card.removed.is_none() {
                card.is_unusable = false;
                tables::INSTRUMENTS.put(tx, &card.id, &card)?;
            }
            Ok(())
        })
        .await
}
