//! The daily round. It applies scheduled changes and cancellations, lapses quotes, ends policies, quotes
//! renewals, charges stored cards, and applies retention. An index lists what is due up to today, and each
//! write removes its row. So a missed day is caught up, an interrupted round continues, and a second round
//! does nothing. Cards are an exception: the charges of a missed day are not caught up.

use chrono::{DateTime, Days, NaiveDate, TimeDelta, Utc};
use uuid::Uuid;

use crate::app::documents::storage;
use crate::app::jobs::batches::{BATCH_SIZE, each, write_due, write_each};
use crate::app::jobs::leases::with_lease;
use crate::app::jobs::retention::apply_retention;
use crate::app::policies::renewals::{self, queue_charge};
use crate::app::policies::{self, queue_letter};
use crate::app::{App, AppError};
use crate::clock::Clock;
use crate::domain::policy::renewal::{self, RenewalEvent};
use crate::domain::quote::{self, Quote, QuoteEvent, QuoteStatus};
use crate::domain::transition::Transition;
use crate::store::tables::{self, PolicyNotification};
use crate::store::{Direction, ReadTx, Store, StoreError, WriteTx};

/// The name of the lease: one shop at a time does this.
const ROUND: &str = "the daily round";
/// The delay of the letter about a policy's end while the card is charged for the renewal.
const AFTER_CHARGE: TimeDelta = TimeDelta::hours(1);

/// Runs the daily round, unless today's is done or another shop runs it.
///
/// # Errors
/// If the store fails. The next round does the rest.
pub async fn daily(app: &App) -> Result<(), AppError> {
    let today = app.clock.today();
    let last = app
        .store
        .read(|tx| tables::LAST_DAILY_RUN.get(tx, &()))
        .await?;
    // A day of grace, because the clocks of several shops may differ by seconds.
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
    // Renewals are new quotes, so they wait for disk space. Today's round then stays open.
    let has_room = !app.disk_space.is_short();
    if has_room {
        renewals::quote_due_renewals(app).await?;
    }
    charge_cards(&app.store, &app.clock, today).await?;
    end_policies(&app.store, &app.clock, today).await?;
    apply_retention(&app.store, &app.clock, &app.config, today).await?;
    // An unavailable blob store delays nothing else. The next round tries again.
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

/// Applies changes and cancellations for today or for a missed day. A failed one does not delay the others.
/// It is retried tomorrow, and before any other action on the policy.
async fn apply_due_actions_today(app: &App, today: NaiveDate) -> Result<(), AppError> {
    let due = |tx: &ReadTx| {
        let mut due = Vec::new();
        for row in tables::POLICY_BY_SCHEDULED_DAY.readable_rows(tx, &()) {
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
            tracing::error!(error = error.log_text(), policy = %key.1, "today's scheduled actions failed");
            continue;
        }
        // Applying removes the row. This removes a row whose policy has another day or isn't live.
        let remove = each(|tx, key, ()| remove_stale_scheduled(tx, key));
        write_each(&app.store, vec![(key, ())], remove).await?;
    }
    Ok(())
}

/// Marks quotes with an expired price as lapsed.
async fn lapse_quotes(store: &Store, clock: &Clock) -> Result<(), AppError> {
    let now = clock.now();
    // The index cuts moments to whole milliseconds. So a price may expire up to 1 ms after its index row.
    let end = now - TimeDelta::milliseconds(1);
    write_due(
        store,
        &tables::QUOTE_BY_EXPIRY,
        |(date, _), ()| *date <= end,
        each(move |tx, key, ()| lapse(tx, key, now)),
    )
    .await
}

/// Queues the charges of policies with automatic renewal whose last day is today. After the end of cover no
/// charge is queued, and the letter about the end has a link to pay.
async fn charge_cards(store: &Store, clock: &Clock, today: NaiveDate) -> Result<(), AppError> {
    let now = clock.now();
    let ending = store
        .read(|tx| {
            let index = &tables::POLICY_BY_EXPIRY;
            index.list_readable(tx, &today, Direction::Forward, usize::MAX)
        })
        .await?;
    for batch in ending.chunks(BATCH_SIZE) {
        let charge = each(move |tx, (_, policy), ()| queue_charge(tx, *policy, now));
        write_each(store, batch.to_vec(), charge).await?;
    }
    Ok(())
}

/// Ends the policies whose last day has passed, and queues the letters about expired ones.
async fn end_policies(store: &Store, clock: &Clock, today: NaiveDate) -> Result<(), AppError> {
    let now = clock.now();
    write_due(
        store,
        &tables::POLICY_BY_EXPIRY,
        |(expiry, _), ()| *expiry < today,
        each(move |tx, key, ()| {
            // The charge of the card may still renew the policy.
            let wait = match end(tx, key)? {
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

/// Marks the quote at `key` as lapsed, if its price has expired. Else removes a stray index row.
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
        // If the quote has changed, its index row no longer exists. This also removes a stray row.
        tables::QUOTE_BY_EXPIRY.remove_stray(tx, key);
    }
    Ok(())
}

/// Ends the policy at `key`: renewed if its renewal was bought, else expired. For an expired policy, returns
/// whether a charge of its card was queued for the renewal. None for any other.
fn end(tx: &mut WriteTx<'_>, key: &(NaiveDate, Uuid)) -> Result<Option<bool>, AppError> {
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
        // If the policy was cancelled, its index row no longer exists. This also removes a row of a policy
        // that isn't live.
        tables::POLICY_BY_EXPIRY.remove_stray(tx, key);
        return Ok(None);
    };
    if let Transition::Applied(dropped) = renewal::apply(policy.renewal, RenewalEvent::PolicyEnded)
    {
        policy.renewal = dropped;
        tables::POLICIES.put(tx, &policy.uuid, &policy)?;
    }
    quote.status = status;
    tables::QUOTES.put(tx, &quote.uuid, &quote)?;
    Ok((!bought).then_some(policy.renewal.is_card_asked()))
}
