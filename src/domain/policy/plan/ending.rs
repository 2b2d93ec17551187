//! The money of a plan whose policy ends.

use crate::domain::money::Pence;

/// What follows from the end of a policy that is paid monthly, in pence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanEnd {
    pub refund: Pence,
    /// The part of the cancellation fee that the payments cover.
    pub fee: Pence,
    /// What is earned and unpaid. Nobody collects it.
    pub written_off: Pence,
}

impl PlanEnd {
    /// Returns the end after the cooling-off period. `earned` is the price of the days with cover.
    #[must_use]
    pub fn after_cooling_off(paid: Pence, earned: Pence, fee: Pence) -> Self {
        let left = (paid - earned).max(Pence::ZERO);
        let fee = fee.min(left);
        Self {
            refund: left - fee,
            fee,
            written_off: (earned - paid).max(Pence::ZERO),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_paid_and_not_earned_comes_back_less_the_fee() {
        for (paid, earned, fee, expected) in [
            (2000, 900, 500, (600, 500, 0)),
            (2000, 1700, 500, (0, 300, 0)),
            (2000, 2000, 500, (0, 0, 0)),
            (2000, 2300, 500, (0, 0, 300)),
            (0, 0, 500, (0, 0, 0)),
        ] {
            let end = PlanEnd::after_cooling_off(Pence(paid), Pence(earned), Pence(fee));
            let found = (end.refund.0, end.fee.0, end.written_off.0);
            assert_eq!(found, expected, "{paid} {earned}");
        }
    }
}
