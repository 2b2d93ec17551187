//! The status of a policy's renewal. The renewal quote's own status (`quote::status`) records
//! whether the renewal was bought, declined or withdrawn.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::domain::transition::Transition;

/// The status of a policy's renewal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RenewalStatus {
    /// No renewal is quoted: the policy covers single trips, or ended before its renewal was
    /// quoted.
    NotRenewed,
    /// The renewal is due to be quoted.
    Due {
        /// The London day from which the renewal is due.
        on: NaiveDate,
    },
    /// There is a renewal quote.
    Quoted(QuotedRenewal),
}

/// The renewal quote of a policy, and its progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuotedRenewal {
    pub quote: Uuid,
    /// The policy's revision whose answers the renewal quote includes. With `scheduled_change`, the
    /// policy's revision before that change.
    pub follows: u32,
    /// The last letter about the renewal quote. The value is `None` before the first letter.
    pub notice: Option<RenewalLetter>,
    /// The charge of the stored card, if the policy renews automatically.
    pub card: CardCharge,
    /// The change, agreed for a later day, whose answers the renewal quote also includes.
    pub scheduled_change: Option<Uuid>,
}

/// The letter about a renewal quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RenewalLetter {
    /// The renewal quote's revision in the letter, or a later revision with a lower price and equal answers. The
    /// stored card pays for no other revision.
    pub revision: u32,
    /// The London day of the letter.
    pub on: NaiveDate,
}

/// The charge of the stored card for an automatic renewal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CardCharge {
    /// Not yet queued.
    None,
    /// A try is queued. The shop queues the tries of a renewal one after another.
    Queued,
    /// The card did not pay, and the shop charges it again.
    Retrying {
        /// The London day of the next try.
        on: NaiveDate,
    },
    /// The card did not pay, and the shop has queued a letter about the unpaid renewal.
    Declined,
}

/// An event of a policy's renewal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RenewalEvent {
    /// The renewal could not be quoted, and quoting is retried on a later day.
    Postponed {
        /// The London day of the retry.
        to: NaiveDate,
    },
    /// The policy ended before its renewal was quoted.
    PolicyEnded,
    /// The renewal quote was saved for the first time.
    Quoted {
        quote: Uuid,
        /// The policy's revision whose answers the renewal quote includes.
        follows: u32,
        /// The change, agreed for a later day, whose answers the renewal quote also includes.
        scheduled_change: Option<Uuid>,
    },
    /// The renewal quote includes the policy's changes. The quote was saved again, or already had
    /// the answers of a scheduled change that took effect.
    Requoted {
        /// The policy's revision whose answers the renewal quote now includes.
        follows: u32,
        /// The change, agreed for a later day, whose answers the renewal quote also includes.
        scheduled_change: Option<Uuid>,
    },
    /// A letter about the renewal quote was sent, or the price was lowered after the letter.
    Notified(RenewalLetter),
    /// The stored card is due to be charged.
    CardDue {
        /// The present London day.
        today: NaiveDate,
    },
    /// The stored card did not pay, and another try may succeed.
    CardRetried {
        /// The London day of the next try.
        on: NaiveDate,
    },
    /// The stored card did not pay for the renewal.
    CardRefused,
}

impl RenewalStatus {
    /// Returns the day from which the renewal is due to be quoted, or `None` if it is not due.
    #[must_use]
    pub const fn due(&self) -> Option<NaiveDate> {
        match self {
            Self::Due { on } => Some(*on),
            Self::NotRenewed | Self::Quoted(_) => None,
        }
    }

    /// Returns the renewal quote and its progress, or `None` before there is one.
    #[must_use]
    pub const fn quoted(&self) -> Option<&QuotedRenewal> {
        match self {
            Self::Quoted(quoted) => Some(quoted),
            Self::NotRenewed | Self::Due { .. } => None,
        }
    }

    /// Returns the renewal quote's uuid, or `None` before there is one.
    #[must_use]
    pub fn quote(&self) -> Option<Uuid> {
        self.quoted().map(|quoted| quoted.quote)
    }

    /// Returns whether the charge of the stored card is queued, and the card has not refused it.
    #[must_use]
    pub fn is_charging(&self) -> bool {
        self.quoted()
            .is_some_and(|quoted| quoted.card == CardCharge::Queued)
    }

    /// Returns whether a try of the stored card's charge is queued, or the card finally did not pay.
    #[must_use]
    pub fn is_card_asked(&self) -> bool {
        self.quoted()
            .is_some_and(|quoted| matches!(quoted.card, CardCharge::Queued | CardCharge::Declined))
    }
}

/// Returns the transition of a renewal in `status` on `event`.
#[must_use]
pub fn apply(status: RenewalStatus, event: RenewalEvent) -> Transition<RenewalStatus> {
    use RenewalEvent as E;
    use RenewalStatus as S;
    use Transition::{AlreadyApplied, Applied, Refused};

    match (status, event) {
        (S::Due { on }, E::Postponed { to }) if on == to => AlreadyApplied,
        (S::Due { .. }, E::Postponed { to }) => Applied(S::Due { on: to }),
        (S::Due { .. }, E::PolicyEnded) => Applied(S::NotRenewed),
        (
            S::Due { .. },
            E::Quoted {
                quote,
                follows,
                scheduled_change: change,
            },
        ) => Applied(S::Quoted(QuotedRenewal {
            quote,
            follows,
            notice: None,
            card: CardCharge::None,
            scheduled_change: change,
        })),
        (S::Due { .. }, _) => Refused("The renewal is not quoted yet."),

        (S::NotRenewed, E::PolicyEnded) => AlreadyApplied,
        (S::NotRenewed, _) => Refused("This policy is not renewed."),

        (S::Quoted(quoted), event) => match apply_to_quoted(quoted, event) {
            Applied(quoted) => Applied(S::Quoted(quoted)),
            AlreadyApplied => AlreadyApplied,
            Refused(why) => Refused(why),
        },
    }
}

fn apply_to_quoted(quoted: QuotedRenewal, event: RenewalEvent) -> Transition<QuotedRenewal> {
    use RenewalEvent as E;
    use Transition::{AlreadyApplied, Applied, Refused};

    match (event, quoted.card) {
        (E::Quoted { quote, .. }, _) if quote == quoted.quote => AlreadyApplied,
        (E::Quoted { .. } | E::Postponed { .. } | E::PolicyEnded, _) => {
            Refused("The renewal is quoted already.")
        }
        (
            E::Requoted {
                follows,
                scheduled_change: change,
            },
            _,
        ) if (follows, change) == (quoted.follows, quoted.scheduled_change) => AlreadyApplied,
        (
            E::Requoted {
                follows,
                scheduled_change: change,
            },
            _,
        ) => Applied(QuotedRenewal {
            follows,
            scheduled_change: change,
            ..quoted
        }),
        (E::Notified(notice), _) if quoted.notice == Some(notice) => AlreadyApplied,
        (E::Notified(notice), _) => Applied(QuotedRenewal {
            notice: Some(notice),
            ..quoted
        }),
        (E::CardDue { .. }, CardCharge::None) => Applied(QuotedRenewal {
            card: CardCharge::Queued,
            ..quoted
        }),
        (E::CardDue { today }, CardCharge::Retrying { on }) if on <= today => {
            Applied(QuotedRenewal {
                card: CardCharge::Queued,
                ..quoted
            })
        }
        (E::CardRetried { on }, CardCharge::Queued) => Applied(QuotedRenewal {
            card: CardCharge::Retrying { on },
            ..quoted
        }),
        (E::CardRefused, CardCharge::Queued | CardCharge::Retrying { .. }) => {
            Applied(QuotedRenewal {
                card: CardCharge::Declined,
                ..quoted
            })
        }
        (E::CardRetried { .. } | E::CardRefused, CardCharge::None) => {
            Refused("The card was not charged.")
        }
        (E::CardDue { .. } | E::CardRetried { .. } | E::CardRefused, _) => AlreadyApplied,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use RenewalEvent as E;
    use RenewalStatus as S;
    use Transition::{AlreadyApplied, Applied, Refused};

    fn day(day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 11, day).unwrap()
    }

    fn notice(revision: u32) -> RenewalLetter {
        RenewalLetter {
            revision,
            on: day(1),
        }
    }

    fn quoted(notified: Option<u32>, card: CardCharge) -> S {
        S::Quoted(QuotedRenewal {
            quote: Uuid::from_u128(1),
            follows: 1,
            notice: notified.map(notice),
            card,
            scheduled_change: None,
        })
    }

    fn retrying(on: u32) -> CardCharge {
        CardCharge::Retrying { on: day(on) }
    }

    const EVENTS: [fn() -> E; 9] = [
        || E::Postponed { to: day(2) },
        || E::PolicyEnded,
        || E::Quoted {
            quote: Uuid::from_u128(2),
            follows: 1,
            scheduled_change: None,
        },
        || E::Requoted {
            follows: 2,
            scheduled_change: None,
        },
        || E::Notified(notice(1)),
        || E::Notified(notice(2)),
        || E::CardDue { today: day(2) },
        || E::CardRetried { on: day(5) },
        || E::CardRefused,
    ];

    /// Returns one letter for each event of `EVENTS`: the new status, `=` already applied, `-`
    /// refused.
    fn row(status: S) -> String {
        EVENTS
            .iter()
            .map(|event| match apply(status, event()) {
                Applied(S::NotRenewed) => 'n',
                Applied(S::Due { .. }) => 'd',
                Applied(S::Quoted(quoted)) => {
                    match (quoted.notice.map(|own| own.revision), quoted.card) {
                        (None, CardCharge::None) => 'q',
                        (Some(_), CardCharge::None) => 't',
                        (_, CardCharge::Queued) => 'c',
                        (_, CardCharge::Retrying { .. }) => 'a',
                        (_, CardCharge::Declined) => 'r',
                    }
                }
                AlreadyApplied => '=',
                Refused(reason) => {
                    assert!(reason.ends_with('.'));
                    '-'
                }
            })
            .collect()
    }

    #[test]
    fn every_status_answers_every_event() {
        let table = [
            (S::NotRenewed, "-=-------"),
            (S::Due { on: day(1) }, "dnq------"),
            (S::Due { on: day(2) }, "=nq------"),
            (quoted(None, CardCharge::None), "---qttc--"),
            (quoted(Some(1), CardCharge::None), "---t=tc--"),
            (quoted(None, CardCharge::Queued), "---ccc=ar"),
            (quoted(Some(1), CardCharge::Queued), "---c=c=ar"),
            (quoted(Some(1), retrying(2)), "---a=ac=r"),
            (quoted(Some(1), retrying(3)), "---a=a==r"),
            (quoted(Some(1), CardCharge::Declined), "---r=r==="),
        ];
        for (status, expected) in table {
            assert_eq!(row(status), expected, "{status:?}");
        }
    }

    #[test]
    fn the_same_quote_again_changes_nothing_and_a_change_keeps_what_was_told() {
        let status = quoted(Some(1), CardCharge::None);
        let again = |follows| E::Quoted {
            quote: Uuid::from_u128(1),
            follows,
            scheduled_change: None,
        };
        let same = E::Requoted {
            follows: 1,
            scheduled_change: None,
        };
        assert_eq!(apply(status, again(1)), AlreadyApplied);
        assert_eq!(apply(status, same), AlreadyApplied);
        let Applied(S::Quoted(requoted)) = apply(
            status,
            E::Requoted {
                follows: 2,
                scheduled_change: None,
            },
        ) else {
            panic!("the renewal follows the policy's change");
        };
        assert_eq!((requoted.follows, requoted.notice), (2, Some(notice(1))));
    }

    #[test]
    fn only_a_renewal_that_is_not_quoted_is_due() {
        assert_eq!(S::Due { on: day(1) }.due(), Some(day(1)));
        for status in [S::NotRenewed, quoted(None, CardCharge::Queued)] {
            assert_eq!(status.due(), None);
        }
        assert!(quoted(None, CardCharge::Declined).is_card_asked());
        assert!(!quoted(None, CardCharge::None).is_card_asked());
    }
}
