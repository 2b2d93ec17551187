//! Reads an attempt for the page that waits for its outcome.

use std::sync::PoisonError;
use std::time::Duration;

use chrono::TimeDelta;
use tokio::time::timeout;
use uuid::Uuid;

use crate::app::payments::checkout::target::PaymentTarget;
use crate::app::payments::refunds::unrefunded::{RefundProgress, refund_summary, refunds_about};
use crate::app::payments::status::sync::sync_payment_status;
use crate::app::{App, AppError, Caller, access};
use crate::clock::Clock;
use crate::domain::payment::Payment;
use crate::integrations::payments::run_in_background;
use crate::store::{Read, tables};

/// An attempt, and whether the policy is issued.
#[derive(Clone, Debug)]
pub struct PaymentView {
    pub payment: Payment,
    /// The quote's reference.
    pub reference: String,
    /// Whether the quote has become a policy.
    pub policy: bool,
    /// The refund's progress, if the payment bought nothing.
    pub refund: RefundProgress,
    /// The message that the customer reads: the refund's message, or the payment's if the refund has
    /// none.
    pub message: Option<String>,
}

/// The minimum time between two status queries of one attempt, milliseconds.
const ASK_AGAIN: i64 = 1500;
/// The maximum time that a waiting page waits for the gateway.
const MAX_WAIT: Duration = Duration::from_secs(3);

/// Returns an attempt by its own id, or the newest attempt of a quote or adjustment. Prefers the
/// attempt that bought something. Queries the gateway first if the stored outcome is unknown and
/// the last query is older than [`ASK_AGAIN`]. Waits [`MAX_WAIT`] for it at most. Without a free query place,
/// makes no query.
///
/// # Errors
/// As [`access::quote_of`], or `access::owned_policy` for the id of an adjustment.
/// [`AppError::NotFound`] if there is no attempt.
pub async fn read_payment(app: &App, caller: &Caller, id: Uuid) -> Result<PaymentView, AppError> {
    let find = || {
        app.store
            .read(|tx| payment_view(&app.clock, tx, caller, id))
    };
    let view = find().await?;
    let payment = &view.payment;
    if payment.charged().is_some() || app.is_held() {
        return Ok(view);
    }
    // Without a place, the page shows the stored status and asks again.
    let place = app.gateways.poll_places.reserve(&payment.provider);
    if place.is_ok() && can_query(app, payment.id) {
        // After an error or a long wait, the page shows the stored status. A job queries the gateway again.
        let query = run_in_background(sync_payment_status(app, payment.id));
        let asked = timeout(MAX_WAIT, query).await;
        if let Ok(Err(error)) = asked {
            tracing::warn!(error = error.log_text(), payment = %payment.id, "the gateway could not be queried");
        }
    }
    drop(place);
    find().await
}

fn payment_view(
    clock: &Clock,
    tx: &impl Read,
    caller: &Caller,
    id: Uuid,
) -> Result<PaymentView, AppError> {
    let payment = find_payment(clock, tx, caller, id)?;
    let quote = tables::QUOTES
        .get(tx, &payment.quote)?
        .ok_or(AppError::NotFound)?;
    let refunds = refunds_about(tx, payment.quote, payment.id)?;
    let refund_message = refunds.into_iter().find_map(|refund| refund.message);
    Ok(PaymentView {
        message: refund_message.or_else(|| payment.message.clone()),
        reference: quote.reference,
        policy: tables::POLICIES.has(tx, &payment.quote)?,
        refund: refund_summary(tx, payment.quote, payment.id)?.progress,
        payment,
    })
}

fn find_payment(
    clock: &Clock,
    tx: &impl Read,
    caller: &Caller,
    id: Uuid,
) -> Result<Payment, AppError> {
    let now = clock.now();
    if let Some(payment) = tables::PAYMENTS.get(tx, &id)? {
        access::quote_of(tx, caller, payment.quote, now)?;
        return Ok(payment);
    }
    let payable = PaymentTarget::load(tx, id)?;
    payable.may_read(tx, caller, now)?;
    // The attempt that bought something matters more than a later attempt.
    let mut attempts = payable.attempts(tx)?;
    let bought = attempts.iter().position(Payment::is_applied);
    match bought {
        Some(place) => Ok(attempts.swap_remove(place)),
        None => attempts.pop().ok_or(AppError::NotFound),
    }
}

fn can_query(app: &App, payment: Uuid) -> bool {
    let now = app.clock.now();
    let recent = now - TimeDelta::milliseconds(ASK_AGAIN);
    let mut last_syncs = app
        .last_gateway_syncs
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    last_syncs.retain(|_, last_sync| *last_sync > recent);
    if last_syncs.contains_key(&payment) {
        return false;
    }
    last_syncs.insert(payment, now);
    true
}
