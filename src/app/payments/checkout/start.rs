//! Starts an attempt to pay, or resumes the open attempt.

use std::collections::BTreeMap;
use std::future::ready;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use tokio::time::{Instant, timeout_at};
use uuid::Uuid;

use crate::app::idempotency::{self, IdempotencyKey, Once};
use crate::app::payments::checkout::attempts::insert_attempt;
use crate::app::payments::checkout::rate_limits::count_page;
use crate::app::payments::checkout::register::register;
use crate::app::payments::checkout::target::{DueTerms, PaymentRequest, PaymentTarget};
use crate::app::payments::status;
use crate::app::policies::{self, refuse};
use crate::app::{App, AppError, Caller, ClientAddress, new_id, quotes};
use crate::domain::money::Pence;
use crate::domain::payment::{
    Consent, Mode, PageKind, PageMethod, Payer, Payment, PaymentStatus, Purpose,
};
use crate::domain::quote::policyholder;
use crate::domain::time::dates::london_date;
use crate::json_schema::ResponseSchema;
use crate::store::{Read, WriteTx, tables};

/// How long the customer waits for gateways at most. The time covers the status queries and the
/// cancellation of earlier attempts, and the new session.
const MAX_WAIT: Duration = Duration::from_secs(8);
/// The part of [`MAX_WAIT`] for earlier attempts. The rest is for the new session.
const EARLIER_WAIT: Duration = Duration::from_secs(3);
/// How long a call with the same `Idempotency-Key` gets the same attempt, at a gateway whose page opens
/// once. The form of such a gateway works for 15 minutes.
const REPEAT: TimeDelta = TimeDelta::minutes(14);

#[derive(Clone)]
struct GatewayTerms {
    provider: &'static str,
    mode: Mode,
    /// How long after the creation of an attempt the shop shows the attempt's page again.
    page_reuse: TimeDelta,
    /// The gateway's minimum amount, pence.
    least: Pence,
    /// The gateway's maximum amount, pence.
    max_amount: Pence,
    /// Whether the gateway refuses a payer without a town.
    needs_town: bool,
    stores_cards: bool,
    /// The shop's phone number, for what can't be paid online.
    phone: String,
}

/// An attempt that the customer can pay now.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
pub struct StartedPayment {
    payment_id: Uuid,
    kind: PageKind,
    /// The address of the gateway's page.
    url: String,
    method: PageMethod,
    /// The form fields to post, if `method` is `POST`.
    fields: BTreeMap<String, String>,
    /// Whether an earlier call created the attempt.
    resumed: bool,
    /// True while the outcome of an earlier attempt is not known. The customer may have paid already.
    earlier_processing: bool,
}

/// Starts a payment for an accepted quote, a change of a policy or its plan, or resumes the open attempt.
///
/// # Errors
/// [`AppError::NotFound`] if the shop does not offer the gateway. An error if the caller may not
/// read the quote or the policy.
///
/// A conflict if the quote is not accepted, was bought, or can't be bought any more. A conflict if
/// the change is not pending, or the policy may not be changed. A conflict if nothing of the plan is due, or
/// a charge of its card has no outcome. A conflict if the amount is below
/// the gateway's minimum, or the gateway refuses the attempt.
///
/// [`AppError::TooMany`] if a limit of pages or failed payments is reached.
/// [`AppError::Unavailable`] if the gateway's response is late or unclear.
pub async fn initiate_payment(
    app: &App,
    (caller, from): (&Caller, &ClientAddress),
    provider: &str,
    request: PaymentRequest,
    key: Option<IdempotencyKey>,
) -> Result<StartedPayment, AppError> {
    let started = Instant::now();
    let (deadline, earlier_deadline) = (started + MAX_WAIT, started + EARLIER_WAIT);
    let gateway = app.gateways.offered_as(provider);
    let gateway = gateway.ok_or(AppError::NotFound)?;
    let policy = app
        .store
        .read(|tx| PaymentTarget::find(&app.products, tx, request, app.clock.today()))
        .await?
        .quote;
    policies::apply_due_actions(app, policy).await?;
    let now = app.clock.now();
    let terms = GatewayTerms {
        provider: gateway.name(),
        mode: gateway.mode(),
        page_reuse: gateway.capabilities().page_reuse,
        least: gateway.capabilities().min_amount,
        max_amount: gateway.capabilities().max_amount,
        needs_town: gateway.capabilities().needs_town,
        stores_cards: gateway.capabilities().stores_cards,
        phone: app.config.site.phone.clone(),
    };
    let (payable, earlier, gateway_name) = app
        .store
        .read(|tx| {
            let payable = PaymentTarget::find(&app.products, tx, request, london_date(now))?;
            payable.may_read(tx, caller, now)?;
            if payable.purpose.change().is_some() {
                let policy = policies::policy_unchecked(app, tx, payable.quote)?;
                refuse(policy.permitted_actions(app.clock.today()).change)?;
            }
            let earlier = payable.attempts(tx)?;
            // Ignores the error if nothing is due: an earlier attempt may have been paid. The write
            // below returns the error.
            let due = payable.due(tx, caller, now).ok();
            let resumable =
                due.and_then(|due| open_attempt(&earlier, payable.purpose, &due, &terms, now));
            let resumable = resumable.filter(|resumable| resumable.page.is_some());
            let resumable = resumable.map(|resumable| resumable.id);
            Ok::<_, AppError>((payable, earlier, resumable))
        })
        .await?;
    // If the open attempt has a page, the customer gets the page without status queries. The waiting
    // page and a job query the outcome later.
    if gateway_name.is_none() {
        status::sync_earlier_attempts(app, &earlier, earlier_deadline).await?;
    }

    let new = new_id(now);
    let begin = {
        let (caller, set, client) = (caller.clone(), app.config.limits, from.network());
        move |tx: &mut WriteTx<'_>, terms: &GatewayTerms| {
            let (id, attempt) = open_or_new(tx, &payable, &caller, terms, (new, now))?;
            if let Some(attempt) = attempt {
                count_page(tx, &set, &attempt, client.clone())?;
                insert_attempt(tx, &attempt)?;
            }
            Ok(id)
        }
    };
    let first = {
        let (begin, terms) = (begin.clone(), terms.clone());
        move |tx: &mut WriteTx<'_>| begin(tx, &terms)
    };
    let id = match idempotency::once(&app.store, key, now, ready(Ok(first))).await? {
        Once::First(id) => id,
        // A repeated call resumes the open attempt. If no attempt can be resumed, starts another.
        Once::Repeated(_) => {
            let page_reuse = terms.page_reuse.max(REPEAT);
            let terms = GatewayTerms {
                page_reuse,
                ..terms
            };
            app.store.write(move |tx| begin(tx, &terms)).await?
        }
    };
    let (attempt, earlier_processing) = app
        .store
        .read(|tx| {
            let mut all = payable.attempts(tx)?;
            let place = all.iter().position(|attempt| attempt.id == id);
            let attempt = all.swap_remove(place.ok_or(AppError::NotFound)?);
            let is_processing = |one: &Payment| {
                one.status == PaymentStatus::Processing || one.unresolved_reason().is_some()
            };
            Ok::<_, AppError>((attempt, all.iter().any(is_processing)))
        })
        .await?;

    if gateway_name != Some(id)
        && let Some(sold) =
            status::cancel_other_attempts(app, &attempt, &earlier, earlier_deadline).await?
    {
        return Err(quotes::not_buyable(&sold, now));
    }
    let page = match attempt.page.clone() {
        Some(page) => page,
        None => {
            let session = register(app, gateway, &attempt, id == new);
            let session = timeout_at(deadline, session).await;
            session.unwrap_or(Err(AppError::Unavailable))?
        }
    };
    Ok(StartedPayment {
        payment_id: attempt.id,
        kind: page.kind,
        url: page.url,
        method: page.method,
        fields: page.fields.into_iter().collect(),
        resumed: id != new,
        earlier_processing,
    })
}

/// Returns the id of the attempt that [`open_attempt`] finds. If there is none, returns the id of a new
/// attempt, and the new attempt.
///
/// # Errors
/// A conflict if nothing is due, or the amount is outside the gateway's limits. A conflict if the gateway
/// needs a town and the payer's address has a single line, or keeps no card for monthly payments.
fn open_or_new(
    tx: &impl Read,
    payable: &PaymentTarget,
    caller: &Caller,
    terms: &GatewayTerms,
    (new, now): (Uuid, DateTime<Utc>),
) -> Result<(Uuid, Option<Payment>), AppError> {
    let due = payable.due(tx, caller, now)?;
    if due.amount < terms.least {
        let phone = &terms.phone;
        return Err(AppError::conflict(
            "below_minimum",
            format!("This is less than a card can pay online. Please call us on {phone}."),
        ));
    }
    if due.amount > terms.max_amount {
        let phone = &terms.phone;
        return Err(AppError::conflict(
            "above_maximum",
            format!("This is more than a card can pay online. Please call us on {phone}."),
        ));
    }
    if payable.needs_card_storage(&due) && !terms.stores_cards {
        return Err(AppError::conflict(
            "gateway_keeps_no_card",
            "We can't keep a card this way. Please choose another way to pay.",
        ));
    }
    let quote = tables::QUOTES.get(tx, &payable.quote)?;
    let quote = quote.ok_or(AppError::NotFound)?;
    let payer = Payer::new(policyholder::profile(&quote.current.answers), None);
    if terms.needs_town && payer.town.is_none() {
        let phone = &terms.phone;
        return Err(AppError::conflict(
            "town_missing",
            format!(
                "This payment needs your town or city. Please add it to your address, or call us on {phone}."
            ),
        ));
    }
    let attempts = payable.attempts(tx)?;
    if let Some(open) = open_attempt(&attempts, payable.purpose, &due, terms, now) {
        return Ok((open.id, None));
    }
    let attempt = Payment {
        consent: due.consent,
        frequency: due.frequency,
        ..Payment::on_page(
            new,
            payable.quote,
            (due.revision, due.amount),
            (terms.provider, terms.mode),
            payable.purpose,
            now,
        )
    };
    Ok((new, Some(attempt)))
}

/// Returns the newest open attempt that charges no stored card, if the attempt matches `terms` and
/// `due`. The provider, the mode, the revision, the amount and the text of the consent must be the
/// same. The attempt must be younger than the gateway's `page_reuse`. After a declined card the page may
/// take no other card, so the attempt is superseded.
fn open_attempt<'a>(
    attempts: &'a [Payment],
    purpose: Purpose,
    due: &DueTerms,
    terms: &GatewayTerms,
    now: DateTime<Utc>,
) -> Option<&'a Payment> {
    let is_open = |attempt: &&Payment| attempt.status.is_open() && attempt.instrument().is_none();
    let text = |consent: Option<&Consent>| consent.map(|own| own.text.clone());
    // The newest open attempt supersedes each older attempt, whose page is closed.
    let newest = attempts.iter().rev().find(is_open);
    newest.filter(|attempt| {
        (attempt.provider.as_str(), attempt.mode) == (terms.provider, terms.mode)
            && now - attempt.created < terms.page_reuse
            && (attempt.revision, attempt.amount) == (due.revision, due.amount)
            && (attempt.purpose, attempt.frequency) == (purpose, due.frequency)
            && text(attempt.consent.as_ref()) == text(due.consent.as_ref())
            && (attempt.failure.is_none() || attempt.status == PaymentStatus::Processing)
    })
}
