//! Monthly plans: in any order of charges, payments, failures, changes and disputes, the money is right.

use std::collections::BTreeSet;

use chrono::{Days, NaiveDate};
use layby::domain::money::Pence;
use layby::domain::policy::plan::{
    ChangeError, Charge, LossChange, MIN_INSTALMENT, NoticeLetter, PaymentPlan, PlanEnd, PlanEvent,
    PlanStatus, instalment_days,
};
use layby::domain::transition::Transition;
use proptest::prelude::*;
use proptest::sample::Index;
use uuid::Uuid;

use super::day;
use crate::support::generated::cases;

/// What happens to a plan. Amounts are in percent of the price.
#[derive(Clone, Debug)]
enum Step {
    /// Days pass. The shop works on each of them, or is closed.
    Days(u64, bool),
    /// The job runs again, as after a kill or on a second shop.
    WorkAgain,
    /// The open charge succeeds.
    ChargePaid,
    /// The card refuses the open charge. It may be tried again, or not.
    ChargeFailed(bool),
    /// The customer opens a page for what is due, or for all that is left.
    OpenPage(bool),
    /// The customer pays on a page that was opened.
    PayPage(Index),
    /// A bank takes an instalment's money back.
    Dispute(Index),
    /// The shop wins an appeal.
    Appeal(Index),
    /// The price changes from a later day.
    Change(i64, u64),
    /// The customer gives another card.
    ReplaceCard,
    /// An earlier report about a charge comes again.
    Repeat(Index, bool),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (1u64..40, any::<bool>()).prop_map(|(days, works)| Step::Days(days, works)),
        2 => Just(Step::WorkAgain),
        6 => Just(Step::ChargePaid),
        3 => any::<bool>().prop_map(Step::ChargeFailed),
        2 => any::<bool>().prop_map(Step::OpenPage),
        2 => any::<Index>().prop_map(Step::PayPage),
        1 => any::<Index>().prop_map(Step::Dispute),
        1 => any::<Index>().prop_map(Step::Appeal),
        3 => (-120i64..120, 0u64..200).prop_map(|(percent, later)| Step::Change(percent, later)),
        1 => Just(Step::ReplaceCard),
        2 => (any::<Index>(), any::<bool>()).prop_map(|(which, paid)| Step::Repeat(which, paid)),
    ]
}

/// A plan with the money that moved.
struct Sale {
    plan: PaymentPlan,
    today: NaiveDate,
    expiry: NaiveDate,
    price: Pence,
    /// What customers paid and banks did not take back.
    cash: Pence,
    /// Refunds of decreases.
    refunded: Pence,
    charges: Vec<Charge>,
    open: Option<Charge>,
    pages: Vec<(Vec<usize>, Pence)>,
    charge_days: BTreeSet<NaiveDate>,
    disputes: u128,
    disputed: Vec<(Uuid, usize, Pence)>,
}

impl Sale {
    fn new(price: i64, from: NaiveDate, payments: i32) -> Self {
        let expiry = from + Days::new(364);
        let plan =
            PaymentPlan::new(Pence(price), &instalment_days(from, expiry, payments)).unwrap();
        Self {
            cash: plan.collected(),
            plan,
            today: from,
            expiry,
            price: Pence(price),
            refunded: Pence::ZERO,
            charges: Vec::new(),
            open: None,
            pages: Vec::new(),
            charge_days: BTreeSet::from([from]),
            disputes: 0,
            disputed: Vec::new(),
        }
    }

    /// Starts the charge of the day, and returns whether there is one.
    fn charge(&mut self) -> bool {
        let on = self.today;
        let Some(charge) = self.plan.start_charge(on) else {
            return false;
        };
        assert!(self.charge_days.insert(on), "two charges on {on}");
        let is_twin = |own: &Charge| (own.number, own.attempt) == (charge.number, charge.attempt);
        assert!(
            !self.charges.iter().any(is_twin),
            "{charge:?} has the identity of another charge"
        );
        assert!(self.plan.instalments[charge.number].due <= on);
        assert!(charge.amount >= MIN_INSTALMENT);
        self.charges.push(charge);
        self.open = Some(charge);
        true
    }

    /// Does what the collecting job does on a day.
    fn work(&mut self) {
        for _ in 0..4 {
            if self.plan.next_day().is_none_or(|next| self.today < next) {
                return;
            }
            let on = self.today;
            if self.charge() {
                return;
            }
            let event = match self.plan.status {
                PlanStatus::Failed { .. } => PlanEvent::Notice { on },
                PlanStatus::Notice(notice) if notice.letter == NoticeLetter::Notice => {
                    PlanEvent::Reminder
                }
                _ => PlanEvent::PolicyEnded,
            };
            let applied = self.plan.apply(event);
            assert!(matches!(applied, Transition::Applied(_)), "{event:?}");
            let _ = self.plan.apply(PlanEvent::LetterSent { on });
        }
        assert!(self.plan.next_day().is_none_or(|next| self.today < next));
    }

    fn receive(&mut self, numbers: &[usize], amount: Pence) {
        if self.plan.collect(numbers, amount, self.today) {
            self.cash += amount;
        }
    }

    /// Tells the plan how much of a payment is lost. What is paid twice then goes back.
    fn lose(&mut self, payment: Uuid, number: usize, lost: Pence) {
        let change = self.plan.record_loss(payment, &[number], lost, self.today);
        self.cash -= change.due_again + change.paid_twice;
        let again = self.plan.record_loss(payment, &[number], lost, self.today);
        assert_eq!(again, LossChange::default());
    }

    fn change(&mut self, percent: i64, later: u64) {
        let amount = self.price.fraction(percent, 100);
        if self.price + amount < MIN_INSTALMENT || self.price > Pence(10_000_000) {
            return;
        }
        let from = self.today + Days::new(later);
        let before = self.plan.clone();
        match self.plan.change_price(amount, from, self.today) {
            Ok(refund) => {
                self.price += amount;
                assert!(refund == Pence::ZERO || amount < Pence::ZERO);
                assert!(Pence::ZERO <= refund && refund <= self.cash - self.refunded);
                self.refunded += refund;
            }
            Err(error) => {
                assert_eq!(self.plan, before, "a refused change changes nothing");
                match error {
                    ChangeError::Due(due) => assert_eq!(due, before.due(self.today)),
                    ChangeError::Ended => assert_eq!(before.status, PlanStatus::Ended),
                    ChangeError::NoneLeft => assert_eq!(
                        before.due(self.expiry),
                        before.due(from - Days::new(1)),
                        "none is due from its day"
                    ),
                }
            }
        }
    }

    fn happen(&mut self, step: &Step) {
        match step {
            Step::Days(days, works) => {
                for _ in 0..*days {
                    self.today = self.today + Days::new(1);
                    if *works {
                        self.work();
                    }
                }
            }
            Step::WorkAgain => {
                self.charge();
            }
            Step::ChargePaid => {
                if let Some(charge) = self.open.take() {
                    self.receive(&[charge.number], charge.amount);
                }
            }
            Step::ChargeFailed(may_retry) => {
                if let Some(charge) = self.open.take() {
                    let _ = self.plan.fail_charge(charge, *may_retry, self.today);
                }
            }
            Step::OpenPage(all) => {
                let until = if *all { self.expiry } else { self.today };
                let page = (self.plan.unpaid(until), self.plan.due(until));
                self.pages
                    .extend(Some(page).filter(|(numbers, _)| !numbers.is_empty()));
            }
            Step::PayPage(which) => {
                if !self.pages.is_empty() {
                    let (numbers, amount) = which.get(&self.pages).clone();
                    self.receive(&numbers, amount);
                }
            }
            Step::Dispute(which) => {
                let number = which.index(self.plan.instalments.len());
                let own = self.plan.instalments[number];
                // A bank takes back only what was not refunded.
                if own.is_collected && self.cash - self.refunded >= own.amount {
                    self.disputes += 1;
                    let payment = Uuid::from_u128(self.disputes);
                    self.disputed.push((payment, number, own.amount));
                    self.lose(payment, number, own.amount);
                }
            }
            Step::Appeal(which) => {
                if !self.disputed.is_empty() {
                    let which = which.index(self.disputed.len());
                    let (payment, number, _) = self.disputed.remove(which);
                    self.lose(payment, number, Pence::ZERO);
                }
            }
            Step::Change(percent, later) => self.change(*percent, *later),
            Step::ReplaceCard => {
                let _ = self.plan.apply(PlanEvent::CardReplaced { on: self.today });
            }
            Step::Repeat(which, paid) => {
                let closed: Vec<Charge> = self
                    .charges
                    .iter()
                    .filter(|own| self.open != Some(**own))
                    .copied()
                    .collect();
                if closed.is_empty() {
                    return;
                }
                let charge = which.get(&closed);
                if *paid && self.plan.instalments[charge.number].is_collected {
                    let taken = self
                        .plan
                        .collect(&[charge.number], charge.amount, self.today);
                    assert!(!taken, "collected twice");
                } else if !*paid {
                    let again = self.plan.fail_charge(*charge, true, self.today);
                    assert_eq!(again, Transition::AlreadyApplied);
                }
            }
        }
    }

    fn check(&self) {
        let plan = &self.plan;
        assert_eq!(plan.collected(), self.cash);
        let all: Pence = plan.instalments.iter().map(|own| own.amount).sum();
        assert_eq!(
            all - self.refunded,
            self.price,
            "payments less refunds make the price"
        );
        assert!(self.cash - self.refunded <= self.price, "collected <= due");
        assert!(Pence::ZERO <= self.cash - self.refunded);
        let last = plan.instalments.last().unwrap();
        assert!(last.due <= self.expiry);
        for own in &plan.instalments {
            assert!(
                own.amount == Pence::ZERO || own.amount >= MIN_INSTALMENT,
                "{own:?}"
            );
        }
        if plan.status == PlanStatus::Ended {
            assert_eq!(
                (plan.due(self.expiry), plan.next_day()),
                (Pence::ZERO, None)
            );
        }
    }
}

fn sale() -> impl Strategy<Value = Sale> {
    (60i64..60_000, 0u64..1461, 2i32..=12).prop_map(|(price, later, payments)| {
        Sale::new(price, day("2026-11-21") + Days::new(later), payments)
    })
}

impl std::fmt::Debug for Sale {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} from {}: {:?}", self.price, self.today, self.plan)
    }
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn the_payments_of_a_plan_make_its_price_in_any_order(
        mut sale in sale(),
        steps in prop::collection::vec(step(), 0..60),
    ) {
        sale.check();
        for step in &steps {
            sale.happen(step);
            sale.check();
        }
    }

    #[test]
    fn a_plan_whose_policy_ends_refunds_no_more_than_is_paid_and_not_earned(
        mut sale in sale(),
        steps in prop::collection::vec(step(), 0..40),
        days_earned in 0i64..=365,
        fee in 0i64..3000,
    ) {
        for step in &steps {
            sale.happen(step);
        }
        let paid = sale.cash - sale.refunded;
        let earned = sale.price.fraction(days_earned, 365);
        let end = PlanEnd::after_cooling_off(paid, earned, Pence(fee));
        prop_assert!(end.refund <= (paid - earned).max(Pence::ZERO));
        prop_assert!(end.fee <= Pence(fee) && end.refund >= Pence::ZERO);
        // What stays is earned, less what is written off, and the fee.
        prop_assert_eq!(paid - end.refund, earned - end.written_off + end.fee);

        let _ = sale.plan.apply(PlanEvent::PolicyEnded);
        sale.check();
        let before = sale.cash;
        for step in &steps {
            if !matches!(step, Step::Dispute(_) | Step::Appeal(_) | Step::Change(..)) {
                sale.happen(step);
            }
        }
        prop_assert_eq!(sale.cash, before, "nothing more is collected");
    }
}
