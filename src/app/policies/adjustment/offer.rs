//! Offering an adjustment: its price is worked out and holds for 24 hours.

use chrono::NaiveDate;
use uuid::Uuid;

use crate::app::idempotency::IdempotencyKey;
use crate::app::policies::PolicyContext;
use crate::app::policies::adjustment::a_day::ChangesADay;
use crate::app::policies::adjustment::history::Offered;
use crate::app::{App, AppError, Caller, rows};
use crate::domain::adjustment::{Adjustment, AdjustmentFigures};
use crate::domain::answers::Answers;
use crate::domain::money::Pence;
use crate::store::WriteTx;

/// What a change would cost, when nothing of it is stored.
#[derive(Clone, Debug)]
pub struct PricedChange {
    /// The day it would count from.
    pub effective: NaiveDate,
    /// What the whole term costs as it is, pence.
    pub before: Pence,
    /// What it costs with the change, pence.
    pub after: Pence,
    /// What would be due or come back, and for which days.
    pub figures: AdjustmentFigures,
}

impl App {
    /// Works out what changed answers would cost, by the same rules as [`App::offer_adjustment`], and
    /// stores nothing: it is asked again and again while somebody types.
    ///
    /// # Errors
    /// As [`App::offer_adjustment`].
    pub async fn price_adjustment(
        &self,
        caller: &Caller,
        uuid: Uuid,
        changed: Answers,
        effective: Option<NaiveDate>,
    ) -> Result<PricedChange, AppError> {
        let context = self.own_context(caller, uuid).await?;
        let assessed = self.assess_adjustment(&context, changed, effective)?;
        Ok(PricedChange {
            effective: assessed.effective,
            before: context.premium(),
            after: assessed.price.taxed,
            figures: assessed.figures,
        })
    }

    /// Works out what changed answers cost from `effective` on, the first day it can be where none is
    /// given, and holds that price for 24 hours. Nothing changes yet.
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
        key: Option<IdempotencyKey>,
    ) -> Result<Offered, AppError> {
        self.do_what_has_come(uuid).await?;
        let now = self.clock.now();
        let offer = self
            .once(key, now, async {
                let context = self.own_context(caller, uuid).await?;
                self.require_room()?;
                let assessed = self.assess_adjustment(&context, changed, effective)?;
                let offer = self.new_adjustment(&context, assessed, now);
                Ok(keep_offer(offer, self.changes_a_day(now)))
            })
            .await?
            .answer();
        self.offered(caller, uuid, offer).await
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
        key: Option<IdempotencyKey>,
    ) -> Result<(), AppError> {
        self.do_what_has_come(uuid).await?;
        let now = self.clock.now();
        let offer = self
            .once(key, now, async {
                let context = self.own_context(caller, uuid).await?;
                self.require_room()?;
                let assessed = self.assess_adjustment(&context, changed, None)?;
                if assessed.price.taxed != context.premium() {
                    return Err(AppError::refused(
                        "price_changes",
                        "This changes your price. Please look at the new price first.",
                    ));
                }
                let offer = self.new_adjustment(&context, assessed, now);
                Ok(keep_offer(offer, self.changes_a_day(now)))
            })
            .await?
            .answer();
        // Also for a repeated call: the process may have stopped after the offer was stored.
        self.accept_adjustment(caller, uuid, offer)
            .await
            .map(|_| ())
    }

    async fn own_context(&self, caller: &Caller, uuid: Uuid) -> Result<PolicyContext, AppError> {
        self.store
            .read(|tx| self.own_policy(tx, caller, uuid))
            .await
    }
}

/// Stores an offered adjustment and answers its id.
fn keep_offer(
    offer: Adjustment,
    a_day: ChangesADay,
) -> impl Fn(&mut WriteTx<'_>) -> Result<Uuid, AppError> {
    move |tx| {
        a_day.require_offer(tx, offer.policy)?;
        rows::adjustments::put(tx, &offer)?;
        Ok(offer.id)
    }
}
