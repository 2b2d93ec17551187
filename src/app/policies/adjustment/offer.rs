//! Offering an adjustment: its price is worked out and holds for 24 hours.

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use crate::app::idempotency::Key;
use crate::app::policies::PolicyContext;
use crate::app::policies::adjustment::history::Offered;
use crate::app::{App, AppError, Caller, access, rows};
use crate::domain::adjustment::Adjustment;
use crate::domain::answers::Answers;
use crate::store::{Read, tables};

impl App {
    /// Works out what changed answers cost from `effective` on (the one day it can be), and holds
    /// that price for 24 hours. Nothing changes yet.
    ///
    /// # Errors
    /// [`AppError::Invalid`] with every field at fault, a refusal by underwriting or where
    /// nothing changes, a conflict when the policy can't be changed any more.
    pub async fn offer_adjustment(
        &self,
        caller: &Caller,
        uuid: Uuid,
        changed: Answers,
        effective: Option<NaiveDate>,
        key: Option<Key>,
    ) -> Result<Offered, AppError> {
        let now = self.clock.now();
        let (context, first) = self.before_offer(caller, uuid, key.as_ref()).await?;
        // The first answer is given again, whatever has happened to the policy since.
        if let Some(first) = first {
            return self.offered(first).await;
        }
        let assessed = self.assess_adjustment(&context, changed, effective)?;
        let offer = self.new_adjustment(&context, assessed, now);
        let caller = caller.clone();
        let adjustment = self
            .store
            .write(move |tx| {
                access::owned_policy(tx, &caller, uuid, now)?;
                if let Some(first) = first_offer(tx, key.as_ref(), now)? {
                    return Ok(first);
                }
                rows::adjustments::put(tx, &offer)?;
                if let Some(key) = &key {
                    key.remember(tx, &offer.id, now)?;
                }
                Ok::<_, AppError>(offer.clone())
            })
            .await?;
        self.offered(adjustment).await
    }

    /// Makes an adjustment at once that doesn't change the price; any other is refused with the
    /// reason.
    ///
    /// # Errors
    /// As [`App::offer_adjustment`].
    pub async fn keep_price(
        &self,
        caller: &Caller,
        uuid: Uuid,
        changed: Answers,
        key: Option<Key>,
    ) -> Result<(), AppError> {
        let now = self.clock.now();
        let (context, first) = self.before_offer(caller, uuid, key.as_ref()).await?;
        // The process may have stopped after the offer was stored: then the adjustment is made now.
        if let Some(first) = first {
            return self
                .accept_adjustment(caller, uuid, first.id)
                .await
                .map(|_| ());
        }
        let assessed = self.assess_adjustment(&context, changed, None)?;
        if assessed.price.taxed != context.premium() {
            return Err(AppError::refused(
                "price_changes",
                "This changes your price. Please look at the new price first.",
            ));
        }
        let offer = self.new_adjustment(&context, assessed, now);
        let id = self
            .store
            .write(move |tx| {
                if let Some(first) = first_offer(tx, key.as_ref(), now)? {
                    return Ok(first.id);
                }
                rows::adjustments::put(tx, &offer)?;
                if let Some(key) = &key {
                    key.remember(tx, &offer.id, now)?;
                }
                Ok::<_, AppError>(offer.id)
            })
            .await?;
        self.accept_adjustment(caller, uuid, id).await.map(|_| ())
    }

    /// A policy of the caller's own, and the first answer to the same call, where it came before.
    async fn before_offer(
        &self,
        caller: &Caller,
        uuid: Uuid,
        key: Option<&Key>,
    ) -> Result<(PolicyContext, Option<Adjustment>), AppError> {
        let now = self.clock.now();
        self.store
            .read(|tx| {
                let context = self.own_policy(tx, caller, uuid)?;
                Ok((context, first_offer(tx, key, now)?))
            })
            .await
    }
}

/// The first answer to the same call, where it came before.
fn first_offer(
    tx: &impl Read,
    key: Option<&Key>,
    now: DateTime<Utc>,
) -> Result<Option<Adjustment>, AppError> {
    let Some(first) = key.map(|key| key.answer::<Uuid>(tx, now)).transpose()? else {
        return Ok(None);
    };
    let first = first.map(|id| tables::ADJUSTMENTS.get(tx, &id));
    Ok(first.transpose()?.flatten())
}
