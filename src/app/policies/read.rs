//! Reads a policy for its page.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use uuid::Uuid;

use crate::app::payments::refunds::unrefunded;
use crate::app::policies::actions::PermittedActions;
use crate::app::policies::adjustments::{self, Offered};
use crate::app::policies::cancellations::{self, ActivityInfo};
use crate::app::policies::context::context_with;
use crate::app::policies::plans::{PlanInfo, open_charge_status};
use crate::app::policies::renewals::{self, RenewalInfo, RenewalPreview};
use crate::app::quotes::read::QuoteView;
use crate::app::{App, AppError, Caller, access, quotes};
use crate::domain::money::Pence;
use crate::domain::policy::DayRange;
use crate::domain::policy::adjustment::changed_answers;
use crate::domain::quote::QuoteStatus;
use crate::json_schema::ResponseSchema;
use crate::store::{Read, tables};

/// The actions that are possible for a policy now.
#[derive(Serialize, ResponseSchema)]
pub struct PolicyCan {
    view: bool,
    change: bool,
    cancel: bool,
    not_take_up: bool,
    renew: bool,
    auto_renew: bool,
}

/// The policy that a quote became.
#[derive(Serialize, ResponseSchema)]
pub struct PolicyInfo {
    inception: NaiveDate,
    expiry: NaiveDate,
    /// The first moment of cover.
    cover_begins: DateTime<Utc>,
    auto_renew: bool,
    /// The customer's payments, less refunds, lost disputes and reversals, in pounds. Refunds that are owed
    /// and not made yet are deducted too.
    paid: Pence,
    /// Whether a dispute of a payment is undecided, so that a refund of this payment waits. False for every
    /// reader but the owner.
    is_disputed: bool,
    purchased: DateTime<Utc>,
    can: PolicyCan,
    /// The reasons against actions, by the action's name in `can`. A false `renew` has a reason only if the
    /// renewal was undone or declined.
    why_not: BTreeMap<String, String>,
    /// Answers that a change can't alter, as `field` or `dataset.field`.
    locked: Vec<String>,
    /// Whether the shop may charge the card of the purchase for a renewal. True only if the payer agreed
    /// before the payment, and the gateway stores cards.
    card_stored: bool,
    /// The plan of a policy that is paid monthly. Null for every other policy.
    plan: Option<PlanInfo>,
    /// The cancellation. Null if the policy was not ended early.
    cancellation: Option<ActivityInfo>,
    /// The cancellation for a later day. Null if there is none, and for every reader but the owner.
    pending_cancellation: Option<ActivityInfo>,
    /// The change that is agreed for a later day. Null if there is none, and for every reader but the owner.
    scheduled_change: Option<Offered>,
    /// The days from which a change may count. Null while the reader can't change the policy.
    change_days: Option<DayRange>,
    /// The later days, beside today, for which the policy may be cancelled. Null if there are none, and for
    /// every reader but the owner. Also null if a cancellation is pending.
    cancel_days: Option<DayRange>,
    /// Whether a renewal by card is paid monthly.
    renews_monthly: bool,
    /// The renewal quote. Null if the renewal is not quoted yet.
    renewal: Option<RenewalInfo>,
    /// What happens after the last day. For a policy with a scheduled cancellation, this is what happens if
    /// the customer withdraws the cancellation.
    next_year: RenewalPreview,
    /// The policy that renews this policy. Null if there is none.
    renewed_by: Option<Uuid>,
    /// The policy that this policy renews. Null if there is none.
    renews: Option<Uuid>,
}

/// Returns a policy with the quote that it came from.
///
/// # Errors
/// As [`access::quote_of`]. [`AppError::NotFound`] for a quote that is not a policy yet.
pub async fn read_policy(
    app: &App,
    caller: &Caller,
    uuid: Uuid,
) -> Result<(QuoteView, PolicyInfo), AppError> {
    app.store
        .read(|tx| policy_info(app, tx, caller, uuid))
        .await
}

fn policy_info(
    app: &App,
    tx: &impl Read,
    caller: &Caller,
    uuid: Uuid,
) -> Result<(QuoteView, PolicyInfo), AppError> {
    let today = app.clock.today();
    let view = quotes::view_for(&app.clock, &app.config, &app.products, tx, caller, uuid)?;
    let policy = view.policy.clone().ok_or(AppError::NotFound)?;
    let read = (view.revision().clone(), view.product.clone());
    let context = context_with(app, tx, (view.quote.clone(), policy), read.0, read.1)?;
    let payments = unrefunded::policy_payments(tx, uuid)?;
    let is_owner = access::owned_policy(tx, caller, uuid, app.clock.now()).is_ok();
    let may = if is_owner {
        context.permitted_actions(today)
    } else {
        PermittedActions::none(view.ownership)
    };
    let renewal = renewals::renewal_of(&app.clock, &app.products, tx, &context)?;
    let is_quoted = |renewal: &renewals::RenewalComparison| renewal.status == QuoteStatus::Quote;
    let (can, why_not) = policy_can(&may, is_owner && renewal.as_ref().is_some_and(is_quoted));
    let scheduled = context.scheduled.as_ref().filter(|_| is_owner);
    let pending = if is_owner {
        cancellations::pending_of(tx, &context, today)?
    } else {
        None
    };
    let plan = tables::PLANS.get(tx, &uuid)?;
    let charge = plan.as_ref().map(|plan| open_charge_status(tx, uuid, plan));
    let charge = charge.transpose()?.flatten();
    let change_days = context.change_days(today).filter(|_| may.change.is_ok());
    let cancel_days = context.policy.cancellation_days(today);
    let has_no_end = may.cancel.is_ok() && context.policy.scheduled_end.is_none();
    let is_disputed = payments.iter().any(|(_, balance)| balance.is_disputed);
    let info = PolicyInfo {
        inception: context.policy.inception,
        expiry: context.policy.expiry,
        cover_begins: context.policy.cover_begins,
        auto_renew: context.renews_by_itself(),
        paid: payments
            .iter()
            .map(|(_, balance)| balance.refundable())
            .sum(),
        is_disputed: is_owner && is_disputed,
        purchased: context.policy.purchased,
        can,
        why_not,
        locked: changed_answers::locked_fields(&context.product),
        card_stored: context.card_stored,
        plan: plan.map(|plan| PlanInfo::new((&plan, charge), &payments, &context, today)),
        cancellation: cancellations::completed_progress(tx, &context)?.map(ActivityInfo::from),
        pending_cancellation: pending.map(ActivityInfo::from),
        scheduled_change: scheduled
            .map(|change| adjustments::offered_in(app, tx, caller, change.clone()))
            .transpose()?,
        change_days,
        cancel_days: cancel_days.filter(|_| has_no_end),
        renews_monthly: context.renews_monthly,
        renewal: renewal
            .as_ref()
            .map(|own| RenewalInfo::new(own, context.renewal_plan.as_ref())),
        next_year: context.next_year(today),
        renewed_by: renewal
            .filter(|renewal| renewal.status.is_policy())
            .map(|renewal| renewal.quote),
        renews: context.quote.renews,
    };
    Ok((view, info))
}

/// Returns the permitted actions, and the reasons against the others. `renew`: whether a renewal
/// can be bought.
fn policy_can(may: &PermittedActions, renew: bool) -> (PolicyCan, BTreeMap<String, String>) {
    let rules = [
        ("change", &may.change),
        ("cancel", &may.cancel),
        ("not_take_up", &may.not_take_up),
        ("auto_renew", &may.auto_renew),
    ];
    let refused = rules.into_iter().filter_map(|(name, rule)| {
        let why = rule.as_ref().err()?;
        Some((name.to_string(), why.to_string()))
    });
    let not_renewed = may.not_renewed.clone();
    let not_renewed = not_renewed.map(|why| ("renew".to_string(), why));
    let can = PolicyCan {
        view: true,
        change: may.change.is_ok(),
        cancel: may.cancel.is_ok(),
        not_take_up: may.not_take_up.is_ok(),
        renew,
        auto_renew: may.auto_renew.is_ok(),
    };
    (can, refused.chain(not_renewed).collect())
}
