//! Lists the monthly plans that need a person.

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use crate::app::AppError;
use crate::domain::money::Pence;
use crate::domain::policy::plan::{NOTICE_DAYS, PlanStatus};
use crate::domain::time::dates::{add_days, format_long, london_date, start_of_day};
use crate::store::Read;
use crate::store::tables::{INSTRUMENTS, PLANS, POLICIES};

/// A plan that needs a person.
pub(in crate::app) struct UnpaidPlan {
    pub(in crate::app) policy: Uuid,
    /// The gateway of the card. Empty without a card.
    pub(in crate::app) gateway: String,
    /// What is due, in pence.
    pub(in crate::app) due: Pence,
    /// When the notice began, the charges were stopped, or the policy was bought.
    pub(in crate::app) since: DateTime<Utc>,
    pub(in crate::app) facts: String,
}

/// Returns the plans whose cover is to end, and those whose payments no card can be charged for. The settings
/// have keys of the gateways `serviced`.
pub(in crate::app) fn unpaid_plans(
    tx: &impl Read,
    serviced: &[&'static str],
    now: DateTime<Utc>,
) -> Result<Vec<UnpaidPlan>, AppError> {
    let today = london_date(now);
    let mut found = Vec::new();
    for row in PLANS.rows(tx, &()) {
        let (id, plan) = row?;
        if plan.due(NaiveDate::MAX) == Pence::ZERO {
            continue;
        }
        let Some(policy) = POLICIES.get(tx, &id)? else {
            continue;
        };
        let card = policy.instrument.map(|card| INSTRUMENTS.get(tx, &card));
        let card = card.transpose()?.flatten();
        let card = card.filter(|card| card.removed.is_none() && !card.is_unusable);
        let facts = match (plan.status, &card) {
            (PlanStatus::Notice(notice), _) if !notice.is_sent => {
                "Monthly payments are unpaid. A letter about the end of cover is not sent yet: see \
                 `layby mail list`. Cover goes on until it is sent."
                    .to_string()
            }
            (PlanStatus::Notice(notice), _) => format!(
                "Monthly payments are unpaid. The customer has a notice: cover ends at the end of {}.",
                format_long(add_days(notice.ends_on, -1))
            ),
            (_, None) => "No card can be charged for the payments that are left.".to_string(),
            (_, Some(card)) if !serviced.contains(&card.gateway.as_str()) => {
                "The settings have no keys of the card's gateway. No card can be charged for the payments that are left."
                    .to_string()
            }
            (_, Some(_)) => continue,
        };
        let stopped = policy.charging_stopped.map(|stopped| stopped.at);
        let since = match plan.status {
            PlanStatus::Notice(notice) => start_of_day(add_days(notice.ends_on, -NOTICE_DAYS)),
            _ => stopped.unwrap_or(policy.purchased),
        };
        found.push(UnpaidPlan {
            policy: id,
            gateway: card.map(|card| card.gateway).unwrap_or_default(),
            due: plan.due(today),
            since,
            facts,
        });
    }
    Ok(found)
}
