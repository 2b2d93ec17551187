//! Offering an adjustment: its price is worked out and holds for 24 hours.

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use uuid::Uuid;

use crate::app::idempotency::IdempotencyKey;
use crate::app::policies::adjustments::daily_limit::DailyChangeLimit;
use crate::app::policies::adjustments::history::{Offered, published_days};
use crate::app::policies::{PolicyContext, refuse};
use crate::app::{App, AppError, Caller};
use crate::domain::money::Pence;
use crate::domain::policy::adjustment::Adjustment;
use crate::domain::policy::adjustment::changed_answers;
use crate::domain::quote::answers::Answers;
use crate::domain::quote::lookup::LookupRef;
use crate::json_schema::ResponseSchema;
use crate::store::{WriteTx, tables};

/// What a change would cost, when nothing of it is stored.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
#[serde(rename = "ChangePrice")]
pub struct PricedChange {
    /// The first day of the change.
    effective_date: NaiveDate,
    /// What the whole term costs as it is, and with the change.
    premium_before: Pence,
    premium_after: Pence,
    /// What would be due for the days that are left; comes back when negative.
    amount_now: Pence,
    days_left: u32,
    days_in_term: u32,
}

/// What a change is to do.
#[derive(Clone, Debug)]
pub struct WishedChange {
    /// All answers, or only the changed ones; a repeatable dataset whole.
    pub answers: Answers,
    /// The first day it counts; none for the first day it can be.
    pub effective: Option<NaiveDate>,
    /// The look-ups that the answers come from, or were held against.
    pub lookups: Vec<LookupRef>,
}

impl App {
    /// Works out what changed answers would cost, by the same rules as [`App::offer_adjustment`], and
    /// stores nothing: it is asked again and again while somebody types. It reads no look-ups, so what
    /// they would fill has to be there.
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
            effective_date: assessed.effective,
            premium_before: context.premium(),
            premium_after: assessed.price.taxed,
            amount_now: assessed.figures.amount,
            days_left: published_days(assessed.figures.days_left),
            days_in_term: published_days(assessed.figures.days_in_term),
        })
    }

    /// Works out what changed answers cost, and holds that price for 24 hours. Nothing changes yet.
    ///
    /// # Errors
    /// [`AppError::Invalid`] with the look-ups at fault, or else with every field; a refusal by underwriting or where
    /// nothing changes, a conflict when the policy can't be changed any more.
    pub async fn offer_adjustment(
        &self,
        caller: &Caller,
        uuid: Uuid,
        change: WishedChange,
        key: Option<IdempotencyKey>,
    ) -> Result<Offered, AppError> {
        self.apply_due_actions(uuid).await?;
        let now = self.clock.now();
        let offer = self
            .once(key, now, async {
                let context = self.own_context(caller, uuid).await?;
                self.disk_space.ensure()?;
                let offer = self.assess_request(&context, change, now).await?;
                Ok(keep_offer(offer, self.daily_change_limit(now)))
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
        change: WishedChange,
        key: Option<IdempotencyKey>,
    ) -> Result<(), AppError> {
        self.apply_due_actions(uuid).await?;
        let now = self.clock.now();
        let offer = self
            .once(key, now, async {
                let context = self.own_context(caller, uuid).await?;
                self.disk_space.ensure()?;
                let offer = self.assess_request(&context, change, now).await?;
                if offer.price.taxed != context.premium() {
                    return Err(AppError::rule(
                        "price_changes",
                        "This changes your price. Please look at the new price first.",
                    ));
                }
                Ok(keep_offer(offer, self.daily_change_limit(now)))
            })
            .await?
            .answer();
        // Also for a repeated call: the process may have stopped after the offer was stored.
        self.accept_adjustment(caller, uuid, offer)
            .await
            .map(|_| ())
    }

    /// Holds a change's look-ups against our copies, and assesses it.
    async fn assess_request(
        &self,
        context: &PolicyContext,
        change: WishedChange,
        now: DateTime<Utc>,
    ) -> Result<Adjustment, AppError> {
        refuse(context.permitted_actions(self.clock.today()).change)?;
        let mut answers = changed_answers::merge(&context.revision.answers, change.answers);
        let lookups = self
            .take_lookups(&context.product, &mut answers, change.lookups, now)
            .await?;
        let assessed = self.assess_adjustment(context, answers, change.effective)?;
        Ok(self.new_adjustment(context, assessed, lookups, now))
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
    a_day: DailyChangeLimit,
) -> impl Fn(&mut WriteTx<'_>) -> Result<Uuid, AppError> {
    move |tx| {
        a_day.require_offer(tx, offer.policy)?;
        tables::ADJUSTMENTS.put_new(tx, &offer.id, &offer)?;
        Ok(offer.id)
    }
}
