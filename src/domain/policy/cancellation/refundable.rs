//! What a cancellation gives back, in its parts.

use serde::{Deserialize, Serialize};

use crate::domain::money::Pence;
use crate::domain::money::price::Line;

/// What comes back of a policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refundable {
    /// In all, pence; never more than was paid and not yet returned.
    pub amount: Pence,
    /// The premium in it before any fee, tax included, pence.
    pub premium: Pence,
    /// The charges beside the premium in it, pence.
    pub charges: Pence,
    /// The tax in that, pence.
    pub tax: Pence,
    /// What is kept for ending it, pence.
    pub fee: Pence,
    /// How the amount comes about; the lines add up to it.
    pub lines: Vec<Line>,
}
