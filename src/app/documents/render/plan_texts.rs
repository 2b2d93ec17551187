//! Builds the data of a monthly plan's document.

use crate::app::documents::owner::{DocumentSubject, addressee};
use crate::app::{App, AppError, documents, payments};
use crate::documents::data::{PaymentPlanDocument, PlanPaymentRow, format_long};
use crate::domain::document::DocumentKind;
use crate::domain::money::Pence;
use crate::domain::payment::Instrument;
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
    let card = chargeable_card(app, tx, policy)?;
    Ok(Some(PaymentPlanDocument {
        head: documents::subject_head(app, title, subject, app.clock.today()),
        to: addressee(subject),
        payments: payments(&plan, true),
        total: plan.total().to_string(),
        has_card: card.is_some(),
        last_four: card.and_then(|card| card.card.last_four),
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

/// Returns the card that pays the plan, or `None` if no card can be charged.
fn chargeable_card(
    app: &App,
    tx: &impl Read,
    policy: &Policy,
) -> Result<Option<Instrument>, StoreError> {
    let Some(id) = policy.instrument else {
        return Ok(None);
    };
    match payments::is_chargeable(&app.gateways, tx, id)? {
        true => tables::INSTRUMENTS.get(tx, &id),
        false => Ok(None),
    }
}
