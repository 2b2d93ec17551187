//! Demonstration data: people, quotes in every status, live and ended policies, renewals.
//! Answers are drawn from the product's own form, so a new product file is seeded too.

mod answers;
mod outcome;
mod people;
mod write;

use chrono::{DateTime, Days, Duration, Utc};
use rand::prelude::*;
use rand::rngs::StdRng;
use uuid::Uuid;

use super::quotes::Submission;
use super::{App, AppError, accounts};
use crate::app::quotes::underwrite::Assessed;
use crate::app::rows::{self, counters};
use crate::domain::account::{User, username};
use crate::domain::answers::Answers;
use crate::domain::dates;
use crate::domain::price::Per;
use crate::domain::product::Product;
use crate::store::tables;
use outcome::{SEED_OUTCOMES, SeedOutcome};
use write::write_batch;

/// What to make.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Customers.
    pub customers: u32,
    /// Quotes and policies.
    pub policies: u32,
    /// The same number makes the same data, at the same time of the clock.
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

/// How to log in as some of the customers.
#[derive(Clone, Debug)]
pub struct Logins {
    /// The password of all of them.
    pub password: &'static str,
    /// Three addresses to try.
    pub addresses: Vec<String>,
}

/// The demonstration customers' password; it satisfies the rule of part 5.
const PASSWORD: &str = "Layby-demo-2026";
/// Quotes written in one transaction, so that memory doesn't grow with the plan.
const BATCH: u32 = 200;

/// One quote, judged and ready to be written.
#[derive(Clone)]
struct Seeded {
    uuid: Uuid,
    payment: Uuid,
    owner: Uuid,
    at: DateTime<Utc>,
    outcome: SeedOutcome,
    /// The quote that renews it, where one is seeded with it.
    renewal: Option<Uuid>,
    /// The policy it renews.
    renews: Option<Uuid>,
    prefix: String,
    cover_delay_hours: i64,
    renewal_lead_days: i64,
    assessed: Assessed,
}

impl App {
    /// Whether no quote was ever saved.
    ///
    /// # Errors
    /// When the store fails.
    pub fn is_empty(&self) -> Result<bool, AppError> {
        Ok(self.count(counters::REFERENCE)? == 0)
    }

    /// Whether every quote came from here.
    ///
    /// # Errors
    /// When the store fails.
    pub fn holds_only_demonstration_data(&self) -> Result<bool, AppError> {
        Ok(self.count(counters::REFERENCE)? == self.count(counters::SEEDED)?)
    }

    /// How many quotes came from here.
    ///
    /// # Errors
    /// When the store fails.
    pub fn seeded(&self) -> Result<u32, AppError> {
        self.count(counters::SEEDED)
    }

    fn count(&self, name: &str) -> Result<u32, AppError> {
        Ok(counters::get(&self.store.read()?, name)?)
    }
}

/// Writes what `plan` asks for, in batches; `progress` hears how many of how many are done.
///
/// # Errors
/// When the store fails.
pub async fn fill(
    app: &App,
    plan: &Plan,
    progress: &mut dyn FnMut(u32, u32),
) -> Result<Logins, AppError> {
    let customers = plan.customers.max(1);
    let addresses = write_customers(app, plan.seed_number, customers).await?;
    let now = app.clock.now();
    let already = app.seeded()?;
    let mut done = 0;
    let mut told = 0;
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
        app.store.write(move |tx| write_batch(tx, &batch)).await?;
        done = end;
        if done == plan.policies || done - told >= (plan.policies / 20).max(BATCH) {
            progress(done, plan.policies);
            told = done;
        }
    }
    Ok(Logins {
        password: PASSWORD,
        addresses,
    })
}

/// A source of chance for one thing alone, so that batches don't depend on one another.
fn chance(seed_number: u64, kind: u64, number: u32) -> StdRng {
    let mut seed = [0; 32];
    let parts = seed_number
        .to_le_bytes()
        .into_iter()
        .chain(kind.to_le_bytes())
        .chain(u64::from(number).to_le_bytes());
    for (place, byte) in seed.iter_mut().zip(parts) {
        *place = byte;
    }
    StdRng::from_seed(seed)
}

fn random_id(rng: &mut StdRng, at: DateTime<Utc>) -> Uuid {
    let millis = at.timestamp_millis().max(0).unsigned_abs();
    uuid::Builder::from_unix_timestamp_millis(millis, &rng.random()).into_uuid()
}

fn user_id(seed_number: u64, number: u32) -> Uuid {
    uuid::Builder::from_random_bytes(chance(seed_number, 1, number).random()).into_uuid()
}

async fn write_customers(
    app: &App,
    seed_number: u64,
    customers: u32,
) -> Result<Vec<String>, AppError> {
    // All of them have the one password, which is printed: one hash does for all.
    let hash = tokio::task::spawn_blocking(|| accounts::hash(PASSWORD))
        .await
        .map_err(|error| AppError::Internal(error.to_string()))??;
    let now = app.clock.now();
    let mut addresses = Vec::new();
    for start in (0..customers).step_by(BATCH as usize) {
        let mut users = Vec::new();
        for number in start..customers.min(start + BATCH) {
            let profile = people::customer(&mut chance(seed_number, 2, number), number + 1);
            let name = profile.email_primary.clone().unwrap_or_default();
            if addresses.len() < 3 {
                addresses.push(name.clone());
            }
            let user = User {
                uuid: user_id(seed_number, number),
                password_hash: Some(hash.clone()),
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
                        Some(known) if known == user.uuid => {}
                        Some(_) => return Err(taken(name)),
                        None => rows::users::put(tx, user)?,
                    }
                }
                Ok::<_, AppError>(())
            })
            .await?;
    }
    Ok(addresses)
}

fn taken(name: &str) -> AppError {
    AppError::conflict(
        "address_taken",
        format!("{name} belongs to somebody else; use another --seed-number"),
    )
}

/// The `number`-th quote, and its renewal where one is due.
fn make(
    app: &App,
    seed_number: u64,
    number: u32,
    customers: u32,
    now: DateTime<Utc>,
) -> Result<Vec<Seeded>, AppError> {
    let mut rng = chance(seed_number, 3, number);
    // Each customer goes through the fates, whatever number of customers there is.
    let turn = (number % customers + number / customers) as usize;
    let outcome = SEED_OUTCOMES
        .get(turn % SEED_OUTCOMES.len())
        .copied()
        .unwrap_or(SeedOutcome::Priced);
    let shelf = app.products.on_sale(dates::london_date(now));
    let customer = number % customers;
    // Customers go through the products too, out of step with the fates.
    let turn = (number / customers + customer / 3) as usize;
    let Some(registered) = shelf.get(turn % shelf.len().max(1)) else {
        return Ok(Vec::new());
    };
    let product = &registered.product;
    let holder = people::customer(&mut chance(seed_number, 2, customer), customer + 1);
    let (nearest, farthest) = outcome.days_ago();
    let at = now
        - Duration::days(rng.random_range(nearest..=farthest))
        - Duration::minutes(rng.random_range(5..600));
    let drafted = matches!(outcome, SeedOutcome::Draft | SeedOutcome::Partial);
    // Chance makes a faulty or declined answer now and then; another draw mends it.
    for _ in 0..50 {
        let drawn = answers::draw(
            product,
            &holder,
            &mut rng,
            dates::london_date(at),
            outcome == SeedOutcome::Declined,
        );
        let submission = Submission {
            product: product.identifier().to_string(),
            draft: drafted,
            answers: if drafted { answers::half(drawn) } else { drawn },
            ..Submission::default()
        };
        let Ok(assessed) = app.underwrite(submission, at) else {
            continue;
        };
        let fits = match outcome {
            SeedOutcome::Draft | SeedOutcome::Partial => true,
            SeedOutcome::Declined => assessed.reason.is_some(),
            SeedOutcome::Live
            | SeedOutcome::RenewalDue
            | SeedOutcome::Cancelled
            | SeedOutcome::Expired
            | SeedOutcome::Renewed => assessed
                .price
                .as_ref()
                .is_some_and(|price| price.per == Per::Year),
            _ => assessed.price.is_some(),
        };
        if !fits {
            continue;
        }
        let mut first = Seeded {
            uuid: random_id(&mut rng, at),
            payment: random_id(&mut rng, at),
            owner: user_id(seed_number, customer),
            at,
            outcome,
            renewal: None,
            renews: None,
            renewal_lead_days: product.terms().renewal_lead_days,
            prefix: product.reference_prefix().to_string(),
            cover_delay_hours: product.terms().cover_delay_hours,
            assessed,
        };
        let next = renewal(app, product, &first, &mut rng, now)?;
        first.renewal = next.as_ref().map(|next| next.uuid);
        return Ok(std::iter::once(first).chain(next).collect());
    }
    Ok(Vec::new())
}

/// The renewal quote of a policy that ends within four weeks.
fn renewal(
    app: &App,
    product: &Product,
    policy: &Seeded,
    rng: &mut StdRng,
    now: DateTime<Utc>,
) -> Result<Option<Seeded>, AppError> {
    let Some((_, expiry)) = policy.assessed.term else {
        return Ok(None);
    };
    let Some(start) = expiry.checked_add_days(Days::new(1)) else {
        return Ok(None);
    };
    if policy.outcome != SeedOutcome::RenewalDue || start <= dates::london_date(now) {
        return Ok(None);
    }
    let mut answers: Answers = policy.assessed.answers.clone();
    answers::move_start(product, &mut answers, start);
    let submission = Submission {
        product: product.identifier().to_string(),
        answers,
        renews: Some(policy.assessed.answers.clone()),
        ..Submission::default()
    };
    let at = now - Duration::minutes(rng.random_range(60..600));
    let Ok(assessed) = app.underwrite(submission, at) else {
        return Ok(None);
    };
    Ok(Some(Seeded {
        uuid: random_id(rng, at),
        payment: random_id(rng, at),
        at,
        outcome: SeedOutcome::Priced,
        renews: Some(policy.uuid),
        assessed,
        ..policy.clone()
    }))
}
