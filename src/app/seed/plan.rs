//! The payments of a seeded policy that is paid monthly, until the day before today.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use uuid::Uuid;

use crate::app::AppError;
use crate::app::payments::ledger;
use crate::app::payments::sandbox::card_on_file;
use crate::app::seed::outcome::SeedOutcome;
use crate::domain::money::Pence;
use crate::domain::money::ledger::Entry;
use crate::domain::payment::instrument::charge_id;
use crate::domain::payment::sandbox::{SandboxPayment, TestCard};
use crate::domain::payment::{
    Failure, FailureClass, InstalmentNumbers, Instrument, Mode, Payment, PaymentStatus, Purpose,
};
use crate::domain::policy::Policy;
use crate::domain::policy::plan::{Charge, NoticeLetter, PaymentPlan, PlanEvent, PlanStatus};
use crate::domain::time::dates::{add_days, add_months, start_of_day};
use crate::store::{WriteTx, tables};

/// The plan of a seeded policy, and the payments that made its state.
#[derive(Clone)]
pub(in crate::app) struct SeededPlan {
    pub(in crate::app) plan: PaymentPlan,
    pub(in crate::app) card: TestCard,
    charges: Vec<SeededCharge>,
    /// The instalments that the customer paid at once.
    rest: Option<SeededRest>,
}

#[derive(Clone)]
struct SeededRest {
    payment: Uuid,
    numbers: Vec<usize>,
    on: NaiveDate,
}

/// A charge of the stored card.
#[derive(Clone, Copy)]
struct SeededCharge {
    charge: Charge,
    on: NaiveDate,
    is_paid: bool,
}

/// Returns the London day of a policy's purchase: its instalment `number` fails, and the plan has the state of
/// `outcome` today. Returns `None` if no instalment fails, or none is due on the day that a reminder needs.
pub(in crate::app) fn purchase_day(
    outcome: SeedOutcome,
    number: i32,
    today: NaiveDate,
) -> Option<NaiveDate> {
    let days_ago = match outcome {
        SeedOutcome::MonthlyFailed => 2,
        SeedOutcome::MonthlyNotice => 12,
        SeedOutcome::MonthlyReminder => 20,
        SeedOutcome::MonthlyUnpaid => 24,
        _ => return None,
    };
    let failed = add_days(today, -days_ago);
    let bought = add_months(failed, -number);
    let is_exact = add_months(bought, number) == failed;
    (is_exact || outcome != SeedOutcome::MonthlyReminder).then_some(bought)
}

impl SeededPlan {
    /// Returns `plan` after its charges until the day before `today`. From the instalment `fails_from` on, the
    /// card declines. With `rest`, the customer then pays all that is left by this payment.
    pub(in crate::app) fn new(
        mut plan: PaymentPlan,
        fails_from: Option<usize>,
        rest: Option<Uuid>,
        today: NaiveDate,
    ) -> Self {
        let yesterday = add_days(today, -1);
        let mut charges = Vec::new();
        while let Some(on) = plan.next_day().filter(|day| *day <= yesterday) {
            if let Some(charge) = plan.start_charge(on) {
                let is_paid = fails_from.is_none_or(|first| charge.number < first);
                match is_paid {
                    true => drop(plan.collect(&[charge.number], charge.amount, on)),
                    false => drop(plan.fail_charge(charge, true, on)),
                }
                charges.push(SeededCharge {
                    charge,
                    on,
                    is_paid,
                });
                continue;
            }
            let event = match plan.status {
                PlanStatus::Failed { .. } => PlanEvent::Notice { on },
                PlanStatus::Notice(notice) if notice.letter == NoticeLetter::Notice => {
                    PlanEvent::Reminder
                }
                PlanStatus::Notice(_) | PlanStatus::Active | PlanStatus::Ended => break,
            };
            let _ = plan.apply(event);
            let _ = plan.apply(PlanEvent::LetterSent { on });
        }
        let rest = rest.map(|payment| SeededRest {
            payment,
            numbers: plan.unpaid(NaiveDate::MAX),
            on: yesterday,
        });
        if let Some(rest) = &rest {
            let amount = plan.amount_of(&rest.numbers).unwrap_or_default();
            plan.collect(&rest.numbers, amount, rest.on);
        }
        Self {
            plan,
            card: match fails_from {
                Some(_) => TestCard::DeclinedLater,
                None => TestCard::Pays,
            },
            charges,
            rest,
        }
    }

    /// Returns the amount that was paid at purchase.
    pub(in crate::app) fn first_amount(&self) -> Pence {
        let first = self.plan.instalments.first();
        first.map_or(Pence::ZERO, |own| own.amount)
    }

    /// Writes the plan of a policy, its card and its payments. `sale` bought the policy. Returns the policy with
    /// the card.
    pub(in crate::app) fn write(
        &self,
        tx: &mut WriteTx<'_>,
        mut policy: Policy,
        sale: &Payment,
    ) -> Result<Policy, AppError> {
        let Some(consent) = sale.consent.clone() else {
            return Ok(policy);
        };
        let card = Instrument {
            id: Instrument::id_of(sale.id),
            payment: sale.id,
            gateway: sale.provider.clone(),
            mode: Mode::Test,
            card: card_on_file(sale.id, Some(self.card)),
            consent,
            removed: None,
            is_unusable: false,
        };
        policy.instrument = Some(card.id);
        tables::INSTRUMENTS.put(tx, &card.id, &card)?;
        tables::PLANS.put(tx, &policy.uuid, &self.plan)?;
        for charged in &self.charges {
            write_payment(tx, &charged.payment(&policy, &card), self.card)?;
        }
        if let Some(rest) = &self.rest {
            let instalments = rest.numbers.iter();
            let instalments = instalments.filter_map(|number| self.plan.instalments.get(*number));
            let terms = (policy.revision, instalments.map(|own| own.amount).sum());
            let gateway = (sale.provider.as_str(), Mode::Test);
            let purpose = Purpose::Instalments(InstalmentNumbers::new(&rest.numbers));
            let time = charge_time(rest.on);
            let payment = Payment {
                status: PaymentStatus::Paid,
                paid_at: Some(time),
                ..Payment::on_page(rest.payment, policy.uuid, terms, gateway, purpose, time)
            };
            write_payment(tx, &payment, self.card)?;
        }
        Ok(policy)
    }
}

impl SeededCharge {
    fn payment(&self, policy: &Policy, card: &Instrument) -> Payment {
        let number = self.charge.number;
        let purpose = Purpose::Instalments(InstalmentNumbers::new(&[number]));
        let counted = u32::try_from(number).unwrap_or(u32::MAX);
        let id = charge_id(policy.uuid, purpose, counted, self.charge.attempt);
        let time = charge_time(self.on);
        let terms = (policy.revision, self.charge.amount);
        let mut payment = Payment::by_card(id, policy.uuid, terms, card.clone(), purpose, time);
        if self.is_paid {
            payment.status = PaymentStatus::Paid;
            payment.paid_at = Some(time);
        } else {
            payment.status = PaymentStatus::Failed;
            payment.message = Some("The card was declined.".to_owned());
            payment.failure = Some(Failure {
                class: FailureClass::Declined,
                is_final: true,
            });
        }
        payment
    }
}

/// Returns 07:00 in London on a day.
fn charge_time(day: NaiveDate) -> DateTime<Utc> {
    start_of_day(day) + TimeDelta::hours(7)
}

/// Writes a payment after the purchase, with the row of the sandbox and the entry of the ledger.
fn write_payment(tx: &mut WriteTx<'_>, payment: &Payment, card: TestCard) -> Result<(), AppError> {
    tables::PAYMENTS.put(tx, &payment.id, payment)?;
    let mut at_gateway = SandboxPayment::new(payment.id, payment.amount, payment.created);
    at_gateway.play(match payment.status {
        PaymentStatus::Paid => card,
        _ => TestCard::Declined,
    });
    tables::SANDBOX.put(tx, &payment.id, &at_gateway)?;
    let Some(paid_at) = payment.paid_at else {
        return Ok(());
    };
    let (id, amount) = (payment.id, payment.amount);
    let entry = Entry::payment(paid_at, &payment.provider, id, amount);
    ledger::post(tx, payment.quote, &entry)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::policy::plan::instalment_days;
    use chrono::Datelike;

    #[test]
    fn a_plan_has_its_state_on_every_day_of_the_year() {
        let first = NaiveDate::from_ymd_opt(2027, 1, 1).unwrap();
        for today in first.iter_days().take(2 * 366) {
            for number in 2..=8 {
                for outcome in [
                    SeedOutcome::MonthlyFailed,
                    SeedOutcome::MonthlyNotice,
                    SeedOutcome::MonthlyReminder,
                    SeedOutcome::MonthlyUnpaid,
                ] {
                    let Some(day) = purchase_day(outcome, number, today) else {
                        let is_late = outcome == SeedOutcome::MonthlyReminder && today.day() > 17;
                        assert!(is_late, "{today} {outcome:?}");
                        continue;
                    };
                    let days = instalment_days(day, add_days(day, 364), 12);
                    let plan = PaymentPlan::new(Pence(4816), &days).unwrap();
                    let fails_from = usize::try_from(number).ok();
                    let seeded = SeededPlan::new(plan, fails_from, None, today);
                    let is_right = match seeded.plan.status {
                        PlanStatus::Failed { next_try, .. } => {
                            outcome == SeedOutcome::MonthlyFailed
                                && next_try.is_some_and(|day| today <= day)
                        }
                        PlanStatus::Notice(notice) => {
                            let has_reminder =
                                notice.letter == NoticeLetter::Reminder && notice.is_sent;
                            let expected = match (has_reminder, notice.ends_on <= today) {
                                (true, true) => SeedOutcome::MonthlyUnpaid,
                                (true, false) => SeedOutcome::MonthlyReminder,
                                (false, _) => SeedOutcome::MonthlyNotice,
                            };
                            outcome == expected
                        }
                        PlanStatus::Active | PlanStatus::Ended => false,
                    };
                    assert!(is_right, "{today} {number} {outcome:?}: {:?}", seeded.plan);
                }
            }
        }
    }
}
