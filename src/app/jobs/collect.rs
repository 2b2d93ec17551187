//! The collection: from 06:00 in London, does what the plans need today. An index lists them. Each write changes
//! a plan with its charge or letter, so an interrupted run goes on with what is left.

use chrono::{NaiveDate, Timelike};
use chrono_tz::Europe::London;
use uuid::Uuid;

use crate::app::jobs::batches::{note_failed_row, write_due};
use crate::app::jobs::leases::with_lease;
use crate::app::policies::{cancellations, plans};
use crate::app::{App, AppError};
use crate::domain::time::dates::london_date;
use crate::store::tables::PLAN_BY_DAY;
use crate::store::{AnyTable, ReadTx, StoreError};

/// The name of the lease. One shop at a time runs the collection.
const COLLECTION: &str = "the collection";
/// The hour in London from which cards are charged.
const FIRST_HOUR: u32 = 6;

/// Charges the instalments that are due, sends the letters about unpaid plans, and ends policies after their
/// notice. Does nothing before 06:00 in London, or while another shop does it.
///
/// # Errors
/// If the store fails. The next run does the rest.
pub async fn collect(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    let today = london_date(now);
    if now.with_timezone(&London).hour() < FIRST_HOUR {
        return Ok(());
    }
    let first = app.store.read(|tx| due_plans(tx, today, 1)).await?;
    if first.is_empty() {
        return Ok(());
    }
    with_lease(app, COLLECTION, Box::pin(collect_due(app, today))).await
}

async fn collect_due(app: &App, today: NaiveDate) -> Result<(), AppError> {
    let now = app.clock.now();
    let gateways = app.gateways.storing_cards();
    let advance = move |tx: &mut crate::store::WriteTx<'_>, keys: &[(DuePlan, ())]| {
        let mut stay = Vec::new();
        for (key, ()) in keys {
            if !plans::advance_plan(tx, key, &gateways, now)? {
                stay.push(*key);
            }
        }
        Ok::<_, AppError>(stay)
    };
    write_due(
        &app.store,
        &PLAN_BY_DAY,
        move |key, ()| key.0 <= today,
        advance,
    )
    .await?;
    for (_, policy) in app
        .store
        .read(|tx| due_plans(tx, today, usize::MAX))
        .await?
    {
        if let Err(error) = cancellations::end_unpaid(app, policy).await {
            note_failed_row(PLAN_BY_DAY.name(), &policy, &error);
        }
    }
    app.work_added.notify_one();
    Ok(())
}

/// The day and the policy of a plan.
type DuePlan = (NaiveDate, Uuid);

/// Returns the first `limit` plans that need something until `today`.
fn due_plans(tx: &ReadTx, today: NaiveDate, limit: usize) -> Result<Vec<DuePlan>, StoreError> {
    let mut due = Vec::new();
    for row in PLAN_BY_DAY.readable_rows(tx, &()) {
        let (key, ()) = row?;
        if today < key.0 || due.len() == limit {
            break;
        }
        due.push(key);
    }
    Ok(due)
}
