//! Payments of a plan that a bank or a gateway took back: their instalments are due again.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::domain::money::Pence;
use crate::domain::policy::plan::schedule::Instalment;

/// A payment that was taken back, with the instalments that are due again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostPayment {
    pub payment: Uuid,
    pub instalments: Vec<LostInstalment>,
}

impl LostPayment {
    pub(super) fn amount(&self) -> Pence {
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

/// Returns the instalments of a payment for `numbers` that `lost` makes due again, from the last one back.
/// `earlier` are those that an earlier loss of the payment made due again.
pub(super) fn lost_instalments(
    instalments: &[Instalment],
    earlier: &[LostInstalment],
    numbers: &[usize],
    lost: Pence,
) -> Vec<LostInstalment> {
    let mut left = lost;
    let paid = numbers.iter().rev().filter_map(|number| {
        let lost_before = earlier.iter().find(|own| own.number == *number);
        lost_before.copied().or_else(|| {
            let amount = instalments.get(*number)?.amount;
            Some(LostInstalment {
                number: *number,
                amount,
            })
        })
    });
    paid.take_while(|own| {
        left -= own.amount;
        left >= Pence::ZERO
    })
    .collect()
}
