//! The parts of a return premium.

use serde::{Deserialize, Serialize};

use crate::domain::money::Pence;
use crate::domain::money::ledger::plan::PlanRest;
use crate::domain::money::price::Line;

/// What a cancellation returns to the customer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReturnPremium {
    /// The total, in pence. It never exceeds what was paid and not yet refunded.
    pub amount: Pence,
    /// The premium in the total, before any fee and including tax, in pence. With a plan, also the premium
    /// that is no longer owed.
    pub premium: Pence,
    /// The charges in the total, in pence.
    pub charges: Pence,
    /// The tax in `premium`, in pence.
    pub tax: Pence,
    /// The cancellation fee, in pence.
    pub fee: Pence,
    /// What is not collected of the policy's plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<PlanRest>,
    /// The lines that explain the total. Their sum is the total.
    pub lines: Vec<Line>,
}
