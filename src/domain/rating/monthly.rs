//! Paying by instalments: a deposit, equal instalments and what it costs.

use serde::{Deserialize, Serialize};

use crate::domain::money::Pence;
use crate::domain::product::Product;

/// A price paid monthly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Monthly {
    /// Paid at once.
    pub deposit: Pence,
    /// How many instalments follow, a month apart.
    pub instalments: i64,
    /// Every instalment but the last.
    pub instalment_amount: Pence,
    /// The last instalment, which takes up the odd pence.
    pub last_instalment_amount: Pence,
    /// All that is paid: deposit and instalments.
    pub total: Pence,
    /// What paying monthly costs.
    pub charge: Pence,
    /// The charge in percent of what is borrowed.
    pub flat_rate: f64,
    /// Annual percentage rate, to one decimal.
    pub apr: f64,
}

/// How a price can be paid monthly; `None` where the product has no
/// instalments or the price is too small for them.
pub fn monthly(product: &Product, total: Pence) -> Option<Monthly> {
    let terms = product.compiled.monthly?;
    if total < terms.minimum || total <= Pence::ZERO {
        return None;
    }
    let deposit = total.share(terms.deposit, 10_000);
    let borrowed = total - deposit;
    let charge = borrowed.share(terms.flat_rate, 10_000);
    let owed = borrowed + charge;
    let instalment = Pence(owed.0.checked_div(terms.instalments)?);
    let last = owed - Pence(instalment.0.checked_mul(terms.instalments - 1)?);
    Some(Monthly {
        deposit,
        instalments: terms.instalments,
        instalment_amount: instalment,
        last_instalment_amount: last,
        total: deposit + owed,
        charge,
        flat_rate: terms.flat_rate as f64 / 100.0,
        apr: apr(borrowed, instalment, last, terms.instalments),
    })
}

/// The annual rate at which the instalments, each a month after the other and
/// the first a month after borrowing, are worth what was borrowed: the
/// monthly internal rate of return, compounded over a year, in percent to one
/// decimal (the Financial Conduct Authority's CONC App 1.2).
fn apr(borrowed: Pence, instalment: Pence, last: Pence, instalments: i64) -> f64 {
    let worth = |rate: f64| {
        let mut discount = 1.0;
        let mut sum = 0.0;
        for month in 1..=instalments {
            discount /= 1.0 + rate;
            let paid = if month == instalments {
                last
            } else {
                instalment
            };
            sum += paid.0 as f64 * discount;
        }
        sum
    };
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    // The worth falls as the rate rises; 60 halvings are finer than a double.
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if worth(middle) > borrowed.0 as f64 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let yearly = (1.0 + high).powi(12) - 1.0;
    (yearly * 1000.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_the_internal_rate_of_return() {
        // 100 pounds borrowed, twelve payments of 8.88: 1 percent a month.
        assert_eq!(apr(Pence(10_000), Pence(888), Pence(894), 12), 12.7);
        // One payment of 112 after a month is 12 percent a month.
        assert_eq!(apr(Pence(10_000), Pence(11_200), Pence(11_200), 1), 289.6);
        // No charge, no rate.
        assert_eq!(apr(Pence(10_000), Pence(1_000), Pence(1_000), 10), 0.0);
    }
}
