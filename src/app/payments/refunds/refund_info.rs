//! Refunds in the form that the API shows to customers.

use serde::Serialize;

use crate::app::payments::refunds::unrefunded::RefundProgress;
use crate::domain::money::Pence;
use crate::domain::money::price::Line;
use crate::domain::policy::adjustment::Adjustment;
use crate::json_schema::ResponseSchema;

/// A line of an amount.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
pub struct AmountLine {
    code: String,
    label: String,
    amount: Pence,
}

impl From<&Line> for AmountLine {
    fn from(line: &Line) -> Self {
        Self {
            code: line.code.clone(),
            label: line.label.clone(),
            amount: line.amount,
        }
    }
}

/// A refund.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
pub struct RefundInfo {
    /// The amount, in pounds.
    pub amount: Pence,
    /// The lines that explain the amount.
    pub lines: Vec<AmountLine>,
    pub status: RefundProgress,
}

impl RefundInfo {
    /// Returns an empty refund: nothing is refunded.
    pub fn empty() -> Self {
        Self {
            amount: Pence::ZERO,
            lines: Vec::new(),
            status: RefundProgress::None,
        }
    }

    /// Returns the refund of a change, with its lines.
    pub fn for_change(change: &Adjustment, amount: Pence, status: RefundProgress) -> Self {
        let lines = change.refund_lines(amount);
        Self {
            amount,
            lines: lines.iter().map(AmountLine::from).collect(),
            status,
        }
    }
}
