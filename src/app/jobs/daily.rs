//! The daily round. It applies scheduled changes and cancellations, lapses quotes, quotes renewals, and
//! queues charges of stored cards. It also ends policies, applies retention, and removes unused blobs. For
//! most of these tasks, an index lists the rows that are due, and each write removes the index row. So the
//! next round does what a missed or interrupted round left undone.

use chrono::{DateTime, Days, NaiveDate, TimeDelta, Utc};
use uuid::Uuid;

use crate::app::documents::storage;
use crate::app::jobs::batches::{BATCH_SIZE, each, note_failed_row, write_due, write_each};
use crate::app::jobs::leases::with_lease;
use crate::app::jobs::retention::apply_retention;
use crate::app::policies::renewals::{self, queue_charge};
use crate::app::policies::{self, plans, queue_letter};
use crate::app::{App, AppError};
use crate::clock::Clock;
use crate::domain::policy::renewal::{self, FIRST_TRY, RenewalEvent};
use crate::domain::quote::{self, Quote, QuoteEvent, QuoteStatus};
use crate::domain::time::dates::add_days;
use crate::domain::transition::Transition;
use crate::store::tables::{self, PolicyNotification};
use crate::store::{AnyTable, Direction, ReadTx, Store, StoreError, WriteTx};

/// The name of the lease. One shop at a time runs the daily round.
const ROUND: &str = "the daily round";
/// The delay of the letter about a policy's end while the card is charged for the renewal.
const AFTER_CHARGE: TimeDelta = TimeDelta::hours(1);

/// Runs the daily round, unless today's round is done or another shop runs the round.
///
/// # Errors
/// If the store fails. The next round does the rest.
pub async fn daily(app: &App) -> Result<(), AppError> {
    let today = app.clock.today();
    let last = app
        .store
        .read(|tx| tables::LAST_DAILY_RUN.get(tx, &()))
        .await?;
    // A last round of tomorrow is accepted, because the clocks of several shops may differ by seconds.
    if let Some(last) = last.filter(|last| *last > today + Days::new(1)) {
        tracing::warn!(%last, %today, "the last daily round is dated in the future: today's runs again");
    } else if last.is_some_and(|last| today <= last) {
        return Ok(());
    }
    with_lease(app, ROUND, Box::pin(daily_round(app, today))).await
}

async fn daily_round(app: &App, today: NaiveDate) -> Result<(), AppError> {
    apply_due_actions_today(app, today).await?;
    lapse_quotes(&app.store, &app.clock).await?;
    // Renewals are new quotes, so the round creates none while the disk is short of space. The round is then
    // not stored as done, so that it runs again.
    let has_room = !app.disk_space.is_short();
    if has_room {
        renewals::quote_due_renewals(app).await?;
    }
    charge_cards(&app.store, &app.clock, today).await?;
    end_policies(&app.store, &app.clock, today).await?;
    apply_retention(&app.store, &app.clock, &app.config, today).await?;
    // An unavailable blob store does not fail the round. The next round tries again.
    if let Err(error) = storage::remove_unnamed_contents(app).await {
        let error = error.log_text();
        tracing::error!(error, "unused contents of documents can't be removed");
    }
    if !has_room {
        return Ok(());
    }
    app.store
        .write(move |tx| Ok::<_, AppError>(tables::LAST_DAILY_RUN.put(tx, &(), &today)?))
        .await?;
    tracing::info!(%today, "the daily round is done");
    app.work_added.notify_one();
    Ok(())
}

/// Applies changes and cancellations for today or for a missed day. A failure does not prevent the actions of
/// other policies. The next daily round tries a failed action again. A call that changes, cancels or pays for
/// the policy also tries the failed action again.
async fn apply_due_actions_today(app: &App, today: NaiveDate) -> Result<(), AppError> {
    let index = &tables::POLICY_BY_SCHEDULED_DAY;
    let due = |tx: &ReadTx| {
        let mut due = Vec::new();
        for row in index.readable_rows(tx, &()) {
            let (key, ()) = row?;
            if today < key.0 {
                break;
            }
            due.push(key);
        }
        Ok::<_, StoreError>(due)
    };
    for key in app.store.read(due).await? {
        if let Err(error) = policies::apply_due_actions(app, key.1).await {
            note_failed_row(index.name(), &key, &error);
            continue;
        }
        // Applying an action removes its index row. This write removes the row of a policy that is not live
        // or has no action on the row's day.
        let remove = each(|tx, key, ()| remove_stale_scheduled(tx, key));
        write_each(&app.store, index.name(), vec![(key, ())], remove).await?;
    }
    Ok(())
}

/// Marks quotes with an expired price as lapsed.
async fn lapse_quotes(store: &Store, clock: &Clock) -> Result<(), AppError> {
    let now = clock.now();
    // The index rounds times down to whole milliseconds. So a price may expire up to 1 ms after the time in
    // its index row.
    let end = now - TimeDelta::milliseconds(1);
    write_due(
        store,
        &tables::QUOTE_BY_EXPIRY,
        |(date, _), ()| *date <= end,
        each(move |tx, key, ()| lapse(tx, key, now)),
    )
    .await
}

/// Queues the charges of stored cards that are due today or were due earlier, for policies with automatic
/// renewal. Queues none after the last day of cover.
async fn charge_cards(store: &Store, clock: &Clock, today: NaiveDate) -> Result<(), AppError> {
    let now = clock.now();
    let last = add_days(today, FIRST_TRY);
    for day in today.iter_days().take_while(|day| *day <= last) {
        let ending = store
            .read(|tx| {
                let index = &tables::POLICY_BY_EXPIRY;
                index.list_readable(tx, &day, Direction::Forward, usize::MAX)
            })
            .await?;
        for batch in ending.chunks(BATCH_SIZE) {
            let charge = each(move |tx, (_, policy), ()| queue_charge(tx, *policy, now));
            let table = tables::POLICY_BY_EXPIRY.name();
            write_each(store, table, batch.to_vec(), charge).await?;
        }
    }
    Ok(())
}

/// Ends the policies whose last day has passed, and queues letters about the policies that were not renewed.
async fn end_policies(store: &Store, clock: &Clock, today: NaiveDate) -> Result<(), AppError> {
    let now = clock.now();
    write_due(
        store,
        &tables::POLICY_BY_EXPIRY,
        |(expiry, _), ()| *expiry < today,
        each(move |tx, key, ()| {
            // If the card is charged, the letter waits, because the charge may still renew the
            // policy.
            let wait = match end(tx, key, now)? {
                Some(true) => AFTER_CHARGE,
                Some(false) => TimeDelta::zero(),
                None => return Ok(()),
            };
            queue_letter(tx, key.1, PolicyNotification::Ended, now + wait)
        }),
    )
    .await
}

fn remove_stale_scheduled(tx: &mut WriteTx<'_>, key: &(NaiveDate, Uuid)) -> Result<(), AppError> {
    let policy = tables::POLICIES.get(tx, &key.1)?;
    let quote = tables::QUOTES.get(tx, &key.1)?;
    let live = quote.is_some_and(|quote| quote.status == QuoteStatus::Live);
    let action = policy.and_then(|policy| policy.next_scheduled_day());
    if !live || action != Some(key.0) {
        tables::POLICY_BY_SCHEDULED_DAY.remove_stray(tx, key);
    }
    Ok(())
}

/// Marks the quote at `key` as lapsed if its price has expired. If the quote does not lapse, removes the
/// index row at `key`.
fn lapse(
    tx: &mut WriteTx<'_>,
    key: &(DateTime<Utc>, Uuid),
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let quote = tables::QUOTES.get(tx, &key.1)?;
    let over = |quote: &Quote| quote.expires.is_some_and(|expires| expires <= now);
    if let Some(mut quote) = quote.filter(over)
        && let Transition::Applied(lapsed) = quote::apply(quote.status, QuoteEvent::RanOut)
    {
        quote.status = lapsed;
        tables::QUOTES.put(tx, &quote.uuid, &quote)?;
    } else {
        // If the quote changed, the change has already removed the index row. So this call removes only a
        // stray row.
        tables::QUOTE_BY_EXPIRY.remove_stray(tx, key);
    }
    Ok(())
}

/// Ends the policy at `key`. The policy is renewed if its renewal was bought and not cancelled. All other
/// policies expire. For an expired policy, returns whether a charge of its card was queued. Returns `None`
/// for a renewed policy, and for a row without a live policy.
fn end(
    tx: &mut WriteTx<'_>,
    key: &(NaiveDate, Uuid),
    now: DateTime<Utc>,
) -> Result<Option<bool>, AppError> {
    let (quote, policy) = (
        tables::QUOTES.get(tx, &key.1)?,
        tables::POLICIES.get(tx, &key.1)?,
    );
    let (Some(mut quote), Some(mut policy)) = (quote, policy) else {
        tables::POLICY_BY_EXPIRY.remove_stray(tx, key);
        return Ok(None);
    };
    let renewing = policy
        .renewal
        .quote()
        .map(|quote| tables::QUOTES.get(tx, &quote))
        .transpose()?;
    // A renewal that was bought and then cancelled doesn't count.
    let bought = renewing.flatten().is_some_and(|renewal| {
        renewal.status.is_policy() && renewal.status != QuoteStatus::Cancelled
    });
    let event = if bought {
        QuoteEvent::Renewed
    } else {
        QuoteEvent::Ended
    };
    let Transition::Applied(status) = quote::apply(quote.status, event) else {
        // A cancellation has already removed the index row. So this call removes only the row of a policy
        // that is not live.
        tables::POLICY_BY_EXPIRY.remove_stray(tx, key);
        return Ok(None);
    };
    if let Transition::Applied(dropped) = renewal::apply(policy.renewal, RenewalEvent::PolicyEnded)
    {
        policy.renewal = dropped;
        tables::POLICIES.put(tx, &policy.uuid, &policy)?;
    }
    plans::end_plan(tx, &quote, &policy, now)?;
    quote.status = status;
    tables::QUOTES.put(tx, &quote.uuid, &quote)?;
    Ok((!bought).then_some(policy.renewal.is_card_asked()))
}
