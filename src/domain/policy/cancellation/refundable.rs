//! The parts of a return premium.

use serde::{Deserialize, Serialize};

use crate::domain::money::Pence;
use crate::domain::money::price::Line;

/// What a cancellation returns to the customer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReturnPremium {
    /// The total, pence. It never exceeds what was paid and not yet refunded.
    pub amount: Pence,
    /// The premium in the total, before any fee, tax included, pence.
    pub premium: Pence,
    /// The charges in the total, pence.
    pub charges: Pence,
    /// The tax in `premium`, pence.
    pub tax: Pence,
    /// The cancellation fee, pence.
    pub fee: Pence,
    /// The lines that explain the amount; they add up to it.
    pub lines: Vec<Line>,
}
