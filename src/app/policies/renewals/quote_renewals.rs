//! Quotes the renewals that are due today or were due earlier.

use std::collections::HashSet;

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use crate::app::jobs::batches::{each, first_due, note_failed_row};
use crate::app::policies::renewals::queue::queue_quote_letter;
use crate::app::policies::renewals::underwrite::underwrite_renewal;
use crate::app::quotes::save::{new_quote, save};
use crate::app::quotes::underwrite::Assessed;
use crate::app::{App, AppError, jobs, new_id, policies};
use crate::domain::policy::Policy;
use crate::domain::policy::renewal::{self, RenewalEvent};
use crate::domain::quote::QuoteStatus;
use crate::domain::time::dates;
use crate::domain::transition::Transition;
use crate::store::{AnyTable, Read, ReadTx, WriteTx, tables};

/// The day on which a renewal is due, and the id of its policy.
type RenewalKey = (NaiveDate, Uuid);

/// A renewal ready to be stored.
#[derive(Clone)]
struct RenewalDraft {
    policy: Uuid,
    due: NaiveDate,
    owner: Option<Uuid>,
    base: u32,
    scheduled_change: Option<Uuid>,
    uuid: Uuid,
    prefix: String,
    assessed: Assessed,
}

/// The outcome for a policy whose renewal is due.
#[derive(Clone)]
enum QuotingOutcome {
    Quoted(Box<RenewalDraft>),
    /// The event that replaces quoting.
    NotQuoted(RenewalEvent),
}

/// Quotes the renewals that are due, in batches. One transaction stores the quote and the renewal's
/// status, so that a restart quotes nothing twice.
pub(in crate::app) async fn quote_due_renewals(app: &App) -> Result<(), AppError> {
    let (now, today) = (app.clock.now(), app.clock.today());
    let mut stay = HashSet::new();
    loop {
        let outcomes = app
            .store
            .read(|tx| due_renewals(app, tx, &stay, now, today))
            .await?;
        if outcomes.is_empty() {
            return Ok(());
        }
        let table = tables::POLICY_BY_RENEWAL.name();
        let write = each(move |tx, key, outcome| match outcome {
            QuotingOutcome::Quoted(renewal) => write_renewal(tx, renewal, now),
            QuotingOutcome::NotQuoted(event) => not_quoted_error(tx, key, *event),
        });
        stay.extend(jobs::write_each(&app.store, table, outcomes, write).await?);
    }
}

/// Returns the next policies whose renewal is due, each with its outcome. Skips the keys in `stay`.
fn due_renewals(
    app: &App,
    tx: &ReadTx,
    stay: &HashSet<RenewalKey>,
    now: DateTime<Utc>,
    today: NaiveDate,
) -> Result<Vec<(RenewalKey, QuotingOutcome)>, AppError> {
    let due = first_due(&tables::POLICY_BY_RENEWAL, tx, stay, |(day, _), ()| {
        *day <= today
    })?;
    let outcomes = due.into_iter().map(|key| {
        let outcome = match prepare_renewal(app, tx, key, now) {
            Ok(Some(renewal)) => QuotingOutcome::Quoted(Box::new(renewal)),
            Ok(None) => QuotingOutcome::NotQuoted(RenewalEvent::PolicyEnded),
            // A failed renewal is postponed to tomorrow, so that it does not delay others today.
            Err(error) => {
                note_failed_row(tables::POLICY_BY_RENEWAL.name(), &key, &error);
                let to = dates::add_days(today, 1);
                QuotingOutcome::NotQuoted(RenewalEvent::Postponed { to })
            }
        };
        (key, outcome)
    });
    Ok(outcomes.collect())
}

/// Returns the renewal of the policy at `key`, or `None` if the policy has ended.
fn prepare_renewal(
    app: &App,
    tx: &impl Read,
    (due, policy): RenewalKey,
    now: DateTime<Utc>,
) -> Result<Option<RenewalDraft>, AppError> {
    let context = policies::policy_unchecked(app, tx, policy)?;
    if context.quote.status != QuoteStatus::Live || context.policy.expiry < dates::london_date(now)
    {
        return Ok(None);
    }
    Ok(Some(RenewalDraft {
        policy,
        due,
        owner: context.quote.owner,
        base: context.policy.revision,
        scheduled_change: context.scheduled_change_id(),
        uuid: new_id(now),
        prefix: context.product.reference_prefix().to_string(),
        assessed: underwrite_renewal(
            &app.config,
            &app.products,
            &context,
            context.scheduled_answers(),
            now,
        )?,
    }))
}

/// Records the event that replaces quoting on the policy at `key`.
fn not_quoted_error(
    tx: &mut WriteTx<'_>,
    key: &RenewalKey,
    event: RenewalEvent,
) -> Result<(), AppError> {
    match tables::POLICIES.get(tx, &key.1)? {
        Some(mut policy) if policy.renewal.due() == Some(key.0) => {
            if let Transition::Applied(renewal) = renewal::apply(policy.renewal, event) {
                policy.renewal = renewal;
                tables::POLICIES.put(tx, &policy.uuid, &policy)?;
            }
        }
        // The policy's due day changed after the list was read, or the policy is missing.
        _ => tables::POLICY_BY_RENEWAL.remove_stray(tx, key),
    }
    Ok(())
}

fn write_renewal(
    tx: &mut WriteTx<'_>,
    renewal: &RenewalDraft,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let key = (renewal.due, renewal.policy);
    let still_due = tables::POLICY_BY_RENEWAL.has(tx, &key)?;
    let policy = tables::POLICIES.get(tx, &renewal.policy)?;
    // If the policy changed after the read, the next batch quotes the renewal from the new answers.
    let unchanged = |policy: &Policy| {
        let scheduled = policy.scheduled_change.map(|scheduled| scheduled.id);
        still_due && (policy.revision, scheduled) == (renewal.base, renewal.scheduled_change)
    };
    let Some(mut policy) = policy.filter(unchanged) else {
        return Ok(());
    };
    let RenewalDraft {
        uuid,
        owner,
        prefix,
        assessed,
        ..
    } = renewal;
    let quoted = RenewalEvent::Quoted {
        quote: *uuid,
        follows: policy.revision,
        scheduled_change: renewal.scheduled_change,
    };
    let status = match renewal::apply(policy.renewal, quoted) {
        Transition::Applied(status) if policy.renewal.due() == Some(renewal.due) => status,
        // The index row does not match the policy's due day or status. Without the removal, every
        // round would read the row again.
        _ => {
            tables::POLICY_BY_RENEWAL.remove_stray(tx, &key);
            return Ok(());
        }
    };
    let mut quote = new_quote(tx, *uuid, *owner, prefix, assessed, now)?;
    quote.renews = Some(renewal.policy);
    let outcome = save(tx, &mut quote, assessed, now)?;
    policy.renewal = status;
    tables::POLICIES.put(tx, &policy.uuid, &policy)?;
    queue_quote_letter(tx, renewal.policy, outcome.status, *uuid, now)
}
