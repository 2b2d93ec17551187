//! Asking a gateway for the outcome of an attempt, charging its card if the gateway doesn't know it
//! yet, and closing it.

use chrono::Duration;
use uuid::Uuid;

use crate::app::payments::attempts::accepted;
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

    /// Charges the card for an attempt that its gateway doesn't know yet: the first time, and after
    /// a stop between storing the attempt and charging. The gateway gets our id of the attempt and
    /// charges once for it.
    async fn charge_card(&self, attempt: &Payment, card: Uuid) -> Result<GatewayStatus, AppError> {
        let quote = self
            .store
            .read(|tx| tables::QUOTES.get(tx, &attempt.quote))
            .await?;
        let due = quote.and_then(|quote| accepted(&quote, self.clock.now()).ok());
        // The quote may have been saved again, or accepted for another price, since.
        if due.is_none_or(|(revision, amount, _)| {
            (revision, amount) != (attempt.revision, attempt.amount)
        }) {
            return Ok(not_charged());
        }
        match self.provider_of(attempt)? {
            Provider::Sandbox => self.sandbox_charge(attempt, card).await,
        }
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
}

/// The end of an attempt whose card was never charged.
fn not_charged() -> GatewayStatus {
    GatewayStatus::Failed {
        message: "The stored card was not charged.".to_string(),
    }
}
