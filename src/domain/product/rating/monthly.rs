//! Payment by instalments: a deposit, and instalments that are equal except for the last. The shop
//! makes no charge for instalments.

use serde::Serialize;

use crate::domain::money::Pence;
use crate::domain::product::Product;
use crate::json_schema::ResponseSchema;

/// A price paid monthly.
#[derive(Clone, Debug, PartialEq, Serialize, ResponseSchema)]
#[serde(rename = "Instalments")]
pub struct Monthly {
    /// Paid at once.
    pub deposit: Pence,
    /// How many instalments follow, a month apart.
    pub instalments: i64,
    /// Every instalment but the last.
    pub instalment_amount: Pence,
    /// The last instalment, which takes up the odd pence.
    pub last_instalment_amount: Pence,
    /// All that is paid: the price.
    pub total: Pence,
    /// The cost of paying monthly. It is zero, and so are the two rates.
    pub charge: Pence,
    pub flat_rate: f64,
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
