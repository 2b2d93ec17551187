//! Lines of amounts with their total, as documents show them.

use crate::documents::data::{Amount, Sum};
use crate::domain::money::Pence;
use crate::domain::price::{Line, Price};

/// The lines of a price and their total.
pub(in crate::app) fn price(price: &Price) -> Sum {
    let amount = |line: &Line| Amount {
        label: line.label.clone(),
        amount: line.amount.to_string(),
        note: line.note.clone(),
    };
    Sum {
        lines: price
            .lines
            .iter()
            .chain(&price.charges)
            .map(amount)
            .collect(),
        total: price.total.to_string(),
    }
}

/// Lines of amounts and their total.
pub(in crate::app) fn sum(lines: &[Line], total: Pence) -> Sum {
    let line = |line: &Line| Amount {
        label: line.label.clone(),
        amount: line.amount.to_string(),
        note: line.note.clone(),
    };
    Sum {
        lines: lines.iter().map(line).collect(),
        total: total.to_string(),
    }
}
