//! What the letters about a change and about the early end of a policy say, at once or for a later
//! day.

use chrono::NaiveDate;

use crate::app::mail::letters::draft::{DISPUTE_DECIDES, Words, sum};
use crate::app::mail::letters::event::{ChangeEvent, ChangeMoney, Dropped, EndEvent, Neighbour};
use crate::domain::dates::in_words;
use crate::domain::money::Pence;
use crate::domain::refund::{RefundPart, RefundRoute};

/// A letter's words.
pub(super) struct Said {
    /// What the subject says of the policy.
    pub(super) subject: &'static str,
    pub(super) title: &'static str,
    pub(super) says: Vec<String>,
    pub(super) facts: Vec<(&'static str, String)>,
}

impl Said {
    /// Its words in a letter of the shop `brand` about the policy `reference`.
    pub(super) fn about(self, brand: &str, reference: &str) -> Words {
        let subject = format!("Your {brand} policy {reference} {}", self.subject);
        (subject, self.title, self.says, self.facts)
    }
}

/// What a letter about a change says.
pub(super) fn of_change(event: &ChangeEvent) -> Said {
    match event {
        ChangeEvent::Made {
            from,
            what,
            money,
            asked,
        } => Said {
            subject: "has changed",
            title: "Your change is made",
            says: with_dispute(
                match asked {
                    Some(asked) => format!(
                        "Your policy has been changed as you asked on {}, and new documents follow.",
                        in_words(*asked)
                    ),
                    None => "Your policy has been changed as you asked, and new documents follow."
                        .to_owned(),
                },
                returned(money),
            ),
            facts: [("What changed", what.join("; ")), ("From", in_words(*from))]
                .into_iter()
                .chain(money_facts(money, None))
                .collect(),
        },
        ChangeEvent::Agreed { from, what, money } => Said {
            subject: "changes on a later day",
            title: "Your change is agreed",
            says: with_dispute(
                format!(
                    "Your policy changes as {0} begins, and your new documents follow then. Until \
                     then your cover stays as it is, and you can withdraw the change in your account.",
                    in_words(*from)
                ),
                returned(money),
            ),
            facts: [
                ("What changes", what.join("; ")),
                ("From", format!("start of {}", in_words(*from))),
            ]
            .into_iter()
            .chain(money_facts(money, Some(*from)))
            .collect(),
        },
        ChangeEvent::Withdrawn { from, what, refund } => Said {
            subject: "stays as it is",
            title: "Your change is withdrawn",
            says: with_dispute(
                format!(
                    "As you asked, your policy does not change on {}. Your cover stays as it is.",
                    in_words(*from)
                ),
                refund,
            ),
            facts: vec![
                ("What would have changed", what.join("; ")),
                ("Refund", back(refund, None)),
            ],
        },
    }
}

/// What a letter about an early end says.
pub(super) fn of_end(event: &EndEvent) -> Said {
    match event {
        EndEvent::Cancelled {
            from,
            last_day,
            at_once,
            never_covered,
            refund,
            dropped,
            next,
        } => {
            let stays = next.as_ref().map(|next| {
                let from = in_words(next.day);
                format!("{} Before {from} you are not covered.", next_stays(next))
            });
            let ended = if *at_once {
                ("Ended on", in_words(*from))
            } else {
                ("Cover ended", end_of_cover(*from, *last_day))
            };
            Said {
                subject: "is cancelled",
                title: "Your policy is cancelled",
                says: with_dropped(
                    if *never_covered {
                        "Your policy has ended as you asked, before its cover began. It never \
                         covered you."
                    } else {
                        "Your policy has ended as you asked. You are no longer covered."
                    }
                    .to_owned(),
                    refund,
                    dropped.as_ref(),
                )
                .into_iter()
                .chain(stays)
                .collect(),
                facts: std::iter::once(ended)
                    .chain(refunds(back(refund, None), dropped.as_ref()))
                    .collect(),
            }
        }
        EndEvent::Agreed {
            from,
            last_day,
            refund,
            dropped,
            next,
        } => Said {
            subject: "ends on the day you chose",
            title: "Your policy is to be cancelled",
            says: with_dropped(
                match last_day {
                    Some(_) => format!(
                        "As you asked, your policy ends as {0} begins: from 00:00 on {0} you are no \
                         longer covered. Until then nothing changes, and you can withdraw this in \
                         your account. {1}",
                        in_words(*from),
                        next.as_ref().map_or_else(
                            || "It does not renew by itself.".to_owned(),
                            |next| format!(
                                "{} The days from {} until then are not covered.",
                                next_stays(next),
                                in_words(*from)
                            ),
                        )
                    ),
                    None => format!(
                        "As you asked, your policy ends as {} begins, its first day of cover: it \
                         will not cover you at all. Until then you can withdraw this in your \
                         account.",
                        in_words(*from)
                    ),
                },
                refund,
                dropped.as_ref(),
            ),
            facts: std::iter::once(("Cover ends", end_of_cover(*from, *last_day)))
                .chain(refunds(back(refund, Some(*from)), dropped.as_ref()))
                .collect(),
        },
        EndEvent::Withdrawn {
            from,
            expiry,
            dropped,
        } => {
            let mut says = vec![format!(
                "As you asked, your policy does not end as {} begins. You stay covered, and \
                 everything else is as it was.",
                in_words(*from)
            )];
            says.extend(dropped.as_ref().map(|dropped| {
                format!(
                    "The change that was agreed for {} was dropped when you cancelled, and stays \
                     dropped. Please ask for it again if you need it.",
                    in_words(dropped.from)
                )
            }));
            Said {
                subject: "goes on",
                title: "Your policy goes on",
                says,
                facts: vec![("Cover ends", format!("end of {}", in_words(*expiry)))],
            }
        }
        EndEvent::NotTakenUp {
            refund,
            dropped,
            earlier,
        } => Said {
            subject: "was not taken up",
            title: "Your policy was undone",
            says: with_dropped(
                "Your policy was undone before it began. You are not covered by it.".to_owned(),
                refund,
                dropped.as_ref(),
            )
            .into_iter()
            .chain(earlier.as_ref().map(|earlier| {
                format!(
                    "Your current policy {} covers you until the end of {}. It does not renew, and \
                     nothing is charged for it.",
                    earlier.reference,
                    in_words(earlier.day)
                )
            }))
            .collect(),
            facts: refunds(back(refund, None), dropped.as_ref()),
        },
    }
}

/// Said of the next year where the policy before it ends early.
fn next_stays(next: &Neighbour) -> String {
    format!(
        "Your next year, policy {}, is bought and stays: it covers you from {}.",
        next.reference,
        in_words(next.day)
    )
}

fn end_of_cover(from: NaiveDate, last_day: Option<NaiveDate>) -> String {
    match last_day {
        Some(last) => format!("end of {}", in_words(last)),
        None => format!("start of {}, before it begins", in_words(from)),
    }
}

/// What is said, what becomes of a change that was agreed for a later day, and that a refund waits.
fn with_dropped(first: String, refund: &[RefundPart], dropped: Option<&Dropped>) -> Vec<String> {
    let back = dropped.map_or(&[][..], |dropped| &dropped.back);
    let mut says = vec![first];
    says.extend(dropped.map(|dropped| {
        let on = in_words(dropped.from);
        let is_to_card = |part: &RefundPart| part.route == RefundRoute::Card;
        let goes_back = if !back.is_empty() && back.iter().all(is_to_card) {
            " What you paid for it goes back to the card that paid."
        } else {
            ""
        };
        format!("The change that was agreed for {on} will not come.{goes_back}")
    }));
    says.extend(waits(refund.iter().chain(back)));
    says
}

/// What is said, and that a refund waits.
fn with_dispute(first: String, refund: &[RefundPart]) -> Vec<String> {
    std::iter::once(first).chain(waits(refund.iter())).collect()
}

/// That a refund waits for a dispute, where one does.
fn waits<'a>(mut parts: impl Iterator<Item = &'a RefundPart>) -> Option<String> {
    let waits = parts.any(|part| part.route == RefundRoute::Dispute);
    waits.then(|| DISPUTE_DECIDES.to_owned())
}

/// What comes back of the policy, and for a change that will not come.
fn refunds(refund: String, dropped: Option<&Dropped>) -> Vec<(&'static str, String)> {
    let paid = dropped.filter(|dropped| !dropped.back.is_empty());
    let mut facts = vec![("Refund", refund)];
    facts.extend(paid.map(|paid| ("Refund of the change", back(&paid.back, None))));
    facts
}

fn returned(money: &ChangeMoney) -> &[RefundPart] {
    match money {
        ChangeMoney::Returned(parts) => parts,
        ChangeMoney::Free | ChangeMoney::Paid { .. } => &[],
    }
}

/// What was paid for a change, or comes back, on the later day `on` where it is one.
fn money_facts(money: &ChangeMoney, on: Option<NaiveDate>) -> Vec<(&'static str, String)> {
    match money {
        ChangeMoney::Free => vec![("To pay", "nothing".to_owned())],
        ChangeMoney::Paid { amount, lost } => {
            let mut facts = vec![("You paid", sum(*amount))];
            if *lost > Pence::ZERO {
                facts.push(("Given back by your bank", sum(*lost)));
            }
            facts
        }
        ChangeMoney::Returned(parts) => vec![("Refund", back(parts, on))],
    }
}

/// What comes back and how, on the later day `on` where it is one.
fn back(parts: &[RefundPart], on: Option<NaiveDate>) -> String {
    if parts.is_empty() {
        return "nothing".to_owned();
    }
    let texts = parts.iter().map(|part| {
        let amount = sum(part.amount);
        match (part.route, on.map(in_words)) {
            (RefundRoute::Card, None) => format!("{amount}, to the card that paid"),
            (RefundRoute::Card, Some(on)) => format!("{amount}, to the card that paid, on {on}"),
            (RefundRoute::Dispute, None) => format!("{amount}, once your bank has decided"),
            (RefundRoute::Dispute, Some(on)) => {
                format!("{amount}, once your bank has decided, and not before {on}")
            }
            (RefundRoute::AlreadyHad, _) => {
                format!("{amount}, which you have had through your bank or by another refund")
            }
            (RefundRoute::Transfer, _) => format!("{amount}, by bank transfer"),
            (RefundRoute::Owed, _) => format!("{amount}, which we still owe you"),
        }
    });
    texts.collect::<Vec<_>>().join("; ")
}
