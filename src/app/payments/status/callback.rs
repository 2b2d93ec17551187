//! Handles the callbacks of gateways.

use std::collections::BTreeMap;

use crate::app::payments::status::keep_card::update_card;
use crate::app::payments::status::outcome::record_outcome;
use crate::app::payments::status::unread_messages::record_unread_message;
use crate::app::payments::{self, refunds};
use crate::app::{App, AppError};
use crate::domain::payment::Payment;
use crate::integrations::payments::{
    Callback, CallbackAnswer, CallbackEvent, CallbackOutcome, Gateway, GatewayError, PaymentRef,
};
use crate::store::{Direction, Read, tables};

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
        Err(error @ (GatewayError::Forged(_) | GatewayError::OtherMode)) => {
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
        let named = match &payment_ref {
            PaymentRef::Attempt(id) => Some(id.to_string()),
            PaymentRef::Reference(reference) => Some(reference.clone()),
            PaymentRef::Card(_) | PaymentRef::Unknown => None,
        };
        if let Some(payment) = named {
            let gateway = gateway.name();
            tracing::warn!(
                gateway,
                payment,
                "a callback names a payment that isn't in the store"
            );
        }
        return Ok(CallbackOutcome::NotOurs);
    };
    let (store, clock, work_added) = (&app.store, &app.clock, &app.work_added);
    let payment = attempt.id;
    let recorded = match event {
        CallbackEvent::Ignored => Ok(()),
        CallbackEvent::Unread { reference, kind } => {
            record_unread_message(store, clock, work_added, payment, reference, kind).await
        }
        CallbackEvent::Attempt(report) => record_outcome(app, payment, report).await.map(|_| ()),
        CallbackEvent::Card(card) => update_card(store, payment, *card).await,
        CallbackEvent::RefundByHand(refund) => {
            refunds::record_gateway_refund(store, clock, &attempt, refund).await
        }
        CallbackEvent::Refund { refund, report } => {
            match refunds::apply_refund_report(store, clock, work_added, refund, &attempt, report)
                .await
            {
                Err(AppError::NotFound) => return Ok(CallbackOutcome::NotOurs),
                recorded => recorded,
            }
        }
        CallbackEvent::Dispute { news, unread, kind } => {
            let done = payments::apply_dispute_news(store, clock, work_added, news).await;
            done.map_err(retry_later)?;
            for reference in unread {
                let kind = kind.clone();
                record_unread_message(store, clock, work_added, payment, reference, kind)
                    .await
                    .map_err(retry_later)?;
            }
            Ok(())
        }
    };
    recorded.map_err(retry_later)?;
    Ok(CallbackOutcome::Recorded)
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
        PaymentRef::Card(token) => {
            let key = tables::token_key(gateway, token);
            let found = tables::INSTRUMENT_BY_TOKEN.list(tx, &key, Direction::Backward, 1)?;
            let card = found
                .first()
                .map(|((_, id), ())| tables::INSTRUMENTS.get(tx, id));
            card.transpose()?.flatten().map(|card| card.payment)
        }
        PaymentRef::Unknown => None,
    };
    let attempt = id.map(|id| tables::PAYMENTS.get(tx, &id)).transpose()?;
    Ok(attempt.flatten().filter(|own| own.provider == gateway))
}

/// Returns the error that makes the gateway send the callback again.
fn retry_later(error: AppError) -> GatewayError {
    GatewayError::Unclear(error.log_text())
}
