//! The letters about money that comes back outside the life of a policy: a payment that bought
//! nothing, a refund that does not reach the card, and a payment that is disputed.

use chrono::NaiveDate;

use crate::app::mail::letters::draft::{DISPUTE_DECIDES, Draft, sum};
use crate::config::Site;
use crate::domain::dates::in_words;
use crate::domain::money::Pence;
use crate::domain::payment::UnappliedReason;
use crate::domain::refund::OtherWay;

/// A letter about money that comes back.
#[derive(Clone, Debug)]
pub struct MoneyLetter {
    /// The product's title.
    pub product: String,
    /// The reference of the quote or policy.
    pub reference: String,
    /// Whether it is a policy.
    pub is_policy: bool,
    /// When it was paid what the money comes back from.
    pub paid_on: NaiveDate,
    /// Why that payment bought nothing, where it did.
    pub unapplied: Option<UnappliedReason>,
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
        /// Whether a bank decides a dispute of it now.
        is_disputed: bool,
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
    /// A refund that was owed was paid in another way.
    RefundPaid {
        /// How much.
        amount: Pence,
        /// In which way.
        way: OtherWay,
    },
    /// A bank has taken a payment back for a dispute.
    Disputed {
        /// How much it took.
        taken: Pence,
    },
    /// A dispute ended, and the customer keeps the money.
    DisputeLost {
        /// How much they keep.
        kept: Pence,
        /// What of it we owed them as a refund.
        settles: Pence,
        /// Whether their bank has decided it.
        is_decided: bool,
    },
    /// A dispute was decided for us.
    DisputeWon {
        /// What goes back to them of the same payment, and waited for that.
        refund: Pence,
    },
}

/// What a letter says, without what is in each.
struct Says {
    subject: String,
    title: &'static str,
    sentences: Vec<String>,
    fact: Option<(&'static str, String)>,
    advice: String,
}

impl MoneyLetter {
    pub(in crate::app) fn draft(&self, site: &Site) -> Draft<'_> {
        let day = in_words(self.paid_on);
        let says = self.says(site, &day);
        let what = if self.is_policy { "Policy" } else { "Quote" };
        let facts = [
            (what, self.product.clone()),
            ("Reference", self.reference.clone()),
            ("Paid on", day),
        ];
        Draft {
            subject: says.subject,
            title: says.title,
            says: says.sentences,
            facts: facts.into_iter().chain(says.fact).collect(),
            button: None,
            note: None,
            also: None,
            question: "Something not right?",
            advice: says.advice,
            remedy: None,
            why: "You get this email because a card payment was made to us with this address. We \
                  send it as a service, not as advertising.",
        }
    }

    /// Why the payment bought nothing, as a sentence that names it `payment`.
    fn why_unapplied(&self, payment: &str) -> String {
        match self.unapplied {
            Some(UnappliedReason::TooLate) => {
                format!("{payment} reached us too late to start the cover: it bought nothing.")
            }
            Some(UnappliedReason::NotNeeded) | None => {
                format!("{payment} was not needed: it bought nothing.")
            }
        }
    }

    fn says(&self, site: &Site, day: &str) -> Says {
        let (brand, phone, reference) = (&site.brand, &site.phone, &self.reference);
        let look = format!("Call us on {phone} and we'll look at it with you.");
        let stays = || {
            let policy = "Your policy stays as it is.".to_owned();
            self.is_policy.then_some(policy)
        };
        let of_refund = format!("Your {brand} refund for {reference}");
        let of_dispute = format!("Your {brand} payment for {reference} and your bank");
        match self.event {
            MoneyEvent::Surplus {
                amount,
                is_disputed,
            } => {
                let (subject, title, follows, how) = if is_disputed {
                    (
                        of_dispute,
                        "Your payment bought nothing",
                        DISPUTE_DECIDES,
                        "once your bank has decided",
                    )
                } else {
                    (
                        format!("Your {brand} payment for {reference} comes back"),
                        "Your payment comes back to your card",
                        "All of it is being refunded to the card that paid, and you don't need to \
                         do anything.",
                        "to the card that paid",
                    )
                };
                Says {
                    subject,
                    title,
                    sentences: vec![
                        format!(
                            "We received your card payment of {} of {day}. {} {follows}",
                            sum(amount),
                            self.why_unapplied("It"),
                        ),
                        stays().unwrap_or_else(|| "You are not covered by this payment.".to_owned()),
                    ],
                    fact: Some(("Refund", format!("{}, {how}", sum(amount)))),
                    advice: look,
                }
            }
            MoneyEvent::RefundOwed {
                amount,
                came_back,
                surplus,
            } => Says {
                subject: of_refund,
                title: "Your refund has not reached you",
                sentences: owed(
                    amount,
                    came_back,
                    surplus.then(|| self.why_unapplied("That payment")),
                    day,
                ),
                fact: Some(("We owe you", sum(amount))),
                advice: format!(
                    "Call us on {phone}. We never ask for a card number or a password in an email."
                ),
            },
            MoneyEvent::RefundPaid { amount, way } => Says {
                subject: of_refund,
                title: "Your refund has been settled",
                sentences: vec![match way {
                    OtherWay::Transfer => format!(
                        "We have paid you {} by bank transfer, in place of the refund to the card \
                         that paid on {day}.",
                        sum(amount)
                    ),
                    OtherWay::AlreadyHad => format!(
                        "We owed you a refund of {} to the card that paid on {day}. You have had this \
                         money already, through your bank or by another refund, so it is settled.",
                        sum(amount)
                    ),
                }],
                fact: Some(("Settled", sum(amount))),
                advice: look,
            },
            MoneyEvent::Disputed { taken } => Says {
                subject: of_dispute,
                title: "Your bank has taken your payment back",
                sentences: [
                    Some(format!(
                        "Your bank has taken {} of your card payment of {day} back from us, because \
                         it was disputed. It decides in the next weeks or months who keeps it.",
                        sum(taken)
                    )),
                    stays(),
                    Some("A refund of this payment can only be made once it has decided.".to_owned()),
                ]
                .into_iter()
                .flatten()
                .collect(),
                fact: Some(("Taken back", sum(taken))),
                advice: format!(
                    "If you did not mean to dispute this payment, tell your bank, and call us on \
                     {phone}."
                ),
            },
            MoneyEvent::DisputeLost {
                kept,
                settles,
                is_decided,
            } => Says {
                subject: of_dispute,
                title: if is_decided {
                    "Your bank has decided for you"
                } else {
                    "The dispute of your payment has ended"
                },
                sentences: [
                    Some(if is_decided {
                        format!(
                            "Your bank has decided the dispute of your card payment of {day}: you keep \
                             the {} that it took back from us.",
                            sum(kept)
                        )
                    } else {
                        format!(
                            "The dispute of your card payment of {day} has ended. {} of the payment was \
                             taken back from us, and you keep it.",
                            sum(kept)
                        )
                    }),
                    (settles > Pence::ZERO).then(|| {
                        format!(
                            "With it you have the {} that we owed you as a refund of this payment.",
                            sum(settles)
                        )
                    }),
                    stays(),
                ]
                .into_iter()
                .flatten()
                .collect(),
                fact: Some(("You keep", sum(kept))),
                advice: look,
            },
            MoneyEvent::DisputeWon { refund } => Says {
                subject: of_dispute,
                title: "Your payment stands",
                sentences: [
                    Some(format!(
                        "Your bank has decided the dispute of your card payment of {day}: the payment \
                         stands, and what it had taken back comes to us."
                    )),
                    (refund > Pence::ZERO).then(|| {
                        format!(
                            "The refund of {} of this payment that we owed you has waited for that. It \
                             goes to the card that paid.",
                            sum(refund)
                        )
                    }),
                    stays(),
                ]
                .into_iter()
                .flatten()
                .collect(),
                fact: None,
                advice: look,
            },
        }
    }
}

fn owed(amount: Pence, came_back: bool, why: Option<String>, day: &str) -> Vec<String> {
    let what = if came_back {
        format!(
            "We refunded {} to the card that paid on {day}, and your bank sent it back to us.",
            sum(amount)
        )
    } else {
        format!(
            "The refund of {} to the card that paid on {day} could not be made.",
            sum(amount)
        )
    };
    let will = "We owe you this money. We will contact you to pay it another way.".to_owned();
    [Some(what), why, Some(will)]
        .into_iter()
        .flatten()
        .collect()
}
