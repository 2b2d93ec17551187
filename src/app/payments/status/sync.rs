//! Queries a gateway for an attempt's outcome, and closes payment pages.

use std::future::Future;

use chrono::Duration;
use futures_util::future::try_join_all;
use tokio::time::{Instant, timeout_at};
use uuid::Uuid;

use crate::app::payments::checkout::attempts::attempts;
use crate::app::payments::status::outcome::{record_outcome, stop_polling};
use crate::app::{App, AppError, payments};
use crate::domain::payment::{Failure, FailureClass, Payment, PaymentStatus};
use crate::domain::quote::Quote;
use crate::integrations::payments::{GatewayStatus, PaymentReport};
use crate::store::{Read, tables};

/// The age at which the page of an unfinished attempt is closed, if its gateway can close pages.
const CLOSE_AFTER: Duration = Duration::hours(24);
/// The age at which no call for a charge can arrive at the gateway any more.
pub(in crate::app::payments) const LAST_ARRIVAL: Duration = Duration::hours(24);
/// The age at which automatic polling of an attempt stops. Later reports of the gateway still
/// apply.
const GIVE_UP_AFTER: Duration = Duration::hours(72);

/// The age at which a query about an attempt that has ended is not repeated after an error.
const FORGET_ENDED_AFTER: Duration = Duration::days(7);

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
    let is_old = age >= CLOSE_AFTER;
    let closes = attempt.instrument().is_none() && (is_superseded || is_old);
    let status = if is_open && closes {
        close_at_gateway(app, &attempt).await
    } else {
        query_once(app, &attempt).await
    };
    let is_over = is_open && age >= GIVE_UP_AFTER;
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
        Err(error) if !is_open && age >= FORGET_ENDED_AFTER => {
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
    } else {
        GatewayStatus::Open.into()
    };
    // A charge that the gateway does not know may still arrive there.
    let is_over = app.clock.now() - attempt.created >= LAST_ARRIVAL;
    let is_unknown = attempt.instrument().is_some() && report.status == GatewayStatus::NotFound;
    let report = if is_unknown && is_over && attempt.status.is_open() {
        abandoned_report("The stored card was not charged.")
    } else {
        report
    };
    record_outcome(app, attempt.id, report).await
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
        GatewayStatus::NotFound => {
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
    let others = earlier.iter().filter(|old| old.id != attempt.id);
    close_open_pages(app, others, deadline).await?;
    if !attempt.purpose.buys_policy() {
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

/// Closes the open pages of `attempts`, until `deadline`. A job closes the remaining pages later.
pub(in crate::app) async fn close_open_pages<'a>(
    app: &App,
    attempts: impl Iterator<Item = &'a Payment>,
    deadline: Instant,
) -> Result<(), AppError> {
    let pages = attempts.filter(|attempt| {
        let gateway = payments::gateway_of(&app.gateways, attempt);
        let can_close = gateway.is_some_and(|gateway| gateway.capabilities().closes_pages);
        can_close && attempt.status.is_open() && attempt.instrument().is_none()
    });
    let closed = pages.map(|page| try_to_close(app, page));
    wait_until(deadline, try_join_all(closed)).await
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
    if attempt.instrument().is_some() {
        return Ok(false);
    }
    let place = |one: &Payment| (one.created, one.id);
    let all = attempts(tx, attempt.quote)?;
    Ok(all.iter().any(|other| {
        let is_newer = place(other) > place(attempt);
        (is_newer && other.purpose.competes_with(attempt.purpose))
            || (other.is_applied() && other.purpose.makes_useless(attempt.purpose))
    }))
}

/// Returns the final failure of an attempt for which no card was or will be charged.
pub(in crate::app::payments) fn abandoned_report(message: &str) -> PaymentReport {
    let failure = Failure {
        class: FailureClass::Abandoned,
        is_final: true,
    };
    let message = message.to_string();
    GatewayStatus::Failed { failure, message }.into()
}
