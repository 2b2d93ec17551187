//! Changes a renewal's price after the renewal's first quote. Quotes the renewal again if the policy
//! was adjusted. Lowers the price to a new customer's price if that price is lower.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::policies::renewals::compare::new_customer_price;
use crate::app::policies::renewals::queue_quote_letter;
use crate::app::policies::renewals::underwrite::underwrite_renewal;
use crate::app::policies::{self, PolicyContext};
use crate::app::quotes::save::save;
use crate::app::quotes::underwrite::Assessed;
use crate::app::quotes::{self, Submission, revision_of};
use crate::app::{App, AppError};
use crate::domain::policy::renewal::{
    self, QuotedRenewal, RenewalEvent, RenewalLetter, merge_changes,
};
use crate::domain::quote::Quote;
use crate::domain::quote::answers::Answers;
use crate::domain::transition::Transition;
use crate::store::{Read, WriteTx, tables};

/// Quotes a renewal again after the policy's answers have changed. Keeps answers that the customer
/// changed only in the renewal.
pub(in crate::app) async fn requote_renewal(app: &App, policy: Uuid) -> Result<(), AppError> {
    loop {
        let now = app.clock.now();
        let found = app
            .store
            .read(|tx| renewal_to_requote(app, tx, policy))
            .await?;
        let Some((context, quote, answers)) = found else {
            return Ok(());
        };
        let policy_state = (context.policy.revision, context.scheduled_change_id());
        let renewal = quote.uuid;
        let (assessed, base) = (
            underwrite_renewal(&app.config, &app.products, &context, &answers, now)?,
            quote.current.number,
        );
        let write = move |tx: &mut WriteTx<'_>| {
            save_requoted(tx, policy, policy_state, (renewal, base), &assessed, now)
        };
        // If the quote or the policy changed after the read, quotes again from the new rows.
        if app.store.write(write).await? {
            return Ok(());
        }
    }
}

/// Lowers the price of the renewal `quote` to a new customer's price of today, if that price is less.
/// Keeps the higher price if underwriting by the newest product file refers, declines or fails.
/// Underwriting fails, for example, if the file asks a new question. Also keeps the price if the
/// renewal can't be bought, or if it was saved again after `quote` was read. Returns the number of the
/// revision to buy.
///
/// # Errors
/// If the store fails, or the policy can't be read. A failed underwriting is only logged.
pub(in crate::app) async fn match_new_customer(app: &App, quote: &Quote) -> Result<u32, AppError> {
    let now = app.clock.now();
    let (renewal, base) = (quote.uuid, quote.current.number);
    let Some(price) = &quote.current.price else {
        return Ok(base);
    };
    let new_customer = new_customer_price(&app.products, quote, now);
    if !quote.is_buyable(now) || new_customer.is_none_or(|new| price.total <= new) {
        return Ok(base);
    }
    let renews = |tx: &_| quotes::renewed_by(app, tx, quote);
    let submission = Submission {
        product: quote.product.clone(),
        answers: Answers::clone(&quote.current.answers),
        renews: app.store.read(renews).await?,
        ..Submission::default()
    };
    let total = price.total;
    let assessed = match quotes::underwrite(&app.config, &app.products, submission, now) {
        Ok(assessed) if assessed.price.as_ref().is_some_and(|new| new.total < total) => assessed,
        // Underwriting refers or declines, or the new price isn't lower.
        Ok(_) => return Ok(base),
        // The newest product file may ask a new question.
        Err(error) => {
            tracing::warn!(error = error.log_text(), %renewal, "a renewal keeps its price");
            return Ok(base);
        }
    };
    app.store
        .write(move |tx| {
            let quote = tables::QUOTES.get(tx, &renewal)?;
            let mut quote = quote.ok_or(AppError::NotFound)?;
            if quote.current.number != base || !quote.is_buyable(now) {
                return Ok(base);
            }
            let outcome = save(tx, &mut quote, &assessed, now)?;
            // A lower price for the same cover needs no second letter.
            let policy = quote.renews.unwrap_or_default();
            if let Some(mut policy) = tables::POLICIES.get(tx, &policy)?
                && let Some(notice) = policy.renewal.quoted().and_then(|quoted| quoted.notice)
                && notice.revision == base
                && let Transition::Applied(status) = renewal::apply(
                    policy.renewal,
                    RenewalEvent::Notified(RenewalLetter {
                        revision: outcome.revision,
                        ..notice
                    }),
                )
            {
                policy.renewal = status;
                tables::POLICIES.put(tx, &policy.uuid, &policy)?;
            }
            Ok::<_, AppError>(outcome.revision)
        })
        .await
}

/// Returns a policy whose renewal must be quoted again, the renewal quote, and the new answers. Returns
/// `None` if the policy has no renewal quote, or the renewal was bought or undone. Also returns `None` if the
/// policy has not changed since the renewal was quoted.
fn renewal_to_requote(
    app: &App,
    tx: &impl Read,
    policy: Uuid,
) -> Result<Option<(PolicyContext, Quote, Answers)>, AppError> {
    let context = policies::policy_unchecked(app, tx, policy)?;
    let Some(quoted) = context.policy.renewal.quoted().copied() else {
        return Ok(None);
    };
    let quote = renewal_row(tx, quoted.quote)?;
    let now = (context.policy.revision, context.scheduled_change_id());
    if quote.status.may_be_policy() || (quoted.follows, quoted.scheduled_change) == now {
        return Ok(None);
    }
    let answers = updated_answers(tx, &context, &quote, &quoted)?;
    Ok(Some((context, quote, answers)))
}

pub(super) fn renewal_row(tx: &impl Read, renewal: Uuid) -> Result<Quote, AppError> {
    let quote = tables::QUOTES.get(tx, &renewal)?;
    quote.ok_or(AppError::NotFound)
}

/// Returns the answers of a renewal, with the policy's changes since the renewal was `quoted`.
/// Includes a change that is agreed for a later day.
fn updated_answers(
    tx: &impl Read,
    context: &PolicyContext,
    renewal: &Quote,
    quoted: &QuotedRenewal,
) -> Result<Answers, AppError> {
    let before = match quoted.scheduled_change {
        Some(change) => {
            let change = tables::ADJUSTMENTS.get(tx, &change)?;
            Arc::new(change.ok_or(AppError::NotFound)?.answers)
        }
        None => revision_of(tx, &context.quote, quoted.follows)?.answers,
    };
    let chosen = Answers::clone(&renewal.current.answers);
    Ok(merge_changes(&before, context.scheduled_answers(), chosen))
}

/// Saves a renewal that was underwritten for the policy's revision `number`, for `scheduled_change`
/// and for the quote's revision `base`. Returns false and saves nothing if one of the three has
/// changed. Returns true and saves nothing if the renewal was bought or undone.
fn save_requoted(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    (number, scheduled_change): (u32, Option<Uuid>),
    (renewal, base): (Uuid, u32),
    assessed: &Assessed,
    now: DateTime<Utc>,
) -> Result<bool, AppError> {
    let (row, quote) = (
        tables::POLICIES.get(tx, &policy)?,
        tables::QUOTES.get(tx, &renewal)?,
    );
    let (Some(mut row), Some(mut quote)) = (row, quote) else {
        return Err(AppError::NotFound);
    };
    if quote.status.may_be_policy() {
        return Ok(true);
    }
    let agreed = row.scheduled_change.map(|change| change.id);
    if (row.revision, agreed, quote.current.number) != (number, scheduled_change, base) {
        return Ok(false);
    }
    let outcome = save(tx, &mut quote, assessed, now)?;
    let follows = RenewalEvent::Requoted {
        follows: number,
        scheduled_change,
    };
    if let Transition::Applied(status) = renewal::apply(row.renewal, follows) {
        row.renewal = status;
        tables::POLICIES.put(tx, &row.uuid, &row)?;
    }
    queue_quote_letter(tx, policy, outcome.status, renewal, now).map(|()| true)
}
