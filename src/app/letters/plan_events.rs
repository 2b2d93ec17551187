//! Builds the events of the letters about a monthly plan.

use chrono::NaiveDate;

use crate::app::AppError;
use crate::app::letters::{LetterEvent, format_amount};
use crate::app::policies::PolicyContext;
use crate::domain::money::Pence;
use crate::domain::policy::plan::{Instalment, NoticeLetter, PaymentPlan, PlanStatus};
use crate::domain::time::dates::{add_days, format_long};
use crate::store::Read;
use crate::store::tables::{PLANS, PolicyNotification};

/// Returns the letter's event. Returns `None` if the plan's status needs no such letter any more, for example
/// because the customer has paid.
pub(super) fn plan_event(
    tx: &impl Read,
    context: &PolicyContext,
    news: PolicyNotification,
    today: NaiveDate,
) -> Result<Option<LetterEvent>, AppError> {
    let Some(plan) = PLANS.get(tx, &context.policy.uuid)? else {
        return Ok(None);
    };
    let due_amount = format_amount(plan.due(today));
    let total = format_amount(plan.total());
    Ok(match (news, plan.status) {
        (PolicyNotification::PlanStarted, _) => Some(LetterEvent::PlanStarted {
            payments: format_payments(&plan),
            total,
        }),
        (PolicyNotification::PlanChanged, PlanStatus::Ended) => None,
        (PolicyNotification::PlanChanged, _) => {
            let left = plan.instalments.iter().filter(|own| own.is_unpaid());
            Some(LetterEvent::PlanChanged {
                payments: left.map(format_payment).collect(),
                total: format_amount(plan.due(NaiveDate::MAX)),
            })
        }
        (PolicyNotification::InstalmentFailed, PlanStatus::Failed { next_try, .. }) => {
            Some(LetterEvent::InstalmentFailed {
                due_amount,
                retry_date: next_try.map(format_long),
            })
        }
        (PolicyNotification::InstalmentUnclear, _) if plan.open_charge().is_some() => {
            Some(LetterEvent::CardUnclear {
                expiry: format_long(context.policy.expiry),
                is_instalment: true,
                has_ended: context.policy.expiry < today,
            })
        }
        (PolicyNotification::PlanPaid, _) if plan.due(NaiveDate::MAX) == Pence::ZERO => {
            Some(LetterEvent::PlanPaid {
                total,
                expiry: format_long(context.policy.expiry),
            })
        }
        (news, PlanStatus::Notice(notice)) if !notice.is_sent => {
            let end_day = format_long(add_days(notice.end_if_sent(today), -1));
            match (news, notice.letter) {
                (PolicyNotification::PlanNotice, NoticeLetter::Notice) => {
                    Some(LetterEvent::PlanNotice {
                        due_amount,
                        end_day,
                    })
                }
                (PolicyNotification::PlanReminder, NoticeLetter::Reminder) => {
                    Some(LetterEvent::PlanReminder {
                        due_amount,
                        end_day,
                    })
                }
                _ => None,
            }
        }
        _ => None,
    })
}

/// Formats all payments of a plan.
pub(super) fn format_payments(plan: &PaymentPlan) -> Vec<String> {
    plan.instalments.iter().map(format_payment).collect()
}

/// Formats a payment with its day: "21 December 2026: GBP 4.01".
fn format_payment(own: &Instalment) -> String {
    format!("{}: {}", format_long(own.due), format_amount(own.amount))
}
