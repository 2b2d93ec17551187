//! Queries a gateway for an attempt's outcome, charges a stored card, and closes payment pages.

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

/// Hours after which the page of an unfinished attempt is closed, if its gateway can close pages.
const CLOSE_AFTER: i64 = 24;
/// Hours after which automatic polling of an attempt stops. Later reports of the gateway still
/// apply.
const GIVE_UP_AFTER: i64 = 72;

/// Days after which a query about an attempt that has ended is not repeated after an error.
const GIVE_UP_CLOSED: i64 = 7;

/// Queries the outcome of an attempt and records it. Closes the page of an open attempt that is 24
/// hours old or that another attempt supersedes. An attempt that is still open after 72 hours
/// becomes unresolved.
///
/// # Errors
/// [`AppError::NotFound`] if there is no such attempt. An error if the gateway's call fails, unless
/// the attempt has been open for 72 hours. An error about an ended attempt is only logged if the
/// attempt is at least 7 days old.
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
        query_once(app, &attempt).await
    };
    let is_over = is_open && age >= Duration::hours(GIVE_UP_AFTER);
    match status {
        Ok(status) if is_over && status.is_open() => {
            stop_polling(&app.store, &app.clock, &app.work_added, id).await
        }
        Err(error) if is_over && !matches!(error, AppError::StoreClosed(_)) => {
            tracing::warn!(error = error.log_text(), payment = %id, "the gateway could not be queried");
            stop_polling(&app.store, &app.clock, &app.work_added, id).await
        }
        // The attempt has ended: this query only asks whether the gateway took the payment back.
        // The job does not repeat the query.
        Err(error) if !is_open && age >= Duration::days(GIVE_UP_CLOSED) => {
            tracing::error!(error = error.log_text(), payment = %id, "the gateway could not be asked about a payment that ended");
            Ok(attempt.status)
        }
        asked => asked,
    }
}

async fn query_once(app: &App, attempt: &Payment) -> Result<PaymentStatus, AppError> {
    let Some(gateway) = payments::gateway_of(&app.gateways, attempt) else {
        return Ok(attempt.status);
    };
    let report = if gateway.capabilities().can_query_status {
        gateway.status(attempt).await?
    } else if attempt.stored_card.is_some() {
        // A repeated charge returns the outcome of the first charge.
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

/// Charges the stored card for an attempt. A repeated call charges once: the gateway receives our id of the
/// attempt. Returns a failure without a charge if the terms of the quote changed, or the gateway stores no
/// cards. Does the same after the renewed policy's expiry, if the gateway can be queried for the status.
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
    // Charges nothing after the renewed policy has expired. A gateway without status queries is an
    // exception: only a repeated charge returns the outcome of the first charge.
    let is_too_late = is_over && can.can_query_status;
    let due = quote.and_then(|quote| accepted_terms(&quote, app.clock.now()).ok());
    // After the attempt began, the quote may have been saved again or accepted for another price.
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
        _ => Ok(not_charged_error()),
    }
}

/// Closes an attempt's page at the gateway and records the outcome: the customer may have just paid.
/// Records a failure if the gateway has no such attempt. If the gateway can't close pages, only queries
/// the status. Does nothing if the gateway can't do either, or the shop does not service it.
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
        GatewayStatus::Unknown if attempt.stored_card.is_some() => not_charged_error(),
        GatewayStatus::Unknown => {
            abandoned_report("The payment page was closed before a card was entered.")
        }
        _ => report,
    };
    record_outcome(app, attempt.id, report).await
}

/// Closes the open `earlier` attempts at their gateways, until `deadline`. A job closes the remaining
/// attempts later.
///
/// If `attempt` pays for a sale and the quote has become a policy, also closes `attempt`. This
/// prevents a second payment. Returns the quote in this case, and `None` in all other cases. An
/// attempt that can't be closed blocks nothing: if the customer pays twice, the shop refunds one
/// payment.
pub(in crate::app) async fn cancel_other_attempts(
    app: &App,
    attempt: &Payment,
    earlier: &[Payment],
    deadline: Instant,
) -> Result<Option<Quote>, AppError> {
    let others = earlier.iter().filter(|old| {
        let gateway = payments::gateway_of(&app.gateways, old);
        let can_close = gateway.is_some_and(|gateway| gateway.capabilities().closes_pages);
        can_close && old.status.is_open() && old.id != attempt.id
    });
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

/// Queries the outcomes of earlier open attempts until `deadline`. A job queries the remaining
/// attempts later.
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

/// Logs an internal error of one attempt, so that the error does not block other attempts. A job
/// queries the gateway again. Returns other errors. Returns an error if the store is not ready.
async fn log_failure(
    app: &App,
    id: Uuid,
    result: Result<PaymentStatus, AppError>,
) -> Result<(), AppError> {
    match result {
        Err(error @ AppError::Internal(_)) => {
            tracing::warn!(error = error.log_text(), payment = %id, "the gateway could not be queried");
            app.is_ready().await
        }
        other => other.map(|_| ()),
    }
}

/// Waits for gateways until `deadline` at most. A missed deadline is no error.
async fn wait_until<T>(
    deadline: Instant,
    work: impl Future<Output = Result<T, AppError>>,
) -> Result<(), AppError> {
    match timeout_at(deadline, work).await {
        Ok(done) => done.map(|_| ()),
        Err(_) => {
            tracing::warn!("a gateway is slow to report earlier payments: a job asks it again");
            Ok(())
        }
    }
}

/// Returns whether the page of `attempt` must be closed, because its target has a newer attempt or was
/// bought. Returns false for a charge of a stored card, which has no page.
fn is_superseded(tx: &impl Read, attempt: &Payment) -> Result<bool, AppError> {
    if attempt.stored_card.is_some() {
        return Ok(false);
    }
    let place = |one: &Payment| (one.created, one.id);
    let all = attempts(tx, attempt.quote)?;
    let mut same = all
        .iter()
        .filter(|other| other.adjustment == attempt.adjustment);
    Ok(same.any(|other| place(other) > place(attempt) || other.is_applied()))
}

/// Returns the failure of an attempt whose card was never charged.
fn not_charged_error() -> PaymentReport {
    abandoned_report("The stored card was not charged.")
}

/// Returns the final failure of an attempt for which no card was or will be charged.
fn abandoned_report(message: &str) -> PaymentReport {
    let failure = Failure {
        class: FailureClass::Abandoned,
        is_final: true,
    };
    let message = message.to_string();
    GatewayStatus::Failed { failure, message }.into()
}
