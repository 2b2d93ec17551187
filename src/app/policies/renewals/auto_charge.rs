//! Switches automatic renewal, and charges the stored card for a renewal.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::payments::checkout::attempts::attempts;
use crate::app::policies::context::has_card_consent;
use crate::app::policies::renewals::queue::queue_unpaid_letter;
use crate::app::policies::renewals::requote::{match_new_customer, renewal_row};
use crate::app::policies::{self, PolicyContext, refuse};
use crate::app::{App, AppError, Caller, access, payments};
use crate::domain::policy::renewal::{self, RenewalEvent};
use crate::domain::quote::{Acceptance, PaymentFrequency, QuoteStatus};
use crate::domain::time::dates::london_date;
use crate::domain::transition::Transition;
use crate::store::WriteTx;
use crate::store::tables::{self, Task};

/// Switches a policy's automatic renewal on or off. The payer must have agreed: the payer owns the
/// card, and may be another person than the policy's owner. Returns the new setting.
///
/// # Errors
/// As [`access::owned_policy`]. A conflict if the policy can't be renewed automatically, has ended, or
/// the card is being charged.
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

/// Charges the stored card for a renewal once, at the price in the customer's letter or a lower price.
/// If the charge is impossible, queues the letter that the renewal is unpaid. Queues no letter if the
/// renewal was bought, undone, declined or referred, or if the policy has expired.
///
/// # Errors
/// If the store fails, or the gateway's response is unclear. The job is then retried.
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
            tracing::error!(error = error.log_text(), %policy, "a renewal can't be charged to its card");
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
    // An attempt of an earlier run of this job is continued at its original price.
    if !existing {
        let quote = app.store.read(|tx| renewal_row(tx, renewal)).await?;
        match_new_customer(app, &quote).await?;
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
        // Queues no letter if the renewal was bought or undone. Queues none if underwriting declined
        // or referred the renewal: the customer gets a letter about the decline.
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
        // The attempt stores automatic renewal. A customer who pays on the website after a declined
        // charge chooses automatic renewal again.
        auto_renew: false,
    });
    tables::QUOTES.put(tx, &quote.uuid, &quote)?;
    Ok(true)
}

/// Queues the charge of a policy's stored card for its renewal, once. Does nothing if automatic renewal
/// is off, the payer did not agree, or no charge is due.
pub(in crate::app) fn queue_charge(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let Some(mut row) = tables::POLICIES.get(tx, &policy)? else {
        return Ok(());
    };
    let due = renewal::apply(row.renewal, RenewalEvent::CardDue);
    // A policy with a scheduled cancellation does not renew automatically.
    let by_itself = row.auto_renew && row.scheduled_end.is_none() && has_card_consent(tx, &row)?;
    let (true, Transition::Applied(status)) = (by_itself, due) else {
        return Ok(());
    };
    row.renewal = status;
    tables::POLICIES.put(tx, &row.uuid, &row)?;
    crate::app::jobs::queue::enqueue(tx, Task::RenewByCard { policy }, now, policy)
}
