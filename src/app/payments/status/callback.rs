//! Handles the callbacks of gateways.

use std::collections::BTreeMap;

use crate::app::payments::checkout::return_urls;
use crate::app::payments::status::outcome::record_outcome;
use crate::app::payments::status::unread_messages::record_unread_message;
use crate::app::payments::{self, refunds};
use crate::app::{App, AppError};
use crate::domain::payment::{Payment, dispute};
use crate::integrations::payments::{
    Callback, CallbackAnswer, CallbackEvent, CallbackOutcome, DisputeUpdate, Gateway, GatewayError,
    PaymentRef,
};
use crate::store::{Read, tables};

/// Handles a gateway's callback. `headers` have lower-case names. Repeated callbacks, in any order,
/// lead to one sale. Returns the response in the gateway's own format, also after an error.
///
/// # Errors
/// [`AppError::NotFound`] if the gateway is not serviced.
pub async fn gateway_callback(
    app: &App,
    provider: &str,
    body: &[u8],
    headers: &BTreeMap<String, String>,
) -> Result<CallbackAnswer, AppError> {
    let gateway = app.gateways.find(provider).ok_or(AppError::NotFound)?;
    let callback = Callback { body, headers };
    let outcome = match handle_callback(app, gateway, &callback).await {
        Ok(outcome) => outcome,
        Err(error @ (GatewayError::Forged | GatewayError::OtherMode)) => {
            tracing::warn!(gateway = provider, %error, "a callback was refused");
            CallbackOutcome::Forged
        }
        Err(error) => {
            tracing::error!(gateway = provider, %error, "a callback failed");
            CallbackOutcome::NotYet
        }
    };
    Ok(gateway.answer(&outcome))
}

/// Returns whether the body that a browser posts after the gateway's page counts as a callback.
#[must_use]
pub fn signs_returns(app: &App, provider: &str) -> bool {
    let gateway = app.gateways.find(provider);
    gateway.is_some_and(|gateway| gateway.capabilities().signs_returns)
}

async fn handle_callback(
    app: &App,
    gateway: &dyn Gateway,
    callback: &Callback<'_>,
) -> Result<CallbackOutcome, GatewayError> {
    let payment_ref = gateway.payment_ref(callback)?;
    let attempt = app
        .store
        .read(|tx| find_attempt(tx, gateway.name(), &payment_ref));
    let attempt = attempt.await.map_err(retry_later)?;
    let event = gateway.read_callback(callback, attempt.as_ref())?;
    let Some(attempt) = attempt else {
        if let PaymentRef::Attempt(payment) = payment_ref {
            let gateway = gateway.name();
            tracing::warn!(gateway, %payment, "a callback names a payment that isn't in the store");
        }
        return Ok(CallbackOutcome::NotOurs);
    };
    let recorded = CallbackOutcome::Recorded {
        return_url: return_urls::return_url(&app.public_url, &attempt),
    };
    match event {
        CallbackEvent::Ignored => Ok(recorded),
        CallbackEvent::Unread { reference, kind } => {
            let done = record_unread_message(
                &app.store,
                &app.clock,
                &app.work_added,
                attempt.id,
                reference,
                kind,
            )
            .await;
            done.map(|()| recorded).map_err(retry_later)
        }
        CallbackEvent::Attempt(report) => {
            let done = record_outcome(app, attempt.id, report).await;
            done.map(|_| recorded).map_err(retry_later)
        }
        CallbackEvent::RefundByHand(refund) => {
            let done =
                refunds::record_gateway_refund(&app.store, &app.clock, &attempt, refund).await;
            done.map(|()| recorded).map_err(retry_later)
        }
        CallbackEvent::Refund { refund, report } => {
            match refunds::apply_refund_report(
                &app.store,
                &app.clock,
                &app.work_added,
                refund,
                &attempt,
                report,
            )
            .await
            {
                Ok(()) => Ok(recorded),
                Err(AppError::NotFound) => Ok(CallbackOutcome::NotOurs),
                Err(error) => Err(retry_later(error)),
            }
        }
        CallbackEvent::Dispute(dispute) => {
            let news = dispute_news(&attempt, dispute);
            let done =
                payments::apply_dispute_news(&app.store, &app.clock, &app.work_added, news).await;
            done.map(|_| recorded).map_err(retry_later)
        }
    }
}

/// Returns the attempt that the callback names, if the attempt belongs to this gateway.
fn find_attempt(
    tx: &impl Read,
    gateway: &str,
    payment_ref: &PaymentRef,
) -> Result<Option<Payment>, AppError> {
    let id = match payment_ref {
        PaymentRef::Attempt(id) => Some(*id),
        PaymentRef::Reference(reference) => {
            let key = (gateway.to_string(), reference.clone());
            tables::PAYMENT_BY_REFERENCE.get(tx, &key)?
        }
        PaymentRef::Unknown => None,
    };
    let attempt = id.map(|id| tables::PAYMENTS.get(tx, &id)).transpose()?;
    Ok(attempt.flatten().filter(|own| own.provider == gateway))
}

/// Returns the gateway's dispute report in the domain's form. If the currency is not accepted, the
/// dispute is logged for a person to check. The whole payment then counts as disputed.
fn dispute_news(attempt: &Payment, update: DisputeUpdate) -> dispute::DisputeNews {
    if update.currency.is_none() {
        let (payment, dispute) = (attempt.id, &update.reference);
        tracing::error!(%payment, dispute, "a dispute has a currency that the shop doesn't take");
    }
    dispute::DisputeNews {
        provider: attempt.provider.clone(),
        reference: update.reference,
        payment: attempt.id,
        amount: update.currency.map_or(attempt.amount, |_| update.amount),
        reason: Some(update.reason).filter(|reason| !reason.is_empty()),
        reply_by: update.answer_by,
        event: update.event,
        moves: update.moves,
    }
}

/// Returns the error that makes the gateway send the callback again.
fn retry_later(error: AppError) -> GatewayError {
    GatewayError::Unclear(error.log_text())
}
