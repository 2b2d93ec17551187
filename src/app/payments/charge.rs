//! Charges a stored card for an accepted quote or an instalment, without the cardholder.

use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::time::Instant;
use uuid::Uuid;

use crate::app::payments::checkout::attempts::{attempts, insert_attempt};
use crate::app::payments::checkout::target::{PaymentTarget, accepted_terms};
use crate::app::payments::checkout::{payment_description, return_urls};
use crate::app::payments::status::sync::{LAST_ARRIVAL, abandoned_report};
use crate::app::payments::{gateway_of, is_chargeable, status};
use crate::app::policies::plans;
use crate::app::{App, AppError};
use crate::domain::payment::instrument::charge_id;
use crate::domain::payment::{Instrument, Payment, PaymentStatus, Purpose};
use crate::domain::policy::Policy;
use crate::domain::quote::Quote;
use crate::domain::time::dates::london_date;
use crate::integrations::payments::{ChargeRequest, GatewayError, GatewayStatus};
use crate::store::WriteTx;
use crate::store::tables::{INSTRUMENTS, PAYMENTS, POLICIES, QUOTES};

/// How long the job waits in total for gateways to report and to close earlier attempts.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// The number of a policy's renewal charge. A policy is renewed once, and the next policy is another.
const RENEWAL: u32 = 1;

/// Pays for an accepted quote with the card `instrument`. `tries` counts the tries from 1. A repeated
/// call continues the existing attempt, whose id follows from the arguments. So the card is charged
/// once for each try, also by two processes at once.
///
/// # Errors
/// [`AppError::NotFound`] if the quote does not exist. A conflict if the quote is not accepted, was
/// bought with another payment, or can't be bought any more. A conflict if the card can't be charged.
///
/// An error if the gateway's response is unclear. The caller then repeats the call.
pub async fn charge(
    app: &App,
    quote: Uuid,
    instrument: Uuid,
    tries: u32,
) -> Result<PaymentStatus, AppError> {
    let (target, policy, earlier) = app
        .store
        .read(|tx| {
            let found = QUOTES.get(tx, &quote)?.ok_or(AppError::NotFound)?;
            let target = PaymentTarget::load(tx, quote)?;
            let policy = found.renews.unwrap_or(quote);
            Ok::<_, AppError>((target, policy, attempts(tx, quote)?))
        })
        .await?;
    let id = charge_id(policy, target.purpose, RENEWAL, tries);
    let ended = earlier.iter().find(|attempt| attempt.id == id);
    if let Some(ended) = ended.filter(|attempt| !attempt.status.is_open()) {
        return Ok(ended.status);
    }
    // The customer may have paid on a page, or may pay there meanwhile.
    let deadline = Instant::now() + MAX_WAIT;
    let pages = earlier.iter().filter(|attempt| attempt.id != id);
    let pages: Vec<_> = pages.cloned().collect();
    status::sync_earlier_attempts(app, &pages, deadline).await?;
    status::close_open_pages(app, pages.iter(), deadline).await?;
    let now = app.clock.now();
    let chargeable = app
        .store
        .read(|tx| is_chargeable(&app.gateways, tx, instrument))
        .await?;
    let insert = move |tx: &mut WriteTx<'_>| {
        if let Some(existing) = PAYMENTS.get(tx, &id)? {
            return Ok(existing);
        }
        let found = QUOTES.get(tx, &quote)?.ok_or(AppError::NotFound)?;
        let due = accepted_terms(&found, now)?;
        let card = INSTRUMENTS.get(tx, &instrument)?;
        let card = card.filter(|card| chargeable && card.removed.is_none());
        let card = card.ok_or_else(no_card_error)?;
        let terms = (due.revision, due.amount);
        let attempt = Payment {
            frequency: due.frequency,
            ..Payment::by_card(id, quote, terms, card, target.purpose, now)
        };
        insert_attempt(tx, &attempt)?;
        Ok::<_, AppError>(attempt)
    };
    let attempt = app.store.write(insert).await?;
    if !attempt.status.is_open() {
        return Ok(attempt.status);
    }
    charge_attempt(app, &attempt, instrument).await
}

/// Charges the card of a stored attempt to pay an instalment, once. A repeated call asks for the outcome.
///
/// # Errors
/// [`AppError::NotFound`] if there is no such attempt. An error if the gateway's response is unclear.
pub async fn collect(app: &App, id: Uuid) -> Result<PaymentStatus, AppError> {
    let attempt = app.store.read(|tx| PAYMENTS.get(tx, &id)).await?;
    let attempt = attempt.ok_or(AppError::NotFound)?;
    if !attempt.status.is_open() {
        return Ok(attempt.status);
    }
    let is_old = app.clock.now() - attempt.created >= LAST_ARRIVAL;
    match attempt.instrument() {
        Some(card) if !is_old => charge_attempt(app, &attempt, card).await,
        _ => status::sync_payment_status(app, id).await,
    }
}

/// Returns the conflict for a card that the shop can't charge.
pub(in crate::app) fn no_card_error() -> AppError {
    AppError::conflict("no_stored_card", "There is no card to charge.")
}

/// Charges the card of a stored attempt, and records the outcome. If the charge is not due any more,
/// only asks for the outcome of an earlier call.
async fn charge_attempt(
    app: &App,
    attempt: &Payment,
    instrument: Uuid,
) -> Result<PaymentStatus, AppError> {
    let now = app.clock.now();
    let (is_due, is_resubmission, card, description, last_day) = app
        .store
        .read(|tx| {
            let quote = QUOTES.get(tx, &attempt.quote)?;
            let earlier = quote.as_ref().and_then(|quote| quote.renews);
            let earlier = earlier.filter(|_| attempt.purpose == Purpose::Renewal);
            let earlier = earlier.map(|policy| POLICIES.get(tx, &policy));
            let earlier = earlier.transpose()?.flatten();
            let is_stopped = |policy: &Policy| policy.charging_stopped.is_some();
            let is_due = match attempt.purpose {
                Purpose::Instalments(_) => plans::is_charge_open(tx, attempt)?,
                _ => quote.is_some_and(|quote| is_due(&quote, attempt, now)),
            } && !earlier.as_ref().is_some_and(is_stopped);
            let last_day = earlier.map(|policy| policy.expiry);
            let others = attempts(tx, attempt.quote)?;
            let is_resubmission = others.iter().any(|other| {
                let is_same =
                    (other.purpose, other.instrument()) == (attempt.purpose, attempt.instrument());
                is_same && other.id != attempt.id && other.decline.is_some()
            });
            Ok::<_, AppError>((
                is_due,
                is_resubmission,
                INSTRUMENTS.get(tx, &instrument)?,
                payment_description(&app.products, tx, attempt)?,
                last_day,
            ))
        })
        .await?;
    let Some(gateway) = gateway_of(&app.gateways, attempt) else {
        return Ok(attempt.status);
    };
    let can = gateway.capabilities();
    // A charge that was interrupted is not made after the policy's last day. A gateway without
    // status queries is an exception: only a repeated charge returns the outcome of the first charge.
    let is_late = last_day.is_some_and(|day| day < london_date(now)) && can.can_query_status;
    let is_old = now - attempt.created >= LAST_ARRIVAL;
    let is_possible = is_due && !is_late && !is_old && can.stores_cards;
    let card: Option<Instrument> = card.filter(|card| is_possible && card.removed.is_none());
    let may_call =
        card.is_some() && (can.repeats_charges || claim_call(app, attempt.id, instrument).await?);
    let report = match card.filter(|_| may_call) {
        Some(card) => {
            let charge = ChargeRequest {
                attempt,
                instrument: &card,
                description: &description,
                is_resubmission,
                return_url: &return_urls::return_url(&app.public_url, attempt),
            };
            let charged = gateway.charge(charge).await;
            let did_nothing = charged.as_ref().is_err_and(GatewayError::is_certain);
            if did_nothing && !can.repeats_charges {
                release_call(app, attempt.id).await?;
            }
            charged?
        }
        _ if can.can_query_status => gateway.status(attempt).await?,
        _ => return Ok(attempt.status),
    };
    let report = if report.status == GatewayStatus::NotFound && is_old {
        abandoned_report("The stored card was not charged.")
    } else {
        report
    };
    status::record_outcome(app, attempt.id, report).await
}

/// Records that the shop calls the gateway for a charge. Returns false if an earlier call may have arrived
/// there, the charge has ended, or the card was removed.
async fn claim_call(app: &App, id: Uuid, instrument: Uuid) -> Result<bool, AppError> {
    let now = app.clock.now();
    let claim = move |tx: &mut WriteTx<'_>| {
        let mut attempt = PAYMENTS.get(tx, &id)?.ok_or(AppError::NotFound)?;
        let card = INSTRUMENTS.get(tx, &instrument)?;
        let is_removed = card.is_none_or(|card| card.removed.is_some());
        if is_removed || attempt.requested.is_some() || !attempt.status.is_open() {
            return Ok(false);
        }
        attempt.requested = Some(now);
        PAYMENTS.put(tx, &id, &attempt)?;
        Ok::<_, AppError>(true)
    };
    app.store.write(claim).await
}

/// Records that the gateway certainly did nothing, so that the job calls again.
async fn release_call(app: &App, id: Uuid) -> Result<(), AppError> {
    let release = move |tx: &mut WriteTx<'_>| {
        let mut attempt = PAYMENTS.get(tx, &id)?.ok_or(AppError::NotFound)?;
        attempt.requested = None;
        Ok::<_, AppError>(PAYMENTS.put(tx, &id, &attempt)?)
    };
    app.store.write(release).await
}

/// Returns whether the quote still waits for the attempt's amount. The quote may have been saved again,
/// accepted for another price or bought after the attempt began.
fn is_due(quote: &Quote, attempt: &Payment, now: DateTime<Utc>) -> bool {
    let due = accepted_terms(quote, now).ok();
    due.is_some_and(|due| (due.revision, due.amount) == (attempt.revision, attempt.amount))
}
