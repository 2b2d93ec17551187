//! Asking a gateway for the outcome of an attempt, charging its card if the gateway doesn't know it
//! yet, and closing it.

use std::future::Future;

use chrono::Duration;
use futures_util::future::try_join_all;
use tokio::time::{Instant, timeout_at};
use uuid::Uuid;

use crate::app::payments::checkout::attempts::attempts;
use crate::app::payments::checkout::target::accepted_terms;
use crate::app::payments::checkout::{self, return_urls};
use crate::app::payments::status::outcome::{record_outcome, stop_polling};
use crate::app::{App, AppError, payments};
use crate::domain::payment::{Failure, FailureClass, Payment, PaymentStatus};
use crate::domain::quote::Quote;
use crate::integrations::payments::{ChargeRequest, Gateway, GatewayStatus, PaymentReport};
use crate::store::{Read, tables};

/// Hours after which the page of an unfinished attempt is closed, where its gateway can do that.
const CLOSE_AFTER: i64 = 24;
/// Hours after which a gateway that has not said what became of an attempt isn't asked any more by
/// itself. News that comes later still counts.
const GIVE_UP_AFTER: i64 = 72;

/// Asks the gateway for the outcome of an attempt, and records it. One whose outcome nobody learns
/// for days is unresolved from then on.
///
/// # Errors
/// When the gateway's answer isn't clear.
pub async fn sync_payment_status(app: &App, id: Uuid) -> Result<PaymentStatus, AppError> {
    let (attempt, is_superseded) = app
        .store
        .read(|tx| {
            let attempt = tables::PAYMENTS.get(tx, &id)?.ok_or(AppError::NotFound)?;
            let is_superseded = is_superseded(tx, &attempt)?;
            Ok::<_, AppError>((attempt, is_superseded))
        })
        .await?;
    let age = app.clock.now() - attempt.created;
    let is_open = attempt.status.is_open();
    let closes = is_superseded || age >= Duration::hours(CLOSE_AFTER);
    let status = if is_open && closes {
        close_at_gateway(app, &attempt).await
    } else {
        ask_once(app, &attempt).await
    };
    let is_over = is_open && age >= Duration::hours(GIVE_UP_AFTER);
    match status {
        Ok(status) if is_over && status.is_open() => {
            stop_polling(&app.store, &app.clock, &app.work_added, id).await
        }
        Err(error) if is_over && !matches!(error, AppError::StoreClosed(_)) => {
            tracing::warn!(error = error.log_text(), payment = %id, "the gateway could not be asked");
            stop_polling(&app.store, &app.clock, &app.work_added, id).await
        }
        asked => asked,
    }
}

async fn ask_once(app: &App, attempt: &Payment) -> Result<PaymentStatus, AppError> {
    let Some(gateway) = payments::gateway_of(&app.gateways, attempt) else {
        return Ok(attempt.status);
    };
    let report = if gateway.capabilities().can_query_status {
        gateway.status(attempt).await?
    } else if attempt.stored_card.is_some() {
        // Charging again says what became of the first charge.
        GatewayStatus::Unknown.into()
    } else {
        GatewayStatus::Open.into()
    };
    let report = match (attempt.stored_card, &report.status) {
        (Some(card), GatewayStatus::Unknown) if attempt.status.is_open() => {
            charge_card(app, gateway, attempt, card).await?
        }
        _ => report,
    };
    record_outcome(app, attempt.id, report).await
}

/// Charges the card for an attempt that its gateway doesn't know yet: the first time, and after
/// a stop between storing the attempt and charging. The gateway gets our id of the attempt and
/// charges once for it.
async fn charge_card(
    app: &App,
    gateway: &dyn Gateway,
    attempt: &Payment,
    card: Uuid,
) -> Result<PaymentReport, AppError> {
    let today = app.clock.today();
    let (quote, card, description, is_over) = app
        .store
        .read(|tx| {
            let quote = tables::QUOTES.get(tx, &attempt.quote)?;
            let card = tables::PAYMENTS.get(tx, &card)?;
            let earlier = quote.as_ref().and_then(|quote| quote.renews);
            let earlier = earlier.map(|policy| tables::POLICIES.get(tx, &policy));
            let earlier = earlier.transpose()?.flatten();
            let is_over = earlier.is_some_and(|policy| policy.expiry < today);
            Ok::<_, AppError>((
                quote,
                card,
                checkout::payment_description(&app.products, tx, attempt)?,
                is_over,
            ))
        })
        .await?;
    let can = gateway.capabilities();
    // Nothing is charged once cover has ended. A gateway that can't be asked is charged again by the
    // same id: that is how the outcome of the first charge is learned.
    let is_too_late = is_over && can.can_query_status;
    let due = quote.and_then(|quote| accepted_terms(&quote, app.clock.now()).ok());
    // The quote may have been saved again, or accepted for another price, since.
    let is_due = due.is_some_and(|(revision, amount, _)| {
        (revision, amount) == (attempt.revision, attempt.amount)
    });
    match card {
        Some(card) if is_due && !is_too_late && can.stores_cards => {
            let charge = ChargeRequest {
                attempt,
                card: &card,
                description: &description,
                return_url: &return_urls::return_url(&app.public_url, attempt),
            };
            Ok(gateway.charge_stored(charge).await?)
        }
        _ => Ok(not_charged()),
    }
}

/// Closes an attempt's page at the gateway, and records its outcome: it may have been paid a
/// moment before. An attempt that the gateway has never heard of has failed. A gateway that can't
/// close a page is only asked.
async fn close_at_gateway(app: &App, attempt: &Payment) -> Result<PaymentStatus, AppError> {
    let Some(gateway) = payments::gateway_of(&app.gateways, attempt) else {
        return Ok(attempt.status);
    };
    let can = gateway.capabilities();
    let report = if can.closes_pages {
        gateway.close(attempt).await?
    } else if can.can_query_status {
        gateway.status(attempt).await?
    } else {
        return Ok(attempt.status);
    };
    let report = match report.status {
        GatewayStatus::Unknown if attempt.stored_card.is_some() => not_charged(),
        GatewayStatus::Unknown => {
            abandoned_report("The payment page was closed before a card was entered.")
        }
        _ => report,
    };
    record_outcome(app, attempt.id, report).await
}

/// Closes the `earlier` attempts for the same quote at their gateways, until `deadline`; a job closes
/// those that are left. One of them may turn out to be paid: then this attempt is closed too, so that
/// nobody pays twice, and the quote that was sold is returned. One that can't be closed doesn't stand
/// in the way: if it is paid as well, it is refunded.
pub(in crate::app) async fn cancel_other_attempts(
    app: &App,
    attempt: &Payment,
    earlier: &[Payment],
    deadline: Instant,
) -> Result<Option<Quote>, AppError> {
    let others = earlier
        .iter()
        .filter(|old| old.status.is_open() && old.id != attempt.id);
    let closed = others.map(|old| try_to_close(app, old));
    wait_until(deadline, try_join_all(closed)).await?;
    if attempt.adjustment.is_some() {
        return Ok(None);
    }
    let current = app
        .store
        .read(|tx| tables::QUOTES.get(tx, &attempt.quote))
        .await?;
    let sold = current.filter(|current| current.status.is_policy());
    if sold.is_some() {
        wait_until(deadline, try_to_close(app, attempt)).await?;
    }
    Ok(sold)
}

/// Asks the gateways for the outcome of earlier attempts that are open, until `deadline`; a job asks
/// about those that are left.
pub(in crate::app) async fn sync_earlier_attempts(
    app: &App,
    earlier: &[Payment],
    deadline: Instant,
) -> Result<(), AppError> {
    let open = earlier.iter().filter(|attempt| attempt.status.is_open());
    let syncs = open.map(|attempt| async {
        let status = sync_payment_status(app, attempt.id).await;
        log_failure(app, attempt.id, status).await
    });
    wait_until(deadline, try_join_all(syncs)).await
}

async fn try_to_close(app: &App, attempt: &Payment) -> Result<(), AppError> {
    let closed = close_at_gateway(app, attempt).await;
    log_failure(app, attempt.id, closed).await
}

/// A gateway that doesn't answer about one attempt keeps nobody from another; a job asks it again.
async fn log_failure(
    app: &App,
    id: Uuid,
    result: Result<PaymentStatus, AppError>,
) -> Result<(), AppError> {
    match result {
        Err(error @ AppError::Internal(_)) => {
            tracing::warn!(error = error.log_text(), payment = %id, "the gateway could not be asked");
            app.is_ready().await
        }
        other => other.map(|_| ()),
    }
}

/// Waits for gateways until `deadline`, and no longer.
async fn wait_until<T>(
    deadline: Instant,
    work: impl Future<Output = Result<T, AppError>>,
) -> Result<(), AppError> {
    match timeout_at(deadline, work).await {
        Ok(done) => done.map(|_| ()),
        Err(_) => {
            tracing::warn!("a gateway takes too long about earlier payments: a job asks it again");
            Ok(())
        }
    }
}

/// Whether a newer attempt pays for the same, so that the page of this one is to be closed.
fn is_superseded(tx: &impl Read, attempt: &Payment) -> Result<bool, AppError> {
    if attempt.stored_card.is_some() {
        return Ok(false);
    }
    let place = |one: &Payment| (one.created, one.id);
    let all = attempts(tx, attempt.quote)?;
    Ok(all
        .iter()
        .any(|other| other.adjustment == attempt.adjustment && place(other) > place(attempt)))
}

/// The end of an attempt whose card was never charged.
fn not_charged() -> PaymentReport {
    abandoned_report("The stored card was not charged.")
}

/// The end of an attempt that its gateway has certainly never heard of.
fn abandoned_report(message: &str) -> PaymentReport {
    let failure = Failure {
        class: FailureClass::Abandoned,
        is_final: true,
    };
    let message = message.to_string();
    GatewayStatus::Failed { failure, message }.into()
}
