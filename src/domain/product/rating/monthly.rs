//! Payment by instalments: a deposit, and instalments that are equal except for the last. The shop
//! makes no charge for instalments.

use serde::Serialize;

use crate::domain::money::Pence;
use crate::domain::product::Product;
use crate::json_schema::ResponseSchema;

/// A price in monthly instalments.
#[derive(Clone, Debug, PartialEq, Serialize, ResponseSchema)]
#[serde(rename = "Instalments")]
pub struct Monthly {
    /// The amount that is paid at once, in pounds.
    pub deposit: Pence,
    /// The number of instalments after the deposit, a month apart.
    pub instalments: i64,
    /// The amount of each instalment but the last, in pounds.
    pub instalment_amount: Pence,
    /// The amount of the last instalment, in pounds. It includes the remaining pence.
    pub last_instalment_amount: Pence,
    /// The sum of the deposit and all instalments, in pounds. It is the price.
    pub total: Pence,
    /// The charge for paying monthly, in pounds. Always 0.
    pub charge: Pence,
    /// The flat rate of the charge. Always 0.
    pub flat_rate: f64,
    /// The annual percentage rate of the charge. Always 0.
    pub apr: f64,
}

/// Returns how a price can be paid monthly. Returns `None` if the product has no instalments, or
/// the price is zero or below the product's minimum.
pub fn monthly(product: &Product, total: Pence) -> Option<Monthly> {
    let terms = product.compiled.monthly?;
    if total < terms.minimum || total <= Pence::ZERO {
        return None;
    }
    let deposit = total.fraction(terms.deposit, 10_000);
    let owed = total - deposit;
    let instalment = Pence(owed.0.checked_div(terms.instalments)?);
    let last = owed - Pence(instalment.0.checked_mul(terms.instalments - 1)?);
    Some(Monthly {
        deposit,
        instalments: terms.instalments,
        instalment_amount: instalment,
        last_instalment_amount: last,
        total,
        charge: Pence::ZERO,
        flat_rate: 0.0,
        apr: 0.0,
    })
}
