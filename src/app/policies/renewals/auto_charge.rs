//! The stored card that pays for a renewal, where the customer chose automatic renewal.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::payments::checkout::attempts::attempts;
use crate::app::policies::context::has_card_consent;
use crate::app::policies::renewals::queue::queue_unpaid_letter;
use crate::app::policies::renewals::requote::match_new_customer;
use crate::app::policies::{self, PolicyContext, refuse};
use crate::app::{App, AppError, Caller, access, payments};
use crate::domain::policy::renewal::{self, RenewalEvent};
use crate::domain::quote::{Acceptance, PaymentFrequency, QuoteStatus};
use crate::domain::time::dates::london_date;
use crate::domain::transition::Transition;
use crate::store::WriteTx;
use crate::store::tables::{self, Task};

/// Switches a policy's automatic renewal on or off, where whoever paid agreed to it. The card is
/// theirs, and need not be the owner's.
///
/// # Errors
/// A conflict where it can't be renewed automatically, or has ended.
pub async fn switch_auto_renew(
    app: &App,
    caller: &Caller,
    uuid: Uuid,
    auto_renew: bool,
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
            tables::POLICIES.put(tx, &policy.uuid, &policy)?;
            Ok(auto_renew)
        })
        .await
}

/// Charges the stored card for a renewal, once, and only the price that a letter told the
/// customer. Where that is not possible, a letter says so and the customer can pay on the
/// website.
///
/// # Errors
/// When the store fails, or the gateway's answer isn't clear; the job is tried again.
pub(in crate::app) async fn renew_by_card(app: &App, policy: Uuid) -> Result<(), AppError> {
    let now = app.clock.now();
    let context = app
        .store
        .read(|tx| policies::policy_unchecked(app, tx, policy))
        .await?;
    let Some(renewal) = context.policy.renewal.quote() else {
        return Ok(());
    };
    match pay_by_card(app, &context, renewal).await {
        Err(error) if !may_succeed_later(&error) => {
            tracing::error!(error = error.log_text(), %policy, "a renewal can't be paid for by its card");
            app.store
                .write(move |tx| queue_unpaid_letter(tx, policy, now))
                .await
        }
        done => done,
    }
}

async fn pay_by_card(app: &App, context: &PolicyContext, renewal: Uuid) -> Result<(), AppError> {
    let now = app.clock.now();
    let (policy, card) = (context.policy.uuid, context.policy.payment);
    let existing = app
        .store
        .read(|tx| attempts(tx, renewal))
        .await?
        .iter()
        .any(|attempt| attempt.stored_card == Some(card));
    // A charge that was begun before the process stopped is completed for the price it was
    // begun with.
    if !existing {
        match_new_customer(app, renewal).await?;
        let accepted = app
            .store
            .write(move |tx| accept_notified_terms(tx, policy, renewal, now))
            .await?;
        if !accepted {
            return Ok(());
        }
    }
    payments::charge_stored(app, renewal, card)
        .await
        .map(|_| ())
}

/// Whether another try may succeed.
const fn may_succeed_later(error: &AppError) -> bool {
    matches!(
        error,
        AppError::Internal(_)
            | AppError::ServiceUnavailable(_)
            | AppError::Unavailable
            | AppError::StoreClosed(_)
    )
}

/// Accepts a renewal for a customer who chose automatic renewal, at the price the letter told them;
/// false when there is nothing to charge. Once cover has ended the letter about that has a link to pay.
fn accept_notified_terms(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    renewal: Uuid,
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
    let scheduled = row.scheduled_change.map(|scheduled| scheduled.id);
    let as_told = row.renewal.quoted().is_some_and(|quoted| {
        (quoted.follows, quoted.scheduled_change) == (row.revision, scheduled)
            && quoted.notified_revision == Some(quote.current.number)
    }) && quote.is_buyable(now);
    let Some(price) = quote.current.price.as_ref().filter(|_| as_told) else {
        // No letter where the renewal was bought on the website, or where a letter has said that
        // underwriting declined it.
        let declined = matches!(quote.status, QuoteStatus::Declined | QuoteStatus::Refer);
        if !quote.status.may_be_policy() && !declined {
            queue_unpaid_letter(tx, policy, now)?;
        }
        return Ok(false);
    };
    quote.accepted = Some(Acceptance {
        revision: quote.current.number,
        amount: price.total,
        at: now,
        frequency: PaymentFrequency::Annual,
        // The wish is the policy's. Who pays by hand, if the card is refused, is asked anew.
        auto_renew: false,
    });
    tables::QUOTES.put(tx, &quote.uuid, &quote)?;
    Ok(true)
}

/// Queues the charging of a policy's card for its renewal, once.
pub(in crate::app) fn queue_charge(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let Some(mut row) = tables::POLICIES.get(tx, &policy)? else {
        return Ok(());
    };
    let due = renewal::apply(row.renewal, RenewalEvent::CardDue);
    // A policy that is to be cancelled doesn't renew by itself.
    let by_itself = row.auto_renew && row.scheduled_end.is_none() && has_card_consent(tx, &row)?;
    let (true, Transition::Applied(status)) = (by_itself, due) else {
        return Ok(());
    };
    row.renewal = status;
    tables::POLICIES.put(tx, &row.uuid, &row)?;
    crate::app::jobs::queue::enqueue(tx, Task::RenewByCard { policy }, now, policy)
}
