//! Payment of annual cover in monthly instalments, without any charge: what is due, what the card is
//! charged, and how a change of the price is spread.

mod ending;
mod loss;
mod schedule;
mod status;

pub use ending::PlanEnd;
pub use loss::{LossChange, LostInstalment, LostPayment};
pub use schedule::{Instalment, MAX_INSTALMENTS, MIN_INSTALMENT, instalment_days, split};
pub use status::{
    EndNotice, NOTICE_DAYS, NoticeLetter, PlanEvent, PlanStatus, REMINDER_DAYS, apply,
};

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::domain::money::Pence;
use crate::domain::payment::PaymentFrequency;
use crate::domain::time::dates::add_days;
use crate::domain::transition::Transition;

/// The plan of a policy. A number of an instalment is its index, and never changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentPlan {
    pub instalments: Vec<Instalment>,
    pub status: PlanStatus,
    /// The charge that has no outcome yet.
    open_charge: Option<Charge>,
    /// The London day of the last charge. At first it is the day of purchase.
    charged_on: NaiveDate,
    /// The payments that a bank or a gateway took back.
    lost: Vec<LostPayment>,
}

/// A charge of one instalment to the card. Number and try identify it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Charge {
    pub number: usize,
    /// The count of charges of this instalment, from 1.
    pub attempt: u32,
    pub amount: Pence,
}

/// Why a change of the price can't be spread over instalments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeError {
    /// This amount is due, and must be paid first.
    Due(Pence),
    /// No instalment is left, or only merged ones and the increase is below [`MIN_INSTALMENT`]. The increase
    /// must be paid at once.
    NoneLeft,
    /// The policy has ended.
    Ended,
}

impl PaymentPlan {
    /// Returns the plan of a policy that was bought for `price`. The first instalment is collected.
    /// `days` are from [`instalment_days`]. Returns `None` if there are fewer than two instalments.
    #[must_use]
    pub fn new(price: Pence, days: &[NaiveDate]) -> Option<Self> {
        let mut instalments = split(price, days);
        let [first, _, ..] = instalments.as_mut_slice() else {
            return None;
        };
        first.is_collected = true;
        Some(Self {
            charged_on: first.due,
            instalments,
            status: PlanStatus::Active,
            open_charge: None,
            lost: Vec::new(),
        })
    }

    /// Returns the numbers of the instalments that are due until `day` and not collected.
    #[must_use]
    pub fn unpaid(&self, day: NaiveDate) -> Vec<usize> {
        let instalments = self.instalments.iter().enumerate();
        let is_wanted = |own: &Instalment| own.is_unpaid() && own.due <= day;
        let unpaid = instalments.filter(|(_, own)| is_wanted(own) && !self.has_ended());
        unpaid.map(|(number, _)| number).collect()
    }

    /// Returns what is due until `day` and not collected.
    #[must_use]
    pub fn due(&self, day: NaiveDate) -> Pence {
        self.amount_of(&self.unpaid(day)).unwrap_or_default()
    }

    /// Returns how the price of this plan is paid.
    #[must_use]
    pub fn frequency(&self) -> PaymentFrequency {
        PaymentFrequency::Monthly {
            payments: self.instalments.len() as u32,
        }
    }

    /// Returns the sum of all instalments.
    #[must_use]
    pub fn total(&self) -> Pence {
        self.instalments.iter().map(|own| own.amount).sum()
    }

    /// Returns what is collected, before any refund.
    #[must_use]
    pub fn collected(&self) -> Pence {
        let collected = self.instalments.iter().filter(|own| own.is_collected);
        collected.map(|own| own.amount).sum()
    }

    /// Returns the sum of some instalments, or `None` if one of them is collected or does not exist.
    #[must_use]
    pub fn amount_of(&self, numbers: &[usize]) -> Option<Pence> {
        let unpaid = |number: &usize| {
            let own = self.instalments.get(*number)?;
            own.is_unpaid().then_some(own.amount)
        };
        numbers.iter().map(unpaid).sum()
    }

    /// Returns the charge that has no outcome yet.
    #[must_use]
    pub const fn open_charge(&self) -> Option<Charge> {
        self.open_charge
    }

    /// Returns the next London day on which the plan needs a charge, a letter or its end. Returns `None`
    /// while a charge has no outcome, and if nothing follows.
    #[must_use]
    pub fn next_day(&self) -> Option<NaiveDate> {
        if self.open_charge.is_some() {
            return None;
        }
        if self.status != PlanStatus::Active {
            return self.status.next_step();
        }
        let number = *self.unpaid(NaiveDate::MAX).first()?;
        let due = self.instalments.get(number)?.due;
        Some(due.max(add_days(self.charged_on, 1)))
    }

    /// Starts the charge for `today`: of the earliest instalment that is due. Returns `None` if none is
    /// due, if a charge has no outcome yet, if one was started today, or if the card has failed and is not
    /// to be tried today.
    pub fn start_charge(&mut self, today: NaiveDate) -> Option<Charge> {
        let can_charge = match self.status {
            PlanStatus::Active => true,
            PlanStatus::Failed { .. } | PlanStatus::Notice(_) => {
                self.status.next_try().is_some_and(|day| day <= today)
            }
            PlanStatus::Ended => false,
        };
        if !can_charge || self.open_charge.is_some() || today <= self.charged_on {
            return None;
        }
        let number = *self.unpaid(today).first()?;
        let instalment = self.instalments.get_mut(number)?;
        instalment.tries += 1;
        self.open_charge = Some(Charge {
            number,
            attempt: instalment.tries,
            amount: instalment.amount,
        });
        self.charged_on = today;
        self.open_charge
    }

    /// Records that the card refused the open charge, and that the shop knows it since `today`. `may_retry`:
    /// the class of the decline allows another try. A repeated report changes nothing, nor does a failure of
    /// what the customer has paid meanwhile.
    pub fn fail_charge(
        &mut self,
        charge: Charge,
        may_retry: bool,
        today: NaiveDate,
    ) -> Transition<PlanStatus> {
        if self.open_charge != Some(charge) {
            return Transition::AlreadyApplied;
        }
        self.open_charge = None;
        let on = today;
        self.apply(PlanEvent::ChargeFailed { on, may_retry })
    }

    /// Records a payment of `amount` for some instalments, by the card or by the customer. Returns false,
    /// and changes nothing, if the payment must go back: one of them is collected already, the amount is
    /// another one, or the plan has ended.
    pub fn collect(&mut self, numbers: &[usize], amount: Pence, today: NaiveDate) -> bool {
        if self.has_ended() || self.amount_of(numbers) != Some(amount) {
            return false;
        }
        for number in numbers {
            if let Some(own) = self.instalments.get_mut(*number) {
                own.is_collected = true;
            }
        }
        self.open_charge = self
            .open_charge
            .filter(|open| !numbers.contains(&open.number));
        let is_all = self.due(today) == Pence::ZERO;
        let _ = self.apply(PlanEvent::Collected { is_all });
        true
    }

    /// Records that the card was charged on the London day `on`. After an outage, that is later than the day of the
    /// charge's start.
    pub fn record_charge_day(&mut self, on: NaiveDate) {
        self.charged_on = self.charged_on.max(on);
    }

    /// Ends the open charge of an instalment whose money went back. The instalment stays due.
    pub fn drop_charge(&mut self, charge: Charge) {
        self.open_charge = self.open_charge.filter(|open| *open != charge);
    }

    /// Records that `lost` of a payment for the instalments `numbers` was taken back. They are due again from
    /// the last one back, each only if all of it is lost. A smaller `lost` than before is a won appeal: they
    /// are collected again. A repeated call, and a call after the policy's end, change nothing.
    pub fn record_loss(
        &mut self,
        payment: Uuid,
        numbers: &[usize],
        lost: Pence,
        today: NaiveDate,
    ) -> LossChange {
        let mut change = LossChange::default();
        if self.has_ended() {
            return change;
        }
        let earlier = self.lost.iter().find(|own| own.payment == payment);
        let earlier = earlier.map(|own| own.instalments.clone());
        let earlier = earlier.unwrap_or_default();
        let instalments = loss::lost_instalments(&self.instalments, &earlier, numbers, lost);
        for own in instalments.iter().filter(|own| !earlier.contains(own)) {
            if let Some(instalment) = self.instalments.get_mut(own.number) {
                instalment.is_collected = false;
            }
            change.due_again += own.amount;
        }
        for own in earlier.iter().filter(|own| !instalments.contains(own)) {
            change.due_again -= own.amount;
            if !self.collect(&[own.number], own.amount, today) {
                change.paid_twice += own.amount;
            }
        }
        self.lost.retain(|own| own.payment != payment);
        if !instalments.is_empty() {
            self.lost.push(LostPayment {
                payment,
                instalments,
            });
        }
        if change.due_again > Pence::ZERO && self.due(today) > Pence::ZERO {
            let _ = self.apply(PlanEvent::PaymentLost { on: today });
        }
        change
    }

    /// Returns what the losses made due again, in pence.
    #[must_use]
    pub fn lost(&self) -> Pence {
        self.lost.iter().map(LostPayment::amount).sum()
    }

    /// Returns what the loss of a payment made due again, in pence.
    #[must_use]
    pub fn lost_of(&self, payment: Uuid) -> Pence {
        let own = self.lost.iter().find(|own| own.payment == payment);
        own.map_or(Pence::ZERO, LostPayment::amount)
    }

    /// Adds an increase to the instalments that are left from the day `from` on, or lowers them by a
    /// negative `amount`. A decrease that exceeds them also lowers the earlier ones that are left. Returns
    /// what exceeds all of them, which is refunded. No instalment becomes smaller than
    /// [`MIN_INSTALMENT`]: the last ones merge, and a smaller rest is rounded up and refunded. The price
    /// after the change must be [`MIN_INSTALMENT`] at least.
    ///
    /// # Errors
    /// If something is due today, if no instalment is left for an increase, or if the plan has ended.
    pub fn change_price(
        &mut self,
        amount: Pence,
        from: NaiveDate,
        today: NaiveDate,
    ) -> Result<Pence, ChangeError> {
        let due = self.due(today);
        if due > Pence::ZERO {
            return Err(ChangeError::Due(due));
        }
        if self.has_ended() {
            return Err(ChangeError::Ended);
        }
        self.spread(amount, from, today)
    }

    /// Spreads `amount` as [`PaymentPlan::change_price`] does, also while something is due.
    fn spread(
        &mut self,
        amount: Pence,
        from: NaiveDate,
        today: NaiveDate,
    ) -> Result<Pence, ChangeError> {
        let rest = self.due(NaiveDate::MAX);
        let from_then = rest - self.due(add_days(from, -1));
        let is_from_then = amount > Pence::ZERO || from_then + amount >= MIN_INSTALMENT;
        let (first, left) = match is_from_then {
            true => (from, from_then),
            false => (today, rest),
        };
        // A merged instalment can have an amount again.
        let is_left = |own: &Instalment| {
            let is_late = !is_from_then && own.is_unpaid();
            !own.is_collected && (first <= own.due || is_late)
        };
        let days = self.instalments.iter().filter(|own| is_left(own));
        let days: Vec<_> = days.map(|own| own.due).collect();
        let after = left + amount;
        if amount > Pence::ZERO && (days.is_empty() || after < MIN_INSTALMENT) {
            return Err(ChangeError::NoneLeft);
        }
        let sum = match after > Pence::ZERO {
            true => after.max(MIN_INSTALMENT),
            false => Pence::ZERO,
        };
        let mut amounts = split(sum, &days).into_iter().map(|own| own.amount);
        for own in self.instalments.iter_mut().filter(|own| is_left(own)) {
            own.amount = amounts.next().unwrap_or_default();
        }
        Ok(sum - after)
    }

    /// Returns the amounts of all instalments.
    #[must_use]
    pub fn amounts(&self) -> Vec<Pence> {
        self.instalments.iter().map(|own| own.amount).collect()
    }

    /// Undoes a change of the price by `amount` from the day `from` on. `before` has the amounts before the
    /// change. If a changed instalment is collected, changes the price by the opposite amount instead. Returns
    /// what is refunded, as [`PaymentPlan::change_price`].
    ///
    /// # Errors
    /// If no instalment is left for an increase, or if the plan has ended.
    pub fn undo_change(
        &mut self,
        before: &[Pence],
        amount: Pence,
        from: NaiveDate,
        today: NaiveDate,
    ) -> Result<Pence, ChangeError> {
        if self.has_ended() {
            return Err(ChangeError::Ended);
        }
        let mut pairs = self.instalments.iter().zip(before);
        let mut excess = Pence::ZERO;
        if pairs.any(|(own, before)| own.is_collected && own.amount != *before) {
            excess = self.spread(-amount, from, today)?;
        } else {
            for (own, before) in self.instalments.iter_mut().zip(before) {
                own.amount = *before;
            }
        }
        // A payment that was due may have no amount any more.
        if self.due(today) == Pence::ZERO {
            let _ = self.apply(PlanEvent::Collected { is_all: true });
        }
        Ok(excess)
    }

    /// Applies an event to the status.
    pub fn apply(&mut self, event: PlanEvent) -> Transition<PlanStatus> {
        let transition = apply(self.status, event);
        if let Transition::Applied(status) = transition {
            self.status = status;
        }
        transition
    }

    fn has_ended(&self) -> bool {
        self.status == PlanStatus::Ended
    }
}

#[cfg(test)]
mod tests;
