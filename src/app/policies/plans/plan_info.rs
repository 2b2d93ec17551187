//! A plan in the form that the API returns to the customer.

use chrono::NaiveDate;
use serde::Serialize;
use uuid::Uuid;

use crate::app::policies::PolicyContext;
use crate::domain::money::Pence;
use crate::domain::payment::balance::PaymentBalance;
use crate::domain::payment::{PLAN_TEXT, Payment, PaymentStatus, plan_text};
use crate::domain::policy::plan::{Instalment, PaymentPlan, PlanStatus};
use crate::domain::time::dates::add_days;
use crate::json_schema::ResponseSchema;

/// The plan by which a price can be paid monthly.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
pub struct PlanOffer {
    /// The sum of the payments, in pounds. It is the price.
    total: Pence,
    payments: Vec<PlanPayment>,
    /// The text to which a customer agrees who pays monthly.
    consent: &'static str,
}

/// A payment of a plan that is offered.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
pub struct PlanPayment {
    /// The day on which it is due.
    due: NaiveDate,
    /// The amount, in pounds.
    amount: Pence,
}

impl From<&PaymentPlan> for PlanOffer {
    fn from(plan: &PaymentPlan) -> Self {
        let payments = plan.instalments.iter();
        let payments = payments.filter(|own| own.amount > Pence::ZERO);
        let payments = payments.map(|own| PlanPayment {
            due: own.due,
            amount: own.amount,
        });
        Self {
            total: plan.total(),
            payments: payments.collect(),
            consent: PLAN_TEXT,
        }
    }
}

/// The status of a plan. `active`: each payment is charged on its day. `failed`: a payment failed. `notice`:
/// cover ends on `last_day` unless all that is due is paid. `ended`: nothing more is collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ResponseSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlanState {
    /// Each payment is charged on its day.
    Active,
    /// A payment failed, or was taken back.
    Failed,
    /// Cover ends unless all that is due is paid.
    Notice,
    /// Nothing more is collected.
    Ended,
}

/// The plan of a policy.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
#[serde(rename = "PolicyPlan")]
pub struct PlanInfo {
    status: PlanState,
    /// The sum of the payments, in pounds.
    total: Pence,
    payments: Vec<InstalmentInfo>,
    /// What is due and not paid, in pounds.
    due: Pence,
    /// What is not paid yet and not stopped, due or not, in pounds.
    left: Pence,
    /// Whether a charge of the card has no outcome yet. No other payment can begin before.
    is_charging: bool,
    /// Whether that charge has had no outcome for days, so that only the shop can find it.
    is_unclear: bool,
    /// The stored card that pays. Null if no card can be charged.
    card_id: Option<Uuid>,
    /// The day on which the card is tried again, after a charge that failed. Null if no card is tried again.
    next_try: Option<NaiveDate>,
    /// The text to which a customer agrees who pays the later payments with another card.
    consent: String,
    /// The day of the next payment that is not paid. Null if there is none before the end of cover.
    next_day: Option<NaiveDate>,
    /// The last day of cover, unless all that is due is paid before. Null without a notice, or if the policy ends
    /// before.
    last_day: Option<NaiveDate>,
}

/// The state of a payment. `paid`: it is collected. `due`: its day has come. `upcoming`: its day is later.
/// `stopped`: it is not collected, because the policy ended or ends before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ResponseSchema)]
#[serde(rename_all = "snake_case")]
pub enum InstalmentState {
    /// It is collected.
    Paid,
    /// Its day has come, and it is not collected.
    Due,
    /// Its day is later.
    Upcoming,
    /// It is not collected, because the policy ended or ends before.
    Stopped,
}

/// A payment of a plan.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
#[serde(rename = "PolicyPlanPayment")]
pub struct InstalmentInfo {
    /// The day on which it is due.
    due: NaiveDate,
    /// The amount, in pounds.
    amount: Pence,
    state: InstalmentState,
    /// The London day of the payment. Null unless it is paid.
    paid_on: Option<NaiveDate>,
}

impl PlanInfo {
    /// Returns the plan of a policy as it is on the London day `today`. Leaves out payments without an amount.
    /// `charge` is the status of the open charge. `payments` are the policy's.
    #[must_use]
    pub fn new(
        (plan, charge): (&PaymentPlan, Option<PaymentStatus>),
        payments: &[(Payment, PaymentBalance)],
        context: &PolicyContext,
        today: NaiveDate,
    ) -> Self {
        let lead_days = context.product.terms().renewal_lead_days;
        let renewal_lead_days = context.renews_by_itself().then_some(lead_days);
        let status = match plan.status {
            PlanStatus::Active => PlanState::Active,
            PlanStatus::Notice(notice) if notice.is_known() => PlanState::Notice,
            PlanStatus::Failed { .. } | PlanStatus::Notice(_) => PlanState::Failed,
            PlanStatus::Ended => PlanState::Ended,
        };
        let last_day = match plan.status {
            PlanStatus::Notice(notice) if notice.is_known() => Some(add_days(notice.ends_on, -1)),
            _ => None,
        };
        let last_day = last_day.filter(|day| *day < context.last_day());
        let last_due = context.policy.last_due_day();
        let state = |own: &Instalment| match () {
            () if own.is_collected => InstalmentState::Paid,
            () if status == PlanState::Ended || own.due > last_due => InstalmentState::Stopped,
            () if own.due <= today => InstalmentState::Due,
            () => InstalmentState::Upcoming,
        };
        let paid_on = |number: usize| {
            let mut payments = payments.iter().map(|(payment, _)| payment);
            let paid = payments.rfind(|payment| payment.purpose.instalments().contains(&number));
            paid.map(Payment::paid_on)
        };
        let instalments = plan.instalments.iter().enumerate();
        let instalments = instalments.filter(|(_, own)| own.amount > Pence::ZERO);
        let unpaid = plan.unpaid(last_due);
        let next = unpaid
            .first()
            .and_then(|first| plan.instalments.get(*first));
        Self {
            status,
            total: plan.total(),
            payments: instalments
                .map(|(number, own)| InstalmentInfo {
                    due: own.due,
                    amount: own.amount,
                    state: state(own),
                    paid_on: own.is_collected.then(|| paid_on(number)).flatten(),
                })
                .collect(),
            due: plan.due(today),
            left: plan.due(last_due),
            is_charging: charge.is_some(),
            is_unclear: charge == Some(PaymentStatus::Unresolved),
            card_id: context.policy.instrument.filter(|_| context.card_stored),
            next_try: plan.status.next_try().filter(|_| context.card_stored),
            consent: plan_text(renewal_lead_days),
            next_day: next.map(|own| own.due),
            last_day,
        }
    }
}
