//! Insurance premium tax (IPT): the tax on a premium, and the tax in a taxed premium (HMRC Notice
//! IPT1).

use crate::domain::money::Pence;

/// A hundred percent, in basis points.
const WHOLE: i64 = 10_000;

/// A rate of insurance premium tax.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PremiumTax {
    basis_points: i64,
}

impl PremiumTax {
    /// Returns a rate from basis points, which are hundredths of a percent: 1200 is 12 percent.
    #[must_use]
    pub const fn from_basis_points(basis_points: i64) -> Self {
        Self { basis_points }
    }

    /// Returns the tax on a premium without tax.
    #[must_use]
    pub fn on(self, net: Pence) -> Pence {
        net.fraction(self.basis_points, WHOLE)
    }

    /// Returns the tax in a premium that includes tax. A rate of 12 percent gives 12/112 of the
    /// premium.
    #[must_use]
    pub fn included_in(self, taxed: Pence) -> Pence {
        taxed.fraction(self.basis_points, WHOLE + self.basis_points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tax_on_a_premium_is_the_tax_within_it_afterwards() {
        let rate = PremiumTax::from_basis_points(1200);
        for net in [0, 1, 4, 5, 100, 3333, 10_000, -3333] {
            let tax = rate.on(Pence(net));
            assert_eq!(rate.included_in(Pence(net) + tax), tax);
        }
        assert_eq!(rate.on(Pence(10_000)), Pence(1200));
        // Half a penny is rounded away from zero.
        assert_eq!(PremiumTax::from_basis_points(5000).on(Pence(1)), Pence(1));
        assert_eq!(PremiumTax::from_basis_points(0).on(Pence(100)), Pence::ZERO);
    }
}
