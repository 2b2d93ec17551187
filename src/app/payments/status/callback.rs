//! The callbacks of gateways.

use std::collections::BTreeMap;

use crate::app::payments::checkout::return_urls;
use crate::app::{App, AppError};
use crate::domain::payment::Payment;
use crate::domain::payment::dispute;
use crate::integrations::payments::{
    Callback, CallbackAnswer, CallbackEvent, DisputeNews, Gateway, GatewayError, Heard, Whose,
};
use crate::store::{Read, tables};

impl App {
    /// Takes a gateway's message; `headers` are by their names in lower case. Any number of messages, in
    /// any order, lead to one sale. The answer is in the gateway's own form, whatever became of it.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for a gateway that isn't serviced.
    pub async fn gateway_callback(
        &self,
        provider: &str,
        body: &[u8],
        headers: &BTreeMap<String, String>,
    ) -> Result<CallbackAnswer, AppError> {
        let gateway = self.gateways.named(provider).ok_or(AppError::NotFound)?;
        let callback = Callback { body, headers };
        let heard = match self.hear(gateway, &callback).await {
            Ok(heard) => heard,
            Err(error @ (GatewayError::Forged | GatewayError::OtherMode)) => {
                tracing::warn!(gateway = provider, %error, "a callback was refused");
                Heard::Forged
            }
            Err(error) => {
                tracing::error!(gateway = provider, %error, "a callback could not be taken");
                Heard::NotYet
            }
        };
        Ok(gateway.answer(&heard))
    }

    async fn hear(
        &self,
        gateway: &dyn Gateway,
        callback: &Callback<'_>,
    ) -> Result<Heard, GatewayError> {
        let whose = gateway.whose(callback)?;
        let attempt = self.store.read(|tx| attempt_of(tx, gateway.name(), &whose));
        let attempt = attempt.await.map_err(not_now)?;
        let event = gateway.read_callback(callback, attempt.as_ref())?;
        let Some(attempt) = attempt else {
            if let Whose::Attempt(payment) = whose {
                let gateway = gateway.name();
                tracing::warn!(gateway, %payment, "a callback is about a payment that isn't in the store");
            }
            return Ok(Heard::NotOurs);
        };
        let recorded = Heard::Recorded {
            return_url: return_urls::return_url(&self.public_url, &attempt),
        };
        match event {
            CallbackEvent::Nothing => Ok(recorded),
            CallbackEvent::Unread { reference, kind } => {
                let done = self.note_unread_message(attempt.id, reference, kind).await;
                done.map(|()| recorded).map_err(not_now)
            }
            CallbackEvent::Attempt(report) => {
                let done = self.record_outcome(attempt.id, report).await;
                done.map(|_| recorded).map_err(not_now)
            }
            CallbackEvent::RefundByHand(told) => {
                let done = self.refunded_by_hand(&attempt, told).await;
                done.map(|()| recorded).map_err(not_now)
            }
            CallbackEvent::Refund { refund, report } => {
                match self.refund_told(refund, &attempt, report).await {
                    Ok(()) => Ok(recorded),
                    Err(AppError::NotFound) => Ok(Heard::NotOurs),
                    Err(error) => Err(not_now(error)),
                }
            }
            CallbackEvent::Dispute(told) => {
                let news = news_of(&attempt, told);
                let done = self.dispute_moved(news).await;
                done.map(|_| recorded).map_err(not_now)
            }
        }
    }
}

/// The attempt that a message says it is about, if it is one of this gateway.
fn attempt_of(tx: &impl Read, gateway: &str, whose: &Whose) -> Result<Option<Payment>, AppError> {
    let id = match whose {
        Whose::Attempt(id) => Some(*id),
        Whose::Reference(reference) => {
            let key = (gateway.to_string(), reference.clone());
            tables::PAYMENT_BY_REFERENCE.get(tx, &key)?
        }
        Whose::Nobody => None,
    };
    let attempt = id.map(|id| tables::PAYMENTS.get(tx, &id)).transpose()?;
    Ok(attempt.flatten().filter(|own| own.provider == gateway))
}

/// What a gateway tells of a dispute, as the books take it. What is disputed in a currency that the shop
/// doesn't take is for a person to look at.
fn news_of(attempt: &Payment, told: DisputeNews) -> dispute::DisputeNews {
    if told.currency.is_none() {
        let (payment, dispute) = (attempt.id, &told.reference);
        tracing::error!(%payment, dispute, "a dispute is in a currency that the shop doesn't take");
    }
    dispute::DisputeNews {
        provider: attempt.provider.clone(),
        reference: told.reference,
        payment: attempt.id,
        amount: told.currency.map_or(attempt.amount, |_| told.amount),
        reason: Some(told.reason).filter(|reason| !reason.is_empty()),
        reply_by: told.answer_by,
        event: told.event,
        moves: told.moves,
    }
}

/// The gateway is to send it again.
fn not_now(error: AppError) -> GatewayError {
    GatewayError::Unclear(error.log_text())
}
