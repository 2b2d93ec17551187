//! Switches automatic renewal, and charges the stored card for a renewal.

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use crate::app::payments::checkout::attempts::attempts;
use crate::app::policies::context::{has_card_consent, renews_monthly};
use crate::app::policies::renewals::queue::queue_unpaid_letter;
use crate::app::policies::renewals::requote::{match_new_customer, renewal_row};
use crate::app::policies::{self, PolicyContext, refuse};
use crate::app::quotes::monthly_not_offered;
use crate::app::{App, AppError, Caller, access, payments};
use crate::domain::money::Pence;
use crate::domain::payment::{Payment, PaymentFrequency, PaymentStatus};
use crate::domain::policy::Policy;
use crate::domain::policy::plan::PaymentPlan;
use crate::domain::policy::renewal::{self, RenewalEvent};
use crate::domain::product::{Product, rating};
use crate::domain::quote::{Acceptance, QuoteStatus};
use crate::domain::time::dates::london_date;
use crate::domain::transition::Transition;
use crate::store::tables::{self, Task};
use crate::store::{Read, WriteTx};

/// Switches a policy's automatic renewal on or off. The payer must have agreed: the payer owns the
/// card, and may be another person than the policy's owner. `pays_monthly` decides how the renewal of a policy
/// with a plan is paid; `None` changes nothing. Returns the new setting.
///
/// # Errors
/// As [`access::owned_policy`]. A conflict if the policy can't be renewed automatically, has ended, or
/// the card is being charged. A refusal to pay the renewal monthly if the policy has no plan.
pub async fn switch_auto_renew(
    app: &App,
    caller: &Caller,
    uuid: Uuid,
    auto_renew: bool,
    pays_monthly: Option<bool>,
) -> Result<bool, AppError> {
    let now = app.clock.now();
    let context = app
        .store
        .read(|tx| policies::own_policy(app, tx, caller, uuid))
        .await?;
    refuse(context.permitted_actions(app.clock.today()).auto_renew)?;
    let caller = caller.clone();
    app.store
        .write(move |tx| {
            let (quote, mut policy) = access::owned_policy(tx, &caller, uuid, now)?;
            if quote.status != QuoteStatus::Live || policy.renewal.is_card_asked() {
                return Err(AppError::conflict(
                    "not_possible_now",
                    "This can't be changed any more.",
                ));
            }
            policy.auto_renew = auto_renew;
            if let Some(monthly) = pays_monthly {
                if monthly && !tables::PLANS.has(tx, &uuid)? {
                    return Err(monthly_not_offered());
                }
                policy.renews_at_once = !monthly;
            }
            tables::POLICIES.put(tx, &policy.uuid, &policy)?;
            Ok(auto_renew)
        })
        .await
}

/// Charges the stored card for a renewal, one try, at the price in the customer's letter or a lower price.
/// If the charge is impossible, queues the letter that the renewal is unpaid. Queues no letter if the
/// renewal was bought, undone, declined or referred, or if the policy has expired.
///
/// # Errors
/// If the store fails, or the gateway's response is unclear. The job is then retried.
pub(in crate::app) async fn renew_by_card(app: &App, policy: Uuid) -> Result<(), AppError> {
    let now = app.clock.now();
    // The queued try is the one after the failed ones. So both are read together.
    let found = app
        .store
        .read(|tx| {
            let context = policies::policy_unchecked(app, tx, policy)?;
            let renewal = context.policy.renewal.quote();
            let renewal = renewal.filter(|_| context.policy.renewal.is_charging());
            let charges = renewal.map(|renewal| attempts(tx, renewal)).transpose()?;
            Ok::<_, AppError>(renewal.zip(charges).map(|found| (context, found)))
        })
        .await?;
    let Some((context, (renewal, mut charges))) = found else {
        return Ok(());
    };
    charges.retain(|attempt| attempt.instrument().is_some());
    match pay_by_card(app, &context, renewal, &charges).await {
        Err(error) if !may_succeed_later(&error) => {
            tracing::error!(error = error.log_text(), %policy, "a renewal can't be charged to its card");
            app.store
                .write(move |tx| queue_unpaid_letter(tx, policy, now))
                .await
        }
        done => done,
    }
}

/// Makes the next try. `charges` are the earlier tries, and an unfinished one.
async fn pay_by_card(
    app: &App,
    context: &PolicyContext,
    renewal: Uuid,
    charges: &[Payment],
) -> Result<(), AppError> {
    let now = app.clock.now();
    let policy = context.policy.uuid;
    let is_failed = |charge: &&Payment| charge.status == PaymentStatus::Failed;
    let failed = charges.iter().filter(is_failed).count();
    let existing = charges.iter().find(|charge| !is_failed(charge));
    // The outcome of a charge is asked for also after its card was removed.
    let card = existing.map_or(context.policy.instrument, Payment::instrument);
    let card = card.ok_or_else(payments::no_card_error)?;
    let tries = u32::try_from(failed + 1).unwrap_or(u32::MAX);
    // An attempt of an earlier run of this job is continued at its original price.
    if existing.is_none() {
        let quote = app.store.read(|tx| renewal_row(tx, renewal)).await?;
        match_new_customer(app, &quote).await?;
        let product = app.store.read(|tx| {
            let quote = renewal_row(tx, renewal)?;
            app.products.by_hash(tx, &quote.current.product_hash)
        });
        let product = product.await?;
        let accepted = app
            .store
            .write(move |tx| accept_notified_terms(tx, policy, (renewal, &product), now))
            .await?;
        if !accepted {
            return Ok(());
        }
    }
    payments::charge(app, renewal, card, tries)
        .await
        .map(|_| ())
}

/// Returns whether a retry may succeed.
const fn may_succeed_later(error: &AppError) -> bool {
    matches!(
        error,
        AppError::Internal(_)
            | AppError::ServiceUnavailable(_)
            | AppError::Unavailable
            | AppError::StoreClosed(_)
    )
}

/// Accepts a renewal on behalf of a customer with automatic renewal, at the price of which the customer was
/// notified. Returns false if the policy has expired or the renewal can't be bought. Also returns false if
/// the customer was not notified of the renewal's newest revision. Also returns false if the policy changed
/// after the quote. After expiry, queues no letter: the letter about the policy's end has a link to pay.
fn accept_notified_terms(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    (renewal, product): (Uuid, &Product),
    now: DateTime<Utc>,
) -> Result<bool, AppError> {
    let (row, quote) = (
        tables::POLICIES.get(tx, &policy)?,
        tables::QUOTES.get(tx, &renewal)?,
    );
    let (Some(row), Some(mut quote)) = (row, quote) else {
        return Err(AppError::NotFound);
    };
    if row.expiry < london_date(now) {
        return Ok(false);
    }
    let today = london_date(now);
    let before = tables::PLANS.get(tx, &policy)?;
    // A policy with unpaid payments isn't charged for its renewal. The letter has a link to pay.
    if before
        .as_ref()
        .is_some_and(|plan| plan.due(today) > Pence::ZERO)
    {
        queue_unpaid_letter(tx, policy, now)?;
        return Ok(false);
    }
    let scheduled = row.scheduled_change.map(|scheduled| scheduled.id);
    let matches_letter = row.renewal.quoted().is_some_and(|quoted| {
        (quoted.follows, quoted.scheduled_change) == (row.revision, scheduled)
            && quoted
                .notice
                .is_some_and(|notice| notice.revision == quote.current.number)
    }) && quote.is_buyable(now);
    let Some(price) = quote.current.price.as_ref().filter(|_| matches_letter) else {
        // Queues no letter if the renewal was bought or undone. Queues none if underwriting declined
        // or referred the renewal: the customer gets a letter about the decline.
        let declined = matches!(quote.status, QuoteStatus::Declined | QuoteStatus::Refer);
        if !quote.status.may_be_policy() && !declined {
            queue_unpaid_letter(tx, policy, now)?;
        }
        return Ok(false);
    };
    let plan = match renews_monthly(tx, &row)? {
        true => rating::monthly_plan(product, price, today),
        false => None,
    };
    quote.accepted = Some(Acceptance {
        revision: quote.current.number,
        amount: plan.as_ref().map_or(price.total, PaymentPlan::collected),
        at: now,
        frequency: plan
            .as_ref()
            .map_or(PaymentFrequency::Annual, PaymentPlan::frequency),
        // The attempt stores the consent. A customer who pays on the website after a declined charge
        // chooses automatic renewal again.
        consent: None,
    });
    tables::QUOTES.put(tx, &quote.uuid, &quote)?;
    Ok(true)
}

/// Queues the next try of charging a policy's stored card for its renewal. Does nothing if automatic renewal
/// is off, the payer did not agree, or no try is due.
pub(in crate::app) fn queue_charge(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let Some(mut row) = tables::POLICIES.get(tx, &policy)? else {
        return Ok(());
    };
    let today = london_date(now);
    if !is_charge_day(tx, &row, today)? {
        return Ok(());
    }
    let due = renewal::apply(row.renewal, RenewalEvent::CardDue { today });
    // A policy with a scheduled cancellation does not renew automatically.
    let by_itself = row.auto_renew && row.scheduled_end.is_none() && has_card_consent(tx, &row)?;
    let (true, Transition::Applied(status)) = (by_itself, due) else {
        return Ok(());
    };
    row.renewal = status;
    tables::POLICIES.put(tx, &row.uuid, &row)?;
    crate::app::jobs::queue::enqueue(tx, Task::RenewByCard { policy }, now, policy)
}

/// Returns whether the day of the first try has come. The letter about the renewal's newest revision must have
/// been sent before.
fn is_charge_day(tx: &impl Read, row: &Policy, today: NaiveDate) -> Result<bool, AppError> {
    let Some(notice) = row.renewal.quoted().and_then(|quoted| quoted.notice) else {
        return Ok(false);
    };
    let renewal = row
        .renewal
        .quote()
        .map(|renewal| tables::QUOTES.get(tx, &renewal));
    let renewal = renewal.transpose()?.flatten();
    let is_newest = renewal.is_some_and(|own| own.current.number == notice.revision);
    let first = renewal::charge_day(row.expiry, notice.on);
    Ok(is_newest && first.is_some_and(|day| day <= today))
}
