//! Ends the plan of a policy whose last day is over.

use chrono::{DateTime, NaiveDate, Utc};

use crate::app::AppError;
use crate::app::payments::ledger;
use crate::app::quotes::revision_of;
use crate::domain::money::Pence;
use crate::domain::money::ledger::Entry;
use crate::domain::policy::Policy;
use crate::domain::policy::plan::{PlanEvent, PlanStatus};
use crate::domain::quote::Quote;
use crate::store::{Read, WriteTx, tables};

/// Ends the plan of a policy whose last day is over. Writes off what is unpaid.
pub(in crate::app) fn end_plan(
    tx: &mut WriteTx<'_>,
    quote: &Quote,
    policy: &Policy,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let Some(mut plan) = tables::PLANS.get(tx, &policy.uuid)? else {
        return Ok(());
    };
    let left = plan.due(NaiveDate::MAX);
    let _ = plan.apply(PlanEvent::PolicyEnded);
    tables::PLANS.put(tx, &policy.uuid, &plan)?;
    if left > Pence::ZERO {
        let tax = tax_in(tx, quote, policy, left)?;
        let entry = Entry::write_off_plan(now, policy.uuid, left, tax);
        ledger::post(tx, policy.uuid, &entry)?;
    }
    Ok(())
}

/// Returns what was written off of a plan at the end of the term, and the tax in it.
pub(in crate::app) fn written_off(
    tx: &impl Read,
    quote: &Quote,
    policy: &Policy,
) -> Result<(Pence, Pence), AppError> {
    let plan = tables::PLANS.get(tx, &policy.uuid)?;
    let plan = plan.filter(|plan| plan.status == PlanStatus::Ended);
    let Some(plan) = plan.filter(|_| policy.cancellation.is_none()) else {
        return Ok((Pence::ZERO, Pence::ZERO));
    };
    let unpaid = plan.instalments.iter().filter(|own| own.is_unpaid());
    let left: Pence = unpaid.map(|own| own.amount).sum();
    Ok((left, tax_in(tx, quote, policy, left)?))
}

/// Returns the tax in a part of the price.
fn tax_in(tx: &impl Read, quote: &Quote, policy: &Policy, part: Pence) -> Result<Pence, AppError> {
    let price = revision_of(tx, quote, policy.revision)?.price;
    Ok(price.map_or(Pence::ZERO, |price| {
        part.fraction(price.tax.0, price.taxed.0)
    }))
}
