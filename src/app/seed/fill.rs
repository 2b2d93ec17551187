//! Fills a store with demonstration data.

use crate::app::policies::cancellations::{self, CancellationRequest};
use crate::app::policies::stop_charging::{ChargingStop, stop_charging};
use crate::app::seed::make::{Seeded, make};
use crate::app::seed::outcome::SeedOutcome;
use crate::app::seed::people;
use crate::app::seed::rng::{new_rng, user_id};
use crate::app::seed::write::write_batch;
use crate::app::{App, AppError, Caller, counters};
use crate::domain::account::{User, username};
use crate::store::{Store, tables};

/// The amount of demonstration data.
#[derive(Clone, Debug)]
pub struct Plan {
    pub customers: u32,
    /// Number of quotes and policies, without their renewal quotes.
    pub policies: u32,
    /// In an empty store, the same number at the same time makes the same data.
    pub seed_number: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            customers: 50,
            policies: 200,
            seed_number: 1,
        }
    }
}

/// The log-ins of some customers.
#[derive(Clone, Debug)]
pub struct Logins {
    /// The password of all customers.
    pub password: &'static str,
    /// The mail addresses of at most three customers.
    pub addresses: Vec<String>,
}

/// The demonstration customers' password. It satisfies the rule of part 5 of the specification.
const PASSWORD: &str = "Layby-demo-2026";

/// The hash of [`PASSWORD`], which is public.
const PASSWORD_HASH: &str = "$argon2id$v=19$m=19456,t=2,p=1$hqgP98HjhAoZZozfdIZUzw$DhkRb146ufJ7xcw2KKrtZT+xyvGzOHmKk17oa8HIQeA";

/// The reason that seeded customers give for a cancellation.
const REASON: u32 = 2;

/// Maximum number of customers in one transaction, or of quotes without their renewal quotes. With this
/// limit, memory doesn't grow with the plan.
const BATCH: u32 = 200;

/// Returns whether no quote was ever saved.
///
/// # Errors
/// If the store fails.
pub async fn is_empty(store: &Store) -> Result<bool, AppError> {
    Ok(count(store, counters::REFERENCE).await? == 0)
}

/// Returns whether every quote of the store is demonstration data.
///
/// # Errors
/// If the store fails.
pub async fn holds_only_demonstration_data(store: &Store) -> Result<bool, AppError> {
    Ok(count(store, counters::REFERENCE).await? == count(store, counters::SEEDED).await?)
}

/// Returns the number of demonstration quotes ever written, with renewals.
///
/// # Errors
/// If the store fails.
pub async fn count_seeded(store: &Store) -> Result<u32, AppError> {
    count(store, counters::SEEDED).await
}

pub(in crate::app) async fn count(store: &Store, name: &str) -> Result<u32, AppError> {
    Ok(store.read(|tx| counters::get(tx, name)).await?)
}

/// Writes the data of `plan`, in batches. `progress` gets the number of finished quotes and the total.
///
/// # Errors
/// If the store fails. A conflict if a customer's mail address has another user.
pub async fn fill(
    app: &App,
    plan: &Plan,
    progress: &mut dyn FnMut(u32, u32),
) -> Result<Logins, AppError> {
    let customers = plan.customers.max(1);
    let addresses = write_customers(app, plan.seed_number, customers).await?;
    let now = app.clock.now();
    let already = count_seeded(&app.store).await?;
    let mut done = 0;
    let mut reported = 0;
    while done < plan.policies {
        let end = plan.policies.min(done + BATCH);
        let mut batch = Vec::new();
        for number in done..end {
            batch.extend(make(
                app,
                plan.seed_number,
                already + number,
                customers,
                now,
            )?);
        }
        let changed = batch.iter().filter(|own| own.is_changed());
        let changed: Vec<Seeded> = changed.cloned().collect();
        app.store.write(move |tx| write_batch(tx, &batch)).await?;
        for seeded in changed {
            change_plan(app, &seeded).await?;
        }
        done = end;
        if done == plan.policies || done - reported >= (plan.policies / 20).max(BATCH) {
            progress(done, plan.policies);
            reported = done;
        }
    }
    Ok(Logins {
        password: PASSWORD,
        addresses,
    })
}

/// Stops the charges of a policy that is paid monthly, or ends it: for unpaid payments, or as its customer asks.
async fn change_plan(app: &App, seeded: &Seeded) -> Result<(), AppError> {
    if seeded.outcome == SeedOutcome::MonthlyUnpaid {
        return cancellations::end_unpaid(app, seeded.uuid).await;
    }
    if seeded.outcome == SeedOutcome::MonthlyStopped {
        let uuid = seeded.uuid;
        let quote = app.store.read(move |tx| tables::QUOTES.get(tx, &uuid));
        let quote = quote.await?.ok_or(AppError::NotFound)?;
        let order = ChargingStop {
            policy: quote.reference.to_string(),
            by: "Asha Patel".to_owned(),
            why: "The customer objected by telephone.".to_owned(),
        };
        return stop_charging(&app.store, &order, app.clock.now())
            .await
            .map(drop);
    }
    let owner = Caller::User {
        uuid: seeded.owner,
        session: [0; 32],
    };
    let request = CancellationRequest {
        reason: REASON,
        note: None,
        effective: app.clock.today(),
    };
    cancellations::cancel(app, &owner, seeded.uuid, request, None).await?;
    Ok(())
}

async fn write_customers(
    app: &App,
    seed_number: u64,
    customers: u32,
) -> Result<Vec<String>, AppError> {
    let now = app.clock.now();
    let mut addresses = Vec::new();
    for start in (0..customers).step_by(BATCH as usize) {
        let mut users = Vec::new();
        for number in start..customers.min(start + BATCH) {
            let profile = people::customer(&mut new_rng(seed_number, 2, number), number + 1);
            let name = profile.email_primary.clone().unwrap_or_default();
            if addresses.len() < 3 {
                addresses.push(name.clone());
            }
            let user = User {
                uuid: user_id(seed_number, number),
                password_hash: Some(PASSWORD_HASH.to_owned()),
                profile,
                marketing: false,
                email_pending: None,
                created: now,
            };
            users.push((username(&name), user));
        }
        app.store
            .write(move |tx| {
                for (name, user) in &users {
                    match tables::USER_BY_NAME.get(tx, name)? {
                        Some(owner) if owner == user.uuid => {}
                        Some(_) => return Err(name_taken(name)),
                        None => tables::USERS.put(tx, &user.uuid, user)?,
                    }
                }
                Ok::<_, AppError>(())
            })
            .await?;
    }
    Ok(addresses)
}

fn name_taken(name: &str) -> AppError {
    AppError::conflict(
        "address_taken",
        format!("{name} belongs to somebody else; use another --seed-number"),
    )
}
