//! The letters about money that comes back outside the life of a policy: a payment that bought
//! nothing, and a refund that does not reach the card.

use chrono::NaiveDate;

use crate::app::mail::letters::draft::{Draft, sum};
use crate::config::Site;
use crate::domain::dates::in_words;
use crate::domain::money::Pence;

/// A letter about money that comes back.
#[derive(Clone, Debug)]
pub struct MoneyLetter {
    /// The product's title.
    pub product: String,
    /// The reference of the quote or policy.
    pub reference: String,
    /// Whether it is a policy.
    pub is_policy: bool,
    /// When the payment was begun that the money comes back from.
    pub paid_on: NaiveDate,
    /// What happened.
    pub event: MoneyEvent,
}

/// What happened to money that comes back, in pence.
#[derive(Clone, Copy, Debug)]
pub enum MoneyEvent {
    /// A payment bought nothing, and all of it comes back.
    Surplus {
        /// How much.
        amount: Pence,
    },
    /// A refund could not be made, or came back: it is still owed.
    RefundOwed {
        /// How much.
        amount: Pence,
        /// Whether it was made and came back.
        came_back: bool,
        /// Whether it is of a payment that bought nothing.
        surplus: bool,
    },
}

impl MoneyLetter {
    pub(in crate::app) fn draft(&self, site: &Site) -> Draft<'_> {
        let (brand, phone, reference) = (&site.brand, &site.phone, &self.reference);
        let day = in_words(self.paid_on);
        let (subject, title, says, fact, advice) = match self.event {
            MoneyEvent::Surplus { amount } => (
                format!("Your {brand} payment for {reference} comes back"),
                "Your payment comes back to your card",
                vec![
                    format!(
                        "We received your card payment of {} of {day}. It was not needed: it bought \
                         nothing. All of it is being refunded to the card that paid, and you don't \
                         need to do anything.",
                        sum(amount)
                    ),
                    if self.is_policy {
                        "Your policy stays as it is.".to_owned()
                    } else {
                        "You are not covered by this payment.".to_owned()
                    },
                ],
                ("Refund", format!("{}, to the card that paid", sum(amount))),
                format!("Call us on {phone} and we'll look at it with you."),
            ),
            MoneyEvent::RefundOwed {
                amount,
                came_back,
                surplus,
            } => (
                format!("Your {brand} refund for {reference}"),
                "Your refund has not reached you",
                [
                    Some(if came_back {
                        format!(
                            "We refunded {} to the card that paid on {day}, and your bank sent it \
                             back to us.",
                            sum(amount)
                        )
                    } else {
                        format!(
                            "Your bank refused the refund of {} to the card that paid on {day}.",
                            sum(amount)
                        )
                    }),
                    surplus.then(|| "That payment was not needed: it bought nothing.".to_owned()),
                    Some(
                        "We owe you this money. We will contact you to pay it another way."
                            .to_owned(),
                    ),
                ]
                .into_iter()
                .flatten()
                .collect(),
                ("We owe you", sum(amount)),
                format!(
                    "Call us on {phone}. We never ask for a card number or a password in an email."
                ),
            ),
        };
        let what = if self.is_policy { "Policy" } else { "Quote" };
        Draft {
            subject,
            title,
            says,
            facts: vec![
                (what, self.product.clone()),
                ("Reference", reference.clone()),
                ("Paid on", day),
                fact,
            ],
            button: None,
            note: None,
            also: None,
            question: "Something not right?",
            advice,
            remedy: None,
            why: "You get this email because a card payment was made to us with this address. We \
                  send it as a service, not as advertising.",
        }
    }
}
