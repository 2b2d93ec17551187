//! Offers an adjustment: calculates its price, which holds for 24 hours.

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use uuid::Uuid;

use crate::app::idempotency::{self, IdempotencyKey};
use crate::app::policies::adjustments::accept::accept_adjustment;
use crate::app::policies::adjustments::assess::{assess_adjustment, new_adjustment};
use crate::app::policies::adjustments::daily_limit::{DailyChangeLimit, daily_change_limit};
use crate::app::policies::adjustments::history::{Offered, offered, published_days};
use crate::app::policies::plans::{PlanOffer, plan_after};
use crate::app::policies::{self, PolicyContext, plans, refuse};
use crate::app::{App, AppError, Caller, lookups};
use crate::clock::Clock;
use crate::config::Config;
use crate::domain::money::Pence;
use crate::domain::policy::adjustment::{Adjustment, changed_answers};
use crate::domain::quote::answers::Answers;
use crate::domain::quote::lookup::LookupRef;
use crate::json_schema::ResponseSchema;
use crate::store::{Store, WriteTx, tables};

/// The price of a change that is not stored.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
#[serde(rename = "ChangePrice")]
pub struct PricedChange {
    /// The first day of the change.
    effective_date: NaiveDate,
    /// The premium of a whole term without the change, in pounds, with tax and without charges.
    premium_before: Pence,
    /// The premium of a whole term with the change, in pounds, with tax and without charges.
    premium_after: Pence,
    /// The amount for the days that are left, in pounds. A negative amount is refunded.
    amount_now: Pence,
    /// Days left in the term, the first day of the change included.
    days_left: u32,
    /// Days of the whole term.
    days_in_term: u32,
    /// The policy's plan after the change, if the amount is spread over its payments. Nothing is then due at
    /// once.
    plan: Option<PlanOffer>,
}

#[derive(Clone, Debug)]
pub struct WishedChange {
    /// All answers, or only the changed ones. A repeatable dataset must be complete.
    pub answers: Answers,
    /// The first day of the change; `None` for the first possible day.
    pub effective: Option<NaiveDate>,
    /// References to the look-ups of the answers.
    pub lookups: Vec<LookupRef>,
}

/// Returns what changed answers would cost, by the rules of [`offer_adjustment`]. Stores nothing,
/// because the website requests prices repeatedly while the customer types. Reads no look-ups, so the
/// answers must contain the values that a look-up would fill.
///
/// # Errors
/// As [`access::owned_policy`](crate::app::access::owned_policy) and [`assess_adjustment`].
pub async fn price_adjustment(
    app: &App,
    caller: &Caller,
    uuid: Uuid,
    changed: Answers,
    effective: Option<NaiveDate>,
) -> Result<PricedChange, AppError> {
    let context = own_context(app, caller, uuid).await?;
    let assessed = assess_adjustment(&app.clock, &app.config, &context, changed, effective)?;
    let (terms, today) = (
        (assessed.figures.amount, assessed.effective),
        app.clock.today(),
    );
    // A payment may be due. Offering the change is then refused.
    let plan = app
        .store
        .read(|tx| Ok::<_, AppError>(plan_after(tx, uuid, terms, today).unwrap_or_default()))
        .await?;
    Ok(PricedChange {
        plan: plan.as_ref().map(|(plan, _)| PlanOffer::from(plan)),
        effective_date: assessed.effective,
        premium_before: context.premium(),
        premium_after: assessed.price.taxed,
        amount_now: assessed.figures.amount,
        days_left: published_days(assessed.figures.days_left),
        days_in_term: published_days(assessed.figures.days_in_term),
    })
}

/// Calculates what changed answers cost, and stores the offer, which holds for 24 hours. The policy
/// does not change yet.
///
/// # Errors
/// As [`price_adjustment`]. [`AppError::Invalid`] with the invalid look-ups. A refusal if the daily
/// limit is reached. A conflict if the idempotency key belongs to another request. An error if the
/// disk is short of space.
pub async fn offer_adjustment(
    app: &App,
    caller: &Caller,
    uuid: Uuid,
    change: WishedChange,
    key: Option<IdempotencyKey>,
) -> Result<Offered, AppError> {
    policies::apply_due_actions(app, uuid).await?;
    let now = app.clock.now();
    let offer = idempotency::once(&app.store, key, now, async {
        let context = own_context(app, caller, uuid).await?;
        app.disk_space.ensure()?;
        let offer =
            assess_request(&app.store, &app.clock, &app.config, &context, change, now).await?;
        Ok(keep_offer(offer, daily_change_limit(&app.config, now)))
    })
    .await?
    .answer();
    offered(app, caller, uuid, offer).await
}

/// Agrees to an adjustment that does not change the price.
///
/// # Errors
/// As [`offer_adjustment`] and [`accept_adjustment`]. A refusal if the adjustment changes the price.
pub async fn accept_same_price(
    app: &App,
    caller: &Caller,
    uuid: Uuid,
    change: WishedChange,
    key: Option<IdempotencyKey>,
) -> Result<(), AppError> {
    policies::apply_due_actions(app, uuid).await?;
    let now = app.clock.now();
    let offer = idempotency::once(&app.store, key, now, async {
        let context = own_context(app, caller, uuid).await?;
        app.disk_space.ensure()?;
        let offer =
            assess_request(&app.store, &app.clock, &app.config, &context, change, now).await?;
        if offer.price.taxed != context.premium() {
            return Err(AppError::rule(
                "price_changes",
                "This changes your price. Please look at the new price first.",
            ));
        }
        Ok(keep_offer(offer, daily_change_limit(&app.config, now)))
    })
    .await?
    .answer();
    // A repeated call also agrees: the process may have stopped after the first call stored the offer.
    accept_adjustment(app, caller, uuid, offer)
        .await
        .map(|_| ())
}

/// Compares the answers of a change with our copies of the look-ups, and assesses the change.
async fn assess_request(
    store: &Store,
    clock: &Clock,
    config: &Config,
    context: &PolicyContext,
    change: WishedChange,
    now: DateTime<Utc>,
) -> Result<Adjustment, AppError> {
    refuse(context.permitted_actions(clock.today()).change)?;
    let mut answers = changed_answers::merge(&context.revision.answers, change.answers);
    let lookups =
        lookups::load_lookups(store, &context.product, &mut answers, change.lookups, now).await?;
    let assessed = assess_adjustment(clock, config, context, answers, change.effective)?;
    Ok(new_adjustment(context, assessed, lookups, now))
}

/// Returns the caller's policy, if no payment of its plan is due.
async fn own_context(app: &App, caller: &Caller, uuid: Uuid) -> Result<PolicyContext, AppError> {
    app.store
        .read(|tx| {
            let context = policies::own_policy(app, tx, caller, uuid)?;
            plans::require_nothing_due(tx, uuid, app.clock.today())?;
            Ok(context)
        })
        .await
}

/// Stores an offered adjustment and returns its id.
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
