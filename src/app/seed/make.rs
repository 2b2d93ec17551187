//! Makes a quote of the demonstration data, and its renewal.

use chrono::{DateTime, Days, Duration, Utc};
use rand::prelude::*;
use rand::rngs::StdRng;
use uuid::Uuid;

use crate::app::quotes::underwrite::Assessed;
use crate::app::quotes::{self, Submission};
use crate::app::seed::outcome::{SEED_OUTCOMES, SeedOutcome};
use crate::app::seed::plan::{SeededPlan, purchase_day};
use crate::app::seed::rng::{new_rng, random_id, user_id};
use crate::app::seed::{answers, people};
use crate::app::{App, AppError};
use crate::domain::money::price::Per;
use crate::domain::policy::plan::{PaymentPlan, PlanEvent};
use crate::domain::product::{Product, rating};
use crate::domain::quote::answers::Answers;
use crate::domain::time::dates;

/// One quote, underwritten and ready to be written.
#[derive(Clone)]
pub(in crate::app) struct Seeded {
    pub(in crate::app) uuid: Uuid,
    pub(in crate::app) payment: Uuid,
    pub(in crate::app) owner: Uuid,
    pub(in crate::app) at: DateTime<Utc>,
    pub(in crate::app) outcome: SeedOutcome,
    /// The seeded quote that renews this policy.
    pub(in crate::app) renewal: Option<Uuid>,
    /// The policy that this quote renews.
    pub(in crate::app) renews: Option<Uuid>,
    pub(in crate::app) prefix: String,
    pub(in crate::app) cover_delay_hours: i64,
    pub(in crate::app) renewal_lead_days: i64,
    pub(in crate::app) assessed: Assessed,
    /// The plan of a policy that is paid monthly.
    pub(in crate::app) plan: Option<SeededPlan>,
}

impl Seeded {
    /// Returns whether a call changes the policy after it is written.
    pub(in crate::app) fn is_changed(&self) -> bool {
        let outcomes = [
            SeedOutcome::MonthlyStopped,
            SeedOutcome::MonthlyUnpaid,
            SeedOutcome::MonthlyCancelled,
        ];
        outcomes.contains(&self.outcome)
    }
}

/// Minutes from the last save of a quote to its purchase.
pub(in crate::app) const PURCHASE_DELAY: i64 = 12;

/// Returns the `number`-th quote, and its renewal if one is due. Returns nothing if no product is on sale,
/// or if no random answers fit the outcome.
pub(in crate::app) fn make(
    app: &App,
    seed_number: u64,
    number: u32,
    customers: u32,
    now: DateTime<Utc>,
) -> Result<Vec<Seeded>, AppError> {
    let mut rng = new_rng(seed_number, 3, number);
    // Each customer gets every outcome in turn, for any number of customers.
    let turn = (number % customers + number / customers) as usize;
    let outcome = SEED_OUTCOMES
        .get(turn % SEED_OUTCOMES.len())
        .copied()
        .unwrap_or(SeedOutcome::Priced);
    let today = dates::london_date(now);
    let on_sale = app.products.on_sale(today);
    let customer = number % customers;
    // Each customer also gets every product in turn. Three consecutive customers begin with the same product.
    let turn = (number / customers + customer / 3) as usize;
    let Some(registered) = on_sale.get(turn % on_sale.len().max(1)) else {
        return Ok(Vec::new());
    };
    let product = &registered.product;
    let holder = people::customer(&mut new_rng(seed_number, 2, customer), customer + 1);
    let (nearest, farthest) = outcome.days_ago();
    let mut time = now
        - Duration::days(rng.random_range(nearest..=farthest))
        - Duration::minutes(rng.random_range(5..600));
    let failing = rng.random_range(2..=8);
    if let Some(day) = purchase_day(outcome, failing, today) {
        time = dates::start_of_day(day) + Duration::minutes(rng.random_range(60..1200));
    }
    let drafted = matches!(outcome, SeedOutcome::Draft | SeedOutcome::Partial);
    // Draws new answers if the random answers are invalid or do not fit the outcome.
    for _ in 0..50 {
        let drawn = answers::draw(
            product,
            &holder,
            &mut rng,
            dates::london_date(time),
            outcome == SeedOutcome::Declined,
        );
        let submission = Submission {
            product: product.identifier().to_string(),
            draft: drafted,
            answers: if drafted {
                answers::every_other_answer(drawn)
            } else {
                drawn
            },
            ..Submission::default()
        };
        let Ok(assessed) = quotes::underwrite(&app.config, &app.products, submission, time) else {
            continue;
        };
        let fits = match outcome {
            SeedOutcome::Draft | SeedOutcome::Partial => true,
            SeedOutcome::Declined => assessed.reason.is_some(),
            _ if outcome.is_monthly() => monthly_plan(product, &assessed, time).is_some(),
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
        let plan = monthly_plan(product, &assessed, time).filter(|_| outcome.is_monthly());
        let is_failing = purchase_day(outcome, failing, today).is_some();
        let fails_from = usize::try_from(failing).ok().filter(|_| is_failing);
        let rest = (outcome == SeedOutcome::MonthlyPaid).then(|| random_id(&mut rng, now));
        let mut plan = plan.map(|plan| SeededPlan::new(plan, fails_from, rest, today));
        if outcome == SeedOutcome::MonthlyExpired
            && let Some(seeded) = &mut plan
        {
            let _ = seeded.plan.apply(PlanEvent::PolicyEnded);
        }
        let mut first = Seeded {
            plan,
            uuid: random_id(&mut rng, time),
            payment: random_id(&mut rng, time),
            owner: user_id(seed_number, customer),
            at: time,
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

/// Returns the plan of a customer who buys a quote after its save at `time`.
fn monthly_plan(
    product: &Product,
    assessed: &Assessed,
    time: DateTime<Utc>,
) -> Option<PaymentPlan> {
    let purchased = time + Duration::minutes(PURCHASE_DELAY);
    rating::monthly_plan(
        product,
        assessed.price.as_ref()?,
        dates::london_date(purchased),
    )
}

/// Returns the renewal quote of a policy with [`SeedOutcome::RenewalDue`] that hasn't ended. Returns `None`
/// for other policies, or if the renewal's answers are not valid.
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
    let mut answers = Answers::clone(&policy.assessed.answers);
    answers::set_start(product, &mut answers, start);
    let submission = Submission {
        product: product.identifier().to_string(),
        answers,
        renews: Some(Answers::clone(&policy.assessed.answers)),
        ..Submission::default()
    };
    let time = now - Duration::minutes(rng.random_range(60..600));
    let Ok(assessed) = quotes::underwrite(&app.config, &app.products, submission, time) else {
        return Ok(None);
    };
    Ok(Some(Seeded {
        uuid: random_id(rng, time),
        payment: random_id(rng, time),
        at: time,
        outcome: SeedOutcome::Priced,
        renews: Some(policy.uuid),
        assessed,
        ..policy.clone()
    }))
}
