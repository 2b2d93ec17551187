//! The target of a payment, and the terms that are due for the target.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::payments::checkout::attempts::attempts;
use crate::app::policies::adjustments;
use crate::app::products::ProductRegistry;
use crate::app::quotes::{self, revision_of};
use crate::app::{AppError, Caller, access};
use crate::domain::money::Pence;
use crate::domain::payment::Payment;
use crate::domain::quote::Quote;
use crate::store::{Read, tables};

/// The target of a payment: a quote, or an adjustment of the quote's policy.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct PaymentTarget {
    pub(in crate::app) quote: Uuid,
    pub(in crate::app) adjustment: Option<Uuid>,
}

impl PaymentTarget {
    pub(in crate::app) fn load(tx: &impl Read, id: Uuid) -> Result<Self, AppError> {
        let adjustment = tables::ADJUSTMENTS.get(tx, &id)?;
        Ok(Self {
            quote: adjustment.as_ref().map_or(id, |change| change.policy),
            adjustment: adjustment.map(|change| change.id),
        })
    }

    pub(in crate::app) fn may_read(
        self,
        tx: &impl Read,
        caller: &Caller,
        now: DateTime<Utc>,
    ) -> Result<(), AppError> {
        match self.adjustment {
            Some(_) => access::owned_policy(tx, caller, self.quote, now).map(|_| ()),
            None => access::quote_of(tx, caller, self.quote, now).map(|_| ()),
        }
    }

    /// Returns the target's attempts, oldest first.
    pub(in crate::app) fn attempts(self, tx: &impl Read) -> Result<Vec<Payment>, AppError> {
        let mut found = attempts(tx, self.quote)?;
        found.retain(|attempt| attempt.adjustment == self.adjustment);
        Ok(found)
    }

    /// Returns the revision, the amount in pence, and whether the customer chose automatic renewal.
    /// The choice is always false for an adjustment.
    pub(in crate::app) fn due(
        self,
        tx: &impl Read,
        caller: &Caller,
        now: DateTime<Utc>,
    ) -> Result<(u32, Pence, bool), AppError> {
        match self.adjustment {
            Some(change) => {
                let (revision, amount) = adjustments::due(tx, caller, self.quote, change, now)?;
                Ok((revision, amount, false))
            }
            None => accepted_terms(&access::quote_of(tx, caller, self.quote, now)?, now),
        }
    }
}

/// Returns the text that names the target and the quote's reference. The text is the same for every
/// call: gateways refuse a repeated request with other content.
pub(in crate::app) fn payment_description(
    products: &ProductRegistry,
    tx: &impl Read,
    attempt: &Payment,
) -> Result<String, AppError> {
    let quote = tables::QUOTES.get(tx, &attempt.quote)?;
    let quote = quote.ok_or(AppError::NotFound)?;
    let reference = &quote.reference;
    if attempt.adjustment.is_some() {
        return Ok(format!("Change of policy {reference}"));
    }
    let revision = revision_of(tx, &quote, attempt.revision)?;
    let product = products.by_hash(tx, &revision.product_hash)?;
    Ok(format!("{}, {reference}", product.info().product_title))
}

/// Returns the accepted revision, the accepted amount in pence, and whether the customer chose
/// automatic renewal.
///
/// # Errors
/// A conflict if the quote can't be bought now, or was not accepted.
pub(in crate::app) fn accepted_terms(
    quote: &Quote,
    now: DateTime<Utc>,
) -> Result<(u32, Pence, bool), AppError> {
    if !quote.is_buyable(now) {
        return Err(quotes::not_buyable(quote, now));
    }
    quote
        .accepted
        .as_ref()
        .map(|accepted| (accepted.revision, accepted.amount, accepted.auto_renew))
        .ok_or_else(|| {
            AppError::conflict(
                "not_accepted",
                "Please check your answers and accept the quote before you pay.",
            )
        })
}
