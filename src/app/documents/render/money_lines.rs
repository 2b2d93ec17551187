//! Builds the parts of documents about money: amounts, totals, refunds and losses.

use crate::documents::data::{Amount, Sum};
use crate::domain::money::Pence;
use crate::domain::money::price::{Line, Price};
use crate::domain::payment::refund::{RefundPart, RefundRoute};

/// Returns the lines of a price and their total.
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

/// Returns lines of amounts and their total.
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

/// Returns a text for each part of a refund. The text tells the customer how the shop pays that part.
pub(in crate::app) fn refund_notes(parts: &[RefundPart]) -> Vec<String> {
    let note = |RefundPart { route, amount }: &RefundPart| match route {
        RefundRoute::Card => format!(
            "{amount} goes back to the card it came from. Most banks show it within three to five \
             working days."
        ),
        RefundRoute::Dispute => format!(
            "Your bank is deciding a dispute of your payment, and {amount} waits for that. If the payment \
             stands, it goes back to the card it came from. If your bank gives you the money, no refund \
             follows."
        ),
        RefundRoute::AlreadyHad => format!(
            "You have had {amount} already, through your bank or by another refund of your payment."
        ),
        RefundRoute::Transfer => format!("We have paid you {amount} by bank transfer."),
        RefundRoute::Owed => format!(
            "{amount} could not be refunded to the card it came from. We owe you this money, and will \
             contact you to pay it another way."
        ),
    };
    parts.iter().map(note).collect()
}

/// Returns the sentence about money that a bank returned to the customer. Returns `None` if `lost`
/// is not positive.
pub(in crate::app) fn loss_note(lost: Pence) -> Option<String> {
    let note = || format!("Your bank has given {lost} of it back to you.");
    (lost > Pence::ZERO).then(note)
}
