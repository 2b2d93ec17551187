//! Builds the events of the letters about a monthly plan.

use chrono::NaiveDate;
use uuid::Uuid;

use crate::app::letters::{
    EarlierEnd, LetterEvent, StoppedPaymentFields, format_amount, format_positive,
};
use crate::app::payments::checkout::attempts::attempts;
use crate::app::payments::refunds::unrefunded;
use crate::app::policies::PolicyContext;
use crate::app::policies::plans::StoppedPayments;
use crate::app::{AppError, page_addresses};
use crate::domain::money::Pence;
use crate::domain::payment::refund::{RefundPart, RefundRoute};
use crate::domain::payment::{DeclineClass, Payment};
use crate::domain::policy::plan::{Instalment, NoticeLetter, PaymentPlan, PlanStatus};
use crate::domain::quote::{Quote, QuoteStatus};
use crate::domain::time::dates::{add_days, format_long};
use crate::store::Read;
use crate::store::tables::{PLANS, PolicyNotification};

/// Returns the letter's event. Returns `None` if the plan's status needs no such letter any more, for example
/// because the customer has paid or the policy has ended.
pub(super) fn plan_event(
    (today, public_url): (NaiveDate, &str),
    tx: &impl Read,
    context: &PolicyContext,
    news: PolicyNotification,
) -> Result<Option<LetterEvent>, AppError> {
    let policy = context.policy.uuid;
    let is_over = context.quote.status != QuoteStatus::Live || context.last_day() < today;
    let Some(plan) = PLANS.get(tx, &policy)? else {
        return Ok(None);
    };
    if news == PolicyNotification::InstalmentUnclear {
        return Ok(plan.open_charge().map(|_| LetterEvent::CardUnclear {
            expiry: format_long(context.last_day()),
            is_instalment: true,
            has_ended: is_over,
        }));
    }
    if is_over {
        return Ok(None);
    }
    let due_amount = format_amount(plan.due(today));
    let left = plan.due(NaiveDate::MAX);
    let has_card = context.card_stored;
    Ok(match (news, plan.status) {
        (PolicyNotification::PlanStarted, _) => Some(LetterEvent::PlanStarted {
            payments: format_payments(&plan, true),
            total: format_amount(plan.total()),
            has_card,
        }),
        (PolicyNotification::PlanChanged, _) => {
            let unpaid = numbered_payments(&plan).filter(|(_, own)| own.is_unpaid());
            Some(LetterEvent::PlanChanged {
                payments: unpaid.map(format_payment).collect(),
                total: format_amount(left),
                has_card,
            })
        }
        (PolicyNotification::InstalmentFailed, PlanStatus::Failed { next_try, .. }) => {
            let charge = last_charge(tx, policy, &plan, today)?;
            let decline = charge.as_ref().and_then(|charge| charge.decline.as_ref());
            let retry_day = next_try.filter(|_| has_card);
            Some(LetterEvent::InstalmentFailed {
                due_amount,
                is_card_charged: charge.is_some(),
                needs_customer: retry_day.is_none()
                    && decline.is_some_and(|decline| decline.class == DeclineClass::Customer),
                retry_date: retry_day.map(format_long),
                pay_page: page_addresses::pay_due(public_url, policy),
            })
        }
        (PolicyNotification::PlanPaid, _) if left == Pence::ZERO => {
            let payments = unrefunded::policy_payments(tx, policy)?;
            let paid = payments.iter().map(|(_, balance)| balance.refundable());
            Some(LetterEvent::PlanPaid {
                total: format_amount(paid.sum()),
                expiry: format_long(context.last_day()),
            })
        }
        (news, PlanStatus::Notice(notice)) if !notice.is_sent => {
            let ends_on = notice.end_if_sent(today);
            let end_day = format_long(add_days(ends_on, -1));
            let earlier_end = earlier_end(context, ends_on);
            match (news, notice.letter) {
                (PolicyNotification::PlanNotice, NoticeLetter::Notice) => {
                    Some(LetterEvent::PlanNotice {
                        due_amount,
                        end_day,
                        earlier_end,
                    })
                }
                (PolicyNotification::PlanReminder, NoticeLetter::Reminder) => {
                    Some(LetterEvent::PlanReminder {
                        due_amount,
                        end_day,
                        earlier_end,
                    })
                }
                _ => None,
            }
        }
        _ => None,
    })
}

/// Formats all payments of a plan. `has_begun`: the plan's first payment was made.
pub(super) fn format_payments(plan: &PaymentPlan, has_begun: bool) -> Vec<String> {
    let format = |(number, own): (usize, &Instalment)| {
        let state = if has_begun && own.is_collected {
            ", paid"
        } else {
            ""
        };
        format_payment((number, own)) + state
    };
    numbered_payments(plan).map(format).collect()
}

/// Formats a payment with its day: "Payment 2: 21 December 2026, GBP 4.01".
fn format_payment((number, own): (usize, &Instalment)) -> String {
    let (day, amount) = (format_long(own.due), format_amount(own.amount));
    format!("Payment {number}: {day}, {amount}")
}

/// Returns the payments of a plan with their numbers from 1, without merged ones.
fn numbered_payments(plan: &PaymentPlan) -> impl Iterator<Item = (usize, &Instalment)> {
    let payments = plan.instalments.iter();
    (1..).zip(payments.filter(|own| own.amount > Pence::ZERO))
}

/// Formats the payments that stop. Returns `None` if none stops.
pub(super) fn format_stopped(stopped: Option<StoppedPayments>) -> Option<StoppedPaymentFields> {
    let stopped = stopped.filter(|stopped| stopped.count > 0)?;
    Some(StoppedPaymentFields {
        count: stopped.count,
        total: format_amount(stopped.total),
    })
}

/// Returns the end of the policy, if it comes on the day `ends_on` of a notice or earlier.
fn earlier_end(context: &PolicyContext, ends_on: NaiveDate) -> Option<EarlierEnd> {
    let last_day = context.last_day();
    (last_day < ends_on).then(|| EarlierEnd {
        last_day: format_long(last_day),
        is_requested: last_day < context.policy.expiry && ends_on <= context.policy.expiry,
    })
}

/// Returns what is due of the plan, if the card was not charged for the renewal because of it.
pub(super) fn arrears(
    tx: &impl Read,
    context: &PolicyContext,
    renewal: &Quote,
    today: NaiveDate,
) -> Result<Option<String>, AppError> {
    let plan = PLANS.get(tx, &context.policy.uuid)?;
    let tried = attempts(tx, renewal.uuid)?;
    let is_tried = tried.iter().any(|attempt| attempt.instrument().is_some());
    let due = plan.filter(|_| !is_tried).map(|plan| plan.due(today));
    Ok(due.and_then(format_positive))
}

/// Adds what comes back of the monthly payments that are due before the end of the policy. The card pays them.
pub(super) fn add_later_payments(refund: &mut Vec<RefundPart>, back: Pence, is_monthly: bool) {
    let paid: Pence = refund.iter().map(|part| part.amount).sum();
    if !is_monthly || back <= paid {
        return;
    }
    let amount = back - paid;
    let to_card = refund
        .iter_mut()
        .find(|part| part.route == RefundRoute::Card);
    match to_card {
        Some(part) => part.amount += amount,
        None => refund.push(RefundPart {
            route: RefundRoute::Card,
            amount,
        }),
    }
}

/// Returns the last day of cover if the customer has a notice and does not pay. Returns `None` without a notice.
pub(super) fn unpaid_end(
    tx: &impl Read,
    context: &PolicyContext,
) -> Result<Option<String>, AppError> {
    let plan = PLANS.get(tx, &context.policy.uuid)?;
    let last_day = plan.and_then(|plan| match plan.status {
        PlanStatus::Notice(notice) if notice.is_known() => Some(add_days(notice.ends_on, -1)),
        _ => None,
    });
    let last_day = last_day.filter(|day| *day < context.last_day());
    Ok(last_day.map(format_long))
}

/// Returns the newest charge of the earliest instalment that is due. Returns `None` if no card was charged.
fn last_charge(
    tx: &impl Read,
    policy: Uuid,
    plan: &PaymentPlan,
    today: NaiveDate,
) -> Result<Option<Payment>, AppError> {
    let Some(number) = plan.unpaid(today).first().copied() else {
        return Ok(None);
    };
    let mut charges = attempts(tx, policy)?.into_iter();
    let is_charge = |attempt: &Payment| {
        attempt.instrument().is_some() && attempt.purpose.instalments().contains(&number)
    };
    Ok(charges.rfind(is_charge))
}
