//! Where the renewal of a policy stands. Whether the renewal quote was bought, declined or
//! withdrawn is the status of that quote (`quote::status`), which is the only place that says so.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::domain::transition::Transition;

/// Where the renewal of a policy stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RenewalStatus {
    /// Nothing is to be quoted: the policy covers single trips, or it ended before its renewal was
    /// quoted.
    NotRenewed,
    /// The renewal is to be quoted.
    Due {
        /// From this London day on.
        on: NaiveDate,
    },
    /// There is a renewal quote.
    Quoted(QuotedRenewal),
}

/// The renewal quote of a policy, and what was done about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuotedRenewal {
    /// The renewal quote.
    pub quote: Uuid,
    /// The policy's revision whose answers the renewal quote follows, or that in force when the
    /// change of `coming` was agreed.
    pub follows: u32,
    /// The renewal quote's revision that the last letter spoke of, or a later one with the same
    /// answers that costs less. A stored card pays for no other. None before the first letter.
    pub told: Option<u32>,
    /// The stored card, where the policy renews by itself.
    pub card: CardCharge,
    /// The change agreed for a later day whose answers the renewal quote follows in their place.
    pub coming: Option<Uuid>,
}

/// What was done with the stored card that pays for a renewal by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CardCharge {
    /// Nothing yet.
    NotAsked,
    /// Its charge was queued. This happens once.
    Asked,
    /// It did not pay, and a letter says so. This happens once.
    Refused,
}

/// What happens to the renewal of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RenewalEvent {
    /// It could not be quoted on its day and is tried again.
    Postponed {
        /// On this London day.
        to: NaiveDate,
    },
    /// The policy ended before its renewal was quoted.
    Dropped,
    /// The renewal quote was saved for the first time.
    Quoted {
        /// The renewal quote.
        quote: Uuid,
        /// The policy's revision whose answers it has.
        follows: u32,
        /// The change agreed for a later day whose answers it has in their place.
        coming: Option<Uuid>,
    },
    /// The renewal quote was saved again because the policy has changed.
    Requoted {
        /// The policy's revision whose answers it has now.
        follows: u32,
        /// The change agreed for a later day whose answers it has in their place.
        coming: Option<Uuid>,
    },
    /// A letter told the customer of the renewal quote.
    Told {
        /// The revision of the renewal quote that the letter spoke of.
        revision: u32,
    },
    /// The policy's last day has come, and the stored card is to be charged.
    CardDue,
    /// The stored card has not paid.
    CardRefused,
}

impl RenewalStatus {
    /// The day from which it is to be quoted; none once it is quoted, or where it never will be.
    #[must_use]
    pub const fn due(&self) -> Option<NaiveDate> {
        match self {
            Self::Due { on } => Some(*on),
            Self::NotRenewed | Self::Quoted(_) => None,
        }
    }

    /// What is known of the renewal quote, once there is one.
    #[must_use]
    pub const fn quoted(&self) -> Option<&QuotedRenewal> {
        match self {
            Self::Quoted(quoted) => Some(quoted),
            Self::NotRenewed | Self::Due { .. } => None,
        }
    }

    /// The renewal quote, once there is one.
    #[must_use]
    pub fn quote(&self) -> Option<Uuid> {
        self.quoted().map(|quoted| quoted.quote)
    }

    /// Whether the charge of the stored card was queued, whatever came of it.
    #[must_use]
    pub fn is_card_asked(&self) -> bool {
        self.quoted()
            .is_some_and(|quoted| quoted.card != CardCharge::NotAsked)
    }
}

/// What becomes of a renewal in `status` when `event` happens.
#[must_use]
pub fn apply(status: RenewalStatus, event: RenewalEvent) -> Transition<RenewalStatus> {
    use RenewalEvent as E;
    use RenewalStatus as S;
    use Transition::{AlreadyApplied, Applied, Refused};

    match (status, event) {
        (S::Due { on }, E::Postponed { to }) if on == to => AlreadyApplied,
        (S::Due { .. }, E::Postponed { to }) => Applied(S::Due { on: to }),
        (S::Due { .. }, E::Dropped) => Applied(S::NotRenewed),
        (
            S::Due { .. },
            E::Quoted {
                quote,
                follows,
                coming,
            },
        ) => Applied(S::Quoted(QuotedRenewal {
            quote,
            follows,
            told: None,
            card: CardCharge::NotAsked,
            coming,
        })),
        (S::Due { .. }, _) => Refused("The renewal is not quoted yet."),

        (S::NotRenewed, E::Dropped) => AlreadyApplied,
        (S::NotRenewed, _) => Refused("This policy is not renewed."),

        (S::Quoted(quoted), event) => match of_quoted(quoted, event) {
            Applied(quoted) => Applied(S::Quoted(quoted)),
            AlreadyApplied => AlreadyApplied,
            Refused(why) => Refused(why),
        },
    }
}

fn of_quoted(quoted: QuotedRenewal, event: RenewalEvent) -> Transition<QuotedRenewal> {
    use RenewalEvent as E;
    use Transition::{AlreadyApplied, Applied, Refused};

    match (event, quoted.card) {
        (E::Quoted { quote, .. }, _) if quote == quoted.quote => AlreadyApplied,
        (E::Quoted { .. } | E::Postponed { .. } | E::Dropped, _) => {
            Refused("The renewal is quoted already.")
        }
        (E::Requoted { follows, coming }, _)
            if (follows, coming) == (quoted.follows, quoted.coming) =>
        {
            AlreadyApplied
        }
        (E::Requoted { follows, coming }, _) => Applied(QuotedRenewal {
            follows,
            coming,
            ..quoted
        }),
        (E::Told { revision }, _) if quoted.told == Some(revision) => AlreadyApplied,
        (E::Told { revision }, _) => Applied(QuotedRenewal {
            told: Some(revision),
            ..quoted
        }),
        (E::CardDue, CardCharge::NotAsked) => Applied(QuotedRenewal {
            card: CardCharge::Asked,
            ..quoted
        }),
        (E::CardDue, CardCharge::Asked | CardCharge::Refused)
        | (E::CardRefused, CardCharge::Refused) => AlreadyApplied,
        (E::CardRefused, CardCharge::Asked) => Applied(QuotedRenewal {
            card: CardCharge::Refused,
            ..quoted
        }),
        (E::CardRefused, CardCharge::NotAsked) => Refused("The card was not charged."),
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

    fn quoted(told: Option<u32>, card: CardCharge) -> S {
        S::Quoted(QuotedRenewal {
            quote: Uuid::from_u128(1),
            follows: 1,
            told,
            card,
            coming: None,
        })
    }

    const EVENTS: [fn() -> E; 8] = [
        || E::Postponed { to: day(2) },
        || E::Dropped,
        || E::Quoted {
            quote: Uuid::from_u128(2),
            follows: 1,
            coming: None,
        },
        || E::Requoted {
            follows: 2,
            coming: None,
        },
        || E::Told { revision: 1 },
        || E::Told { revision: 2 },
        || E::CardDue,
        || E::CardRefused,
    ];

    /// One letter an event of `EVENTS`: the new status, `=` already applied, `-` refused.
    fn row(status: S) -> String {
        EVENTS
            .iter()
            .map(|event| match apply(status, event()) {
                Applied(S::NotRenewed) => 'n',
                Applied(S::Due { .. }) => 'd',
                Applied(S::Quoted(quoted)) => match (quoted.told, quoted.card) {
                    (None, CardCharge::NotAsked) => 'q',
                    (Some(_), CardCharge::NotAsked) => 't',
                    (_, CardCharge::Asked) => 'c',
                    (_, CardCharge::Refused) => 'r',
                },
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
            (S::NotRenewed, "-=------"),
            (S::Due { on: day(1) }, "dnq-----"),
            (S::Due { on: day(2) }, "=nq-----"),
            (quoted(None, CardCharge::NotAsked), "---qttc-"),
            (quoted(Some(1), CardCharge::NotAsked), "---t=tc-"),
            (quoted(None, CardCharge::Asked), "---ccc=r"),
            (quoted(Some(1), CardCharge::Asked), "---c=c=r"),
            (quoted(Some(1), CardCharge::Refused), "---r=r=="),
        ];
        for (status, expected) in table {
            assert_eq!(row(status), expected, "{status:?}");
        }
    }

    #[test]
    fn the_same_quote_again_changes_nothing_and_a_change_keeps_what_was_told() {
        let status = quoted(Some(1), CardCharge::NotAsked);
        let again = |follows| E::Quoted {
            quote: Uuid::from_u128(1),
            follows,
            coming: None,
        };
        let same = E::Requoted {
            follows: 1,
            coming: None,
        };
        assert_eq!(apply(status, again(1)), AlreadyApplied);
        assert_eq!(apply(status, same), AlreadyApplied);
        let Applied(S::Quoted(requoted)) = apply(
            status,
            E::Requoted {
                follows: 2,
                coming: None,
            },
        ) else {
            panic!("the renewal follows the policy's change");
        };
        assert_eq!((requoted.follows, requoted.told), (2, Some(1)));
    }

    #[test]
    fn only_a_renewal_that_is_not_quoted_is_due() {
        assert_eq!(S::Due { on: day(1) }.due(), Some(day(1)));
        for status in [S::NotRenewed, quoted(None, CardCharge::Asked)] {
            assert_eq!(status.due(), None);
        }
        assert!(quoted(None, CardCharge::Refused).is_card_asked());
        assert!(!quoted(None, CardCharge::NotAsked).is_card_asked());
    }
}
