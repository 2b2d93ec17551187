//! Insurance premium tax (IPT): the tax on a premium, and the part of a premium that is tax (HMRC
//! Notice IPT1).

use crate::domain::money::Pence;

/// A hundred percent, in basis points.
const WHOLE: i64 = 10_000;

/// A rate of insurance premium tax.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PremiumTax {
    basis_points: i64,
}

impl PremiumTax {
    /// A rate in basis points, which are hundredths of a percent: 1200 is 12 percent.
    #[must_use]
    pub const fn of_basis_points(basis_points: i64) -> Self {
        Self { basis_points }
    }

    /// The tax on a premium that is without it.
    #[must_use]
    pub fn on(self, net: Pence) -> Pence {
        net.share(self.basis_points, WHOLE)
    }

    /// The tax in a premium that is with it: 12/112 of it where the rate is 12 percent.
    #[must_use]
    pub fn within(self, taxed: Pence) -> Pence {
        taxed.share(self.basis_points, WHOLE + self.basis_points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tax_on_a_premium_is_the_tax_within_it_afterwards() {
        let rate = PremiumTax::of_basis_points(1200);
        for net in [0, 1, 4, 5, 100, 3333, 10_000, -3333] {
            let tax = rate.on(Pence(net));
            assert_eq!(rate.within(Pence(net) + tax), tax);
        }
        assert_eq!(rate.on(Pence(10_000)), Pence(1200));
        // Half a penny goes away from zero.
        assert_eq!(PremiumTax::of_basis_points(5000).on(Pence(1)), Pence(1));
        assert_eq!(PremiumTax::of_basis_points(0).on(Pence(100)), Pence::ZERO);
    }
}
