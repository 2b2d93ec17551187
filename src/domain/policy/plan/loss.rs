//! Payments of a plan that a bank or a gateway took back: their instalments are due again.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{PaymentPlan, PlanEvent};
use crate::domain::money::Pence;

/// A payment that was taken back, with the instalments that are due again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostPayment {
    pub payment: Uuid,
    pub instalments: Vec<LostInstalment>,
}

impl LostPayment {
    fn amount(&self) -> Pence {
        self.instalments.iter().map(|own| own.amount).sum()
    }
}

/// An instalment whose payment was taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostInstalment {
    pub number: usize,
    /// What the payment paid of it, in pence.
    pub amount: Pence,
}

/// What follows from a loss, in pence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LossChange {
    /// What the customer owes again. It is negative after a won appeal.
    pub due_again: Pence,
    /// What the customer has paid twice, because a won appeal returned the first payment.
    pub paid_twice: Pence,
}

impl PaymentPlan {
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
        let instalments = self.lost_instalments(&earlier, numbers, lost);
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

    /// Returns the instalments that `lost` pays, from the last of `numbers` back.
    fn lost_instalments(
        &self,
        earlier: &[LostInstalment],
        numbers: &[usize],
        lost: Pence,
    ) -> Vec<LostInstalment> {
        let mut left = lost;
        let paid = numbers.iter().rev().filter_map(|number| {
            let known = earlier.iter().find(|own| own.number == *number);
            known.copied().or_else(|| {
                let own = self.instalments.get(*number)?;
                Some(LostInstalment {
                    number: *number,
                    amount: own.amount,
                })
            })
        });
        paid.take_while(|own| {
            left -= own.amount;
            left >= Pence::ZERO
        })
        .collect()
    }
}
