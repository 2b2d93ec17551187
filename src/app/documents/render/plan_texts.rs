//! Builds the data of a monthly plan's document.

use crate::app::documents::owner::{DocumentSubject, addressee};
use crate::app::{App, AppError, documents};
use crate::documents::data::{PaymentPlanDocument, PlanPaymentRow, format_long};
use crate::domain::document::DocumentKind;
use crate::domain::money::Pence;
use crate::domain::policy::Policy;
use crate::domain::policy::plan::{PaymentPlan, PlanStatus};
use crate::store::{Read, StoreError, tables};

/// Returns the data of a policy's plan as it is now. Returns `None` if the policy has no plan, or the plan has
/// ended.
pub(in crate::app) fn plan_document(
    app: &App,
    tx: &impl Read,
    subject: &DocumentSubject,
) -> Result<Option<PaymentPlanDocument>, AppError> {
    let policy = subject.policy.as_ref().ok_or(AppError::NotFound)?;
    let plan = tables::PLANS.get(tx, &policy.uuid)?;
    let Some(plan) = plan.filter(|plan| plan.status != PlanStatus::Ended) else {
        return Ok(None);
    };
    let title = DocumentKind::Plan.title();
    Ok(Some(PaymentPlanDocument {
        head: documents::subject_head(app, title, subject, app.clock.today()),
        to: addressee(subject),
        payments: payments(&plan, true),
        total: plan.total().to_string(),
        last_four: last_four(tx, policy)?,
        in_account: subject.quote.owner.is_some(),
    }))
}

/// Returns the payments of a plan, without merged ones. `has_begun`: the plan's first payment was made.
pub(super) fn payments(plan: &PaymentPlan, has_begun: bool) -> Vec<PlanPaymentRow> {
    let payments = plan.instalments.iter();
    let payments = payments.filter(|own| own.amount > Pence::ZERO);
    payments
        .map(|own| PlanPaymentRow {
            day: format_long(own.due),
            amount: own.amount.to_string(),
            is_paid: has_begun && own.is_collected,
        })
        .collect()
}

fn last_four(tx: &impl Read, policy: &Policy) -> Result<Option<String>, StoreError> {
    let card = policy
        .instrument
        .map(|card| tables::INSTRUMENTS.get(tx, &card));
    let card = card.transpose()?.flatten();
    Ok(card.and_then(|card| card.card.last_four))
}
