//! Lines of money and what they come to, as documents show them.

use crate::documents::data::{Amount, Sum};
use crate::domain::money::Pence;
use crate::domain::price::{Line, Price};

/// Lines of money and what they come to.
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

/// Lines of money and what they come to; `sign` turns what goes back into what it is.
pub(in crate::app) fn sum(lines: &[Line], sign: i64, total: Pence) -> Sum {
    let line = |line: &Line| Amount {
        label: line.label.clone(),
        amount: line.amount.share(sign, 1).to_string(),
        note: line.note.clone(),
    };
    Sum {
        lines: lines.iter().map(line).collect(),
        total: total.share(sign, 1).to_string(),
    }
}
