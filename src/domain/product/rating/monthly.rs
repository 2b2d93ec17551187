//! A price in monthly instalments. The shop makes no charge for them.

use chrono::NaiveDate;
use serde::Serialize;

use crate::domain::money::Pence;
use crate::domain::money::price::{Per, Price};
use crate::domain::policy::plan::{PaymentPlan, instalment_days};
use crate::domain::product::Product;
use crate::json_schema::ResponseSchema;

/// A price in monthly instalments.
#[derive(Clone, Debug, PartialEq, Serialize, ResponseSchema)]
#[serde(rename = "Instalments")]
pub struct Monthly {
    /// The first payment, at purchase, in pounds. It includes the odd pence.
    pub deposit: Pence,
    /// The number of instalments after the first payment, a month apart.
    pub instalments: i64,
    /// The amount of each instalment but the last, in pounds.
    pub instalment_amount: Pence,
    /// The amount of the last instalment, in pounds.
    pub last_instalment_amount: Pence,
    /// The sum of the first payment and all instalments, in pounds. It is the price.
    pub total: Pence,
    /// The charge for paying monthly, in pounds. Always 0.
    pub charge: Pence,
    /// The flat rate of the charge. Always 0.
    pub flat_rate: f64,
    /// The annual percentage rate of the charge. Always 0.
    pub apr: f64,
}

/// Returns the price that a plan of at least two payments pays.
#[must_use]
pub fn monthly(plan: &PaymentPlan) -> Monthly {
    let amounts = plan.amounts();
    let (first, others) = amounts.split_first().unwrap_or((&Pence::ZERO, &[]));
    Monthly {
        deposit: *first,
        instalments: others.len() as i64,
        instalment_amount: others.first().copied().unwrap_or_default(),
        last_instalment_amount: others.last().copied().unwrap_or_default(),
        total: plan.total(),
        charge: Pence::ZERO,
        flat_rate: 0.0,
        apr: 0.0,
    }
}

/// Returns the plan of a customer who buys `today`. Returns `None` if the product is not paid monthly, if the
/// price is below its minimum or too small for two payments, and for single trips.
#[must_use]
pub fn monthly_plan(product: &Product, price: &Price, today: NaiveDate) -> Option<PaymentPlan> {
    let terms = product.compiled.monthly?;
    if price.per == Per::Trip || price.total < terms.minimum {
        return None;
    }
    let days = instalment_days(today, price.expiry, terms.payments);
    PaymentPlan::new(price.total, &days)
}
