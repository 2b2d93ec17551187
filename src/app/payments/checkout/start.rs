//! Starts an attempt to pay, or resumes the open attempt.

use std::collections::BTreeMap;
use std::future::ready;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use tokio::time::{Instant, timeout_at};
use uuid::Uuid;

use crate::app::idempotency::{self, IdempotencyKey, Once};
use crate::app::letters::delivery::recipient::address_of;
use crate::app::payments::checkout::attempts::insert_attempt;
use crate::app::payments::checkout::rate_limits::{
    count_page, ensure_page_quota, max_pages_per_hour,
};
use crate::app::payments::checkout::return_urls;
use crate::app::payments::checkout::target::{PaymentTarget, payment_description};
use crate::app::payments::status;
use crate::app::policies::{self, refuse};
use crate::app::quotes::revision_of;
use crate::app::{App, AppError, Caller, ClientAddress, new_id, quotes};
use crate::domain::money::Pence;
use crate::domain::payment::{
    self, Currency, Failure, FailureClass, Keys, Mode, PageKind, PageMethod, Payer, Payment,
    PaymentEvent, PaymentPage, PaymentStatus, References,
};
use crate::domain::quote::policyholder;
use crate::domain::transition::Transition;
use crate::integrations::payments::{
    CreateSession, Gateway, GatewayError, GatewayStatus, PaymentReport,
};
use crate::json_schema::ResponseSchema;
use crate::store::{WriteTx, tables};

/// How long the customer waits for gateways at most. The time covers the status queries and the
/// cancellation of earlier attempts, and the new session.
const MAX_WAIT: Duration = Duration::from_secs(8);
/// The part of [`MAX_WAIT`] for earlier attempts. The rest is for the new session.
const EARLIER_WAIT: Duration = Duration::from_secs(3);

#[derive(Clone)]
struct GatewayTerms {
    provider: &'static str,
    mode: Mode,
    /// How long after the creation of an attempt the shop shows the attempt's page again.
    page_reuse: TimeDelta,
    /// The gateway's minimum amount, pence.
    least: Pence,
    /// The shop's phone number, for amounts below the minimum.
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

/// Starts a payment for an accepted quote or a change of a policy, or resumes the open attempt.
///
/// # Errors
/// [`AppError::NotFound`] if the shop does not offer the gateway. An error if the caller may not
/// read the quote or the policy.
///
/// A conflict if the quote is not accepted, was bought, or can't be bought any more. A conflict if
/// the change is not pending, or the policy may not be changed. A conflict if the amount is below
/// the gateway's minimum, or the gateway refuses the attempt.
///
/// [`AppError::TooMany`] if a limit of pages or failed payments is reached.
/// [`AppError::Unavailable`] if the gateway's response is late or unclear.
pub async fn initiate_payment(
    app: &App,
    (caller, from): (&Caller, &ClientAddress),
    provider: &str,
    id: Uuid,
    key: Option<IdempotencyKey>,
) -> Result<StartedPayment, AppError> {
    let started = Instant::now();
    let (deadline, earlier_deadline) = (started + MAX_WAIT, started + EARLIER_WAIT);
    let gateway = app.gateways.offered_as(provider);
    let gateway = gateway.ok_or(AppError::NotFound)?;
    let policy = app
        .store
        .read(|tx| Ok::<_, AppError>(PaymentTarget::load(tx, id)?.quote))
        .await?;
    policies::apply_due_actions(app, policy).await?;
    let now = app.clock.now();
    let terms = GatewayTerms {
        provider: gateway.name(),
        mode: gateway.mode(),
        page_reuse: gateway.capabilities().page_reuse,
        least: gateway.capabilities().min_amount,
        phone: app.config.site.phone.clone(),
    };
    let (payable, earlier, gateway_name) = app
        .store
        .read(|tx| {
            let payable = PaymentTarget::load(tx, id)?;
            payable.may_read(tx, caller, now)?;
            if payable.adjustment.is_some() {
                let policy = policies::policy_unchecked(app, tx, payable.quote)?;
                refuse(policy.permitted_actions(app.clock.today()).change)?;
            }
            let earlier = payable.attempts(tx)?;
            // Ignores the error if nothing is due: an earlier attempt may have been paid. The write
            // below returns the error.
            let due = payable.due(tx, caller, now).ok();
            let resumable = due.and_then(|due| open_attempt(&earlier, due, &terms, now));
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
        let (caller, max_pages) = (caller.clone(), max_pages_per_hour(&app.config));
        move |tx: &mut WriteTx<'_>| {
            open_or_new(tx, &payable, &caller, &terms, max_pages, (new, now))
        }
    };
    let id = match idempotency::once(&app.store, key, now, ready(Ok(begin.clone()))).await? {
        Once::First(id) => id,
        // A repeated call resumes the open attempt. If no attempt can be resumed, starts another.
        Once::Repeated(_) => app.store.write(begin).await?,
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
            let session = register(app, gateway, &attempt, id == new, from);
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

/// Creates the gateway's session for a stored attempt, and stores the session's payment page. If
/// several calls in this process run at the same time, only the first call uses the gateway. The
/// other calls wait for the first call. They fail if the first call stores no page.
///
/// If the gateway refuses a new attempt, the attempt fails. The failure is certain: the gateway
/// received no earlier request for the attempt, so no page exists.
async fn register(
    app: &App,
    gateway: &dyn Gateway,
    attempt: &Payment,
    is_new: bool,
    from: &ClientAddress,
) -> Result<PaymentPage, AppError> {
    let turn = app.page_turns.lock_for(attempt.id);
    let first = turn.try_lock();
    let is_first = first.is_ok();
    let _turn = match first {
        Ok(turn) => turn,
        Err(_) => turn.lock().await,
    };
    let id = attempt.id;
    let stored = app.store.read(|tx| tables::PAYMENTS.get(tx, &id)).await?;
    match stored.and_then(|stored| stored.page) {
        Some(page) => return Ok(page),
        None if !is_first => return Err(AppError::Unavailable),
        None => {}
    }
    let (payer, mailbox, description) = app
        .store
        .read(|tx| {
            let quote = tables::QUOTES.get(tx, &attempt.quote)?;
            let quote = quote.ok_or(AppError::NotFound)?;
            let revision = revision_of(tx, &quote, attempt.revision)?;
            let email = address_of(tx, &quote, &revision)?;
            let payer = Payer::new(policyholder::profile(&quote.current.answers), email);
            let description = payment_description(&app.products, tx, attempt)?;
            Ok::<_, AppError>((payer, quote.mailbox, description))
        })
        .await?;
    count_page(app, attempt.id, mailbox.as_deref(), from).await?;
    let begin = CreateSession {
        attempt,
        description: &description,
        payer: &payer,
        return_url: &return_urls::return_url(&app.public_url, attempt),
        back_url: &return_urls::back_url(&app.public_url, attempt),
        callback_url: &return_urls::callback_url(&app.public_url, attempt),
    };
    let session = gateway.create_session(begin).await;
    if is_new && matches!(session, Err(GatewayError::Refused(_))) {
        status::record_outcome(app, id, not_begun_error()).await?;
    }
    let session = session.map_err(|error| {
        tracing::error!(payment = %attempt.id, %error, "the gateway could not start a payment");
        match error {
            GatewayError::Refused(_) | GatewayError::OtherMode | GatewayError::Unable(_) => {
                let phone = &app.config.site.phone;
                let why =
                    format!("You can't pay this way at the moment. Please call us on {phone}.");
                AppError::conflict("gateway_refused", why)
            }
            GatewayError::Unclear(_) | GatewayError::NotSent(_) | GatewayError::Forged => {
                AppError::Unavailable
            }
        }
    })?;
    let now = app.clock.now();
    app.store
        .write(move |tx| {
            let mut payment = tables::PAYMENTS.get(tx, &id)?.ok_or(AppError::NotFound)?;
            // If the attempt was closed during the gateway's call, nobody may pay on the page.
            if !payment.status.is_open() {
                return Err(AppError::Unavailable);
            }
            if let Transition::Applied(status) =
                payment::apply(payment.status, PaymentEvent::Registered)
            {
                payment.status = status;
            }
            let page = session.page.clone();
            payment.page = Some(page.clone());
            payment.references.extend(session.references.clone());
            payment.keys.0.extend(session.keys.0.clone());
            payment.updated = now;
            tables::PAYMENTS.put(tx, &payment.id, &payment)?;
            Ok::<_, AppError>(page)
        })
        .await
}

/// Returns the failure of an attempt whose page the gateway refused to create.
fn not_begun_error() -> PaymentReport {
    let failure = Failure {
        // The failure counts against no customer: no card was declined, and nobody abandoned the page.
        class: FailureClass::Unknown,
        is_final: true,
    };
    let message = "The payment page could not be made.".to_string();
    GatewayStatus::Failed { failure, message }.into()
}

/// Returns the id of the attempt that [`open_attempt`] finds. If there is none, stores a new
/// attempt and returns the id of the new attempt.
///
/// # Errors
/// A conflict if nothing is due, or the amount is below the gateway's minimum.
/// [`AppError::TooMany`] if a new attempt would exceed `max_pages` in an hour.
fn open_or_new(
    tx: &mut WriteTx<'_>,
    payable: &PaymentTarget,
    caller: &Caller,
    terms: &GatewayTerms,
    max_pages: usize,
    (new, now): (Uuid, DateTime<Utc>),
) -> Result<Uuid, AppError> {
    let (revision, amount, auto_renew) = payable.due(tx, caller, now)?;
    if amount < terms.least {
        let phone = &terms.phone;
        return Err(AppError::conflict(
            "below_minimum",
            format!("This is less than a card can pay online. Please call us on {phone}."),
        ));
    }
    let attempts = payable.attempts(tx)?;
    let due = (revision, amount, auto_renew);
    if let Some(open) = open_attempt(&attempts, due, terms, now) {
        return Ok(open.id);
    }
    ensure_page_quota(&attempts, max_pages, now)?;
    let attempt = Payment {
        id: new,
        quote: payable.quote,
        revision,
        amount,
        currency: Currency::Gbp,
        provider: terms.provider.to_string(),
        mode: terms.mode,
        references: References::new(),
        keys: Keys::default(),
        status: PaymentStatus::Started,
        page: None,
        message: None,
        failure: None,
        paid_at: None,
        reversed: None,
        unapplied: None,
        unread_messages: Vec::new(),
        unresolved: None,
        auto_renew,
        adjustment: payable.adjustment,
        stored_card: None,
        created: now,
        updated: now,
    };
    insert_attempt(tx, &attempt)?;
    Ok(new)
}

/// Returns the newest open attempt that charges no stored card, if the attempt matches `terms` and
/// `due`. The provider, the mode, the revision, the amount and the choice of automatic renewal must
/// be the same. The attempt must be younger than the gateway's `page_reuse`.
fn open_attempt<'a>(
    attempts: &'a [Payment],
    due: (u32, Pence, bool),
    terms: &GatewayTerms,
    now: DateTime<Utc>,
) -> Option<&'a Payment> {
    let is_open = |attempt: &&Payment| attempt.status.is_open() && attempt.stored_card.is_none();
    // The newest open attempt supersedes each older attempt, whose page is closed.
    let newest = attempts.iter().rev().find(is_open);
    newest.filter(|attempt| {
        (attempt.provider.as_str(), attempt.mode) == (terms.provider, terms.mode)
            && now - attempt.created < terms.page_reuse
            && (attempt.revision, attempt.amount, attempt.auto_renew) == due
    })
}
