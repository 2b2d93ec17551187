//! Money that comes back, as it goes over the wire.

use serde::Serialize;

use crate::app::payments::refunds::RefundProgress;
use crate::domain::money::Pence;
use crate::domain::price::Line;
use crate::schema::ResponseSchema;

/// A line of an amount.
#[derive(Serialize, ResponseSchema)]
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

/// Money that comes back.
#[derive(Serialize, ResponseSchema)]
pub struct RefundInfo {
    pub(in crate::api) amount: Pence,
    pub(in crate::api) lines: Vec<AmountLine>,
    pub(in crate::api) status: RefundProgress,
}

impl RefundInfo {
    /// Nothing comes back.
    pub(in crate::api) fn nothing() -> Self {
        Self {
            amount: Pence::ZERO,
            lines: Vec::new(),
            status: RefundProgress::None,
        }
    }
}
