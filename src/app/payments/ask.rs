//! Asking a gateway for the outcome of an attempt, and handling its callbacks.

use chrono::Duration;
use uuid::Uuid;

use crate::app::payments::stored_cards::not_charged;
use crate::app::{App, AppError};
use crate::domain::payment::{Payment, PaymentStatus};
use crate::domain::quote::Quote;
use crate::integrations::gateway::{GatewayStatus, Provider};
use crate::store::tables;

/// Hours after which an unfinished attempt is closed. A payment that arrives later still buys the
/// policy.
const GIVE_UP: i64 = 24;

impl App {
    /// Asks the gateway for the outcome of an attempt, and records it.
    ///
    /// # Errors
    /// When the gateway's answer isn't clear.
    pub async fn ask_gateway(&self, id: Uuid) -> Result<PaymentStatus, AppError> {
        let attempt = self.store.read(|tx| tables::PAYMENTS.get(tx, &id)).await?;
        let attempt = attempt.ok_or(AppError::NotFound)?;
        if attempt.status.is_open()
            && attempt.created + Duration::hours(GIVE_UP) <= self.clock.now()
        {
            return self.close_at_gateway(&attempt).await;
        }
        let gateway_status = match self.provider_of(&attempt)? {
            Provider::Sandbox => self.sandbox_status(id).await?,
        };
        let gateway_status = match (attempt.stored_card, gateway_status) {
            (Some(card), GatewayStatus::Unknown) if attempt.status.is_open() => {
                self.charge_card(&attempt, card).await?
            }
            (_, known) => known,
        };
        self.record_outcome(id, gateway_status).await
    }

    /// An attempt's provider, while it is switched on.
    pub(in crate::app) fn provider_of(&self, attempt: &Payment) -> Result<Provider, AppError> {
        self.providers()
            .find(|provider| provider.name() == attempt.provider)
            .ok_or_else(|| {
                AppError::Internal(
                    format!("the gateway {} is switched off", attempt.provider).into(),
                )
            })
    }

    /// Closes an attempt's page at the gateway, and records its outcome: it may have been paid a
    /// moment before. An attempt that the gateway doesn't know has failed.
    async fn close_at_gateway(&self, attempt: &Payment) -> Result<PaymentStatus, AppError> {
        let gateway_status = match self.provider_of(attempt)? {
            Provider::Sandbox => {
                self.sandbox_close(attempt.id).await?;
                self.sandbox_status(attempt.id).await?
            }
        };
        let gateway_status = match gateway_status {
            GatewayStatus::Unknown if attempt.stored_card.is_some() => not_charged(),
            GatewayStatus::Unknown => GatewayStatus::Failed {
                message: "The payment page was closed before a card was entered.".to_string(),
            },
            known => known,
        };
        self.record_outcome(attempt.id, gateway_status).await
    }

    /// Closes the `earlier` attempts for the same quote at their gateways. One of them may turn out
    /// to be paid: then this attempt is closed too, so that nobody pays twice, and the quote that
    /// was sold is returned.
    pub(in crate::app) async fn close_others(
        &self,
        attempt: &Payment,
        earlier: Vec<Payment>,
    ) -> Result<Option<Quote>, AppError> {
        for old in earlier {
            if old.status.is_open() && old.id != attempt.id {
                self.close_at_gateway(&old).await?;
            }
        }
        if attempt.adjustment.is_some() {
            return Ok(None);
        }
        let known = self
            .store
            .read(|tx| tables::QUOTES.get(tx, &attempt.quote))
            .await?;
        let sold = known.filter(|known| known.status.is_policy());
        if sold.is_some() {
            self.close_at_gateway(attempt).await?;
        }
        Ok(sold)
    }

    /// Handles a gateway's callback. Any number of callbacks, in any order, lead to one sale.
    ///
    /// # Errors
    /// [`AppError::Malformed`] when the callback isn't the gateway's.
    pub async fn gateway_callback(
        &self,
        provider: &str,
        body: &[u8],
        signature: impl Fn(&str) -> Option<String>,
    ) -> Result<(), AppError> {
        let provider = self
            .providers()
            .find(|known| known.name() == provider)
            .ok_or(AppError::NotFound)?;
        let signature = signature(provider.signature_header()).unwrap_or_default();
        let secret = self.provider_secret(provider);
        let event = provider.verify(body, &signature, secret, self.clock.now())?;
        self.record_outcome(event.payment, event.status).await?;
        Ok(())
    }
}
