//! Charges the stored card of an earlier payment for a renewal, without the cardholder.

use std::time::Duration;

use tokio::time::Instant;
use uuid::Uuid;

use crate::app::payments::checkout::attempts::{attempts, insert_attempt};
use crate::app::payments::checkout::target::accepted_terms;
use crate::app::payments::providers::can_charge_card_of;
use crate::app::payments::status;
use crate::app::quotes::not_buyable;
use crate::app::{App, AppError, new_id};
use crate::domain::payment::{Keys, Payment, PaymentStatus, References};
use crate::store::tables::{PAYMENTS, QUOTES};

/// How long the job waits in total for gateways to report and to close earlier attempts.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// Pays for an accepted quote with the card that the payment `card` stored. A repeated call
/// continues the existing attempt, so that the card is charged once.
///
/// # Errors
/// [`AppError::NotFound`] if the quote does not exist. A conflict if the quote is not accepted, was
/// bought with another payment, or can't be bought any more.
///
/// A conflict if `card` is no payment that bought something. The same conflict if the payer did not
/// agree to automatic renewal, or the payment's gateway stores no cards.
///
/// An error if the gateway's response is unclear. A job then continues to query the status.
pub async fn charge_stored(app: &App, quote: Uuid, card: Uuid) -> Result<PaymentStatus, AppError> {
    let now = app.clock.now();
    let earlier = app.store.read(|tx| attempts(tx, quote)).await?;
    // Queries earlier open attempts first: the customer may have paid one of these attempts.
    let deadline = Instant::now() + MAX_WAIT;
    status::sync_earlier_attempts(app, &earlier, deadline).await?;
    let id = new_id(now);
    let stored = app.store.read(|tx| PAYMENTS.get(tx, &card)).await?;
    let chargeable = stored.is_some_and(|stored| can_charge_card_of(&app.gateways, &stored));
    let attempt = app
        .store
        .write(move |tx| {
            let found = QUOTES.get(tx, &quote)?.ok_or(AppError::NotFound)?;
            let payments = attempts(tx, quote)?;
            let own = payments
                .iter()
                .filter(|candidate| candidate.stored_card == Some(card));
            if let Some(existing) = own.max_by_key(|candidate| candidate.is_applied()) {
                return Ok(existing.clone());
            }
            let (revision, amount, _) = accepted_terms(&found, now)?;
            let stored = PAYMENTS.get(tx, &card)?;
            let stored = stored
                .filter(|stored| stored.is_applied() && stored.auto_renew)
                .filter(|_| chargeable)
                .ok_or_else(|| {
                    AppError::conflict("no_stored_card", "There is no card to charge.")
                })?;
            let attempt = Payment {
                id,
                quote,
                revision,
                amount,
                currency: stored.currency,
                provider: stored.provider,
                mode: stored.mode,
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
                // The payer agreed to automatic renewal when the card was stored.
                auto_renew: true,
                adjustment: None,
                stored_card: Some(card),
                created: now,
                updated: now,
            };
            insert_attempt(tx, &attempt)?;
            Ok::<_, AppError>(attempt)
        })
        .await?;
    // A failed charge is not repeated.
    if attempt.status == PaymentStatus::Failed {
        return Ok(attempt.status);
    }
    // Closes the other open attempts, so that nobody pays twice.
    let sold = status::cancel_other_attempts(app, &attempt, &earlier, deadline).await?;
    let status = status::sync_payment_status(app, attempt.id).await?;
    let charged = app.store.read(|tx| PAYMENTS.get(tx, &attempt.id)).await?;
    match sold {
        Some(sold) if !charged.is_some_and(|own| own.is_applied()) => Err(not_buyable(&sold, now)),
        _ => Ok(status),
    }
}
