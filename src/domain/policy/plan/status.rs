//! The status of a plan. A failed charge leads to more tries, to a notice, and to the end of cover.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::domain::time::dates::add_days;
use crate::domain::transition::Transition;

/// Days from the first failed charge to each further try.
const RETRY_DAYS: [i64; 2] = [3, 7];

/// Days from the first failed charge to the notice. It waits so long also if there is no further try.
const DAYS_TO_NOTICE: i64 = 7;

/// Days from the notice to the first day without cover. So cover lasts 14 whole days after the day of the
/// letter.
const NOTICE_DAYS: i64 = 15;

/// Days from the reminder to the end of cover.
pub const REMINDER_DAYS: i64 = 3;

/// The status of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PlanStatus {
    /// Each instalment is charged on its day.
    Active,
    /// A charge failed, and the customer has a letter about it.
    Failed {
        /// The London day of the first failed charge.
        since: NaiveDate,
        /// The London day of the next try, or `None` if there is none.
        next_try: Option<NaiveDate>,
    },
    /// The customer has a notice: cover ends unless all that is due is paid.
    Notice {
        /// The first London day without cover.
        ends_on: NaiveDate,
        is_reminded: bool,
        /// The London day from which a new card is tried, or `None` if there is no new card.
        next_try: Option<NaiveDate>,
    },
    /// The policy ended. Nothing more is collected.
    Ended,
}

impl PlanStatus {
    /// Returns the London day of the next try, of the next letter or of the end. Returns `None` if no
    /// charge has failed, or the plan has ended.
    #[must_use]
    pub fn next_step(self) -> Option<NaiveDate> {
        match self {
            Self::Active | Self::Ended => None,
            Self::Failed { since, next_try } => {
                Some(next_try.unwrap_or_else(|| add_days(since, DAYS_TO_NOTICE)))
            }
            Self::Notice {
                ends_on,
                is_reminded,
                next_try,
            } => {
                let reminder_days = if is_reminded { 0 } else { REMINDER_DAYS };
                let step = add_days(ends_on, -reminder_days);
                Some(next_try.map_or(step, |day| day.min(step)))
            }
        }
    }
}

/// An event of a plan. Days are London days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanEvent {
    /// The card refused a charge.
    ChargeFailed {
        on: NaiveDate,
        /// Whether the class of the decline allows another try.
        may_retry: bool,
    },
    /// The card or the customer paid.
    Collected {
        /// Whether nothing is due any more.
        is_all: bool,
    },
    /// The customer has a letter with the day on which cover ends.
    NoticeGiven { on: NaiveDate },
    /// The customer has a letter shortly before that day. A late letter moves the day.
    Reminded { on: NaiveDate },
    /// The customer gave another card, which can be charged from the day `on`.
    CardReplaced { on: NaiveDate },
    /// A day has begun.
    DayCame { on: NaiveDate },
    /// The policy was cancelled, or its term is over.
    PolicyEnded,
}

/// Returns the transition of a plan in `status` on `event`.
#[must_use]
pub fn apply(status: PlanStatus, event: PlanEvent) -> Transition<PlanStatus> {
    use PlanEvent as E;
    use PlanStatus as S;
    use Transition::{AlreadyApplied, Applied, Refused};

    match (status, event) {
        (
            S::Ended,
            E::Collected { .. }
            | E::NoticeGiven { .. }
            | E::Reminded { .. }
            | E::CardReplaced { .. },
        ) => Refused("The policy has ended."),
        (S::Ended, E::ChargeFailed { .. } | E::DayCame { .. } | E::PolicyEnded) => AlreadyApplied,
        (_, E::PolicyEnded) => Applied(S::Ended),

        (S::Active, E::ChargeFailed { on, may_retry }) => Applied(failed(on, on, may_retry)),
        // A failure before the day of the next try is known already.
        (
            S::Failed {
                since,
                next_try: Some(day),
            },
            E::ChargeFailed { on, may_retry },
        ) if day <= on => Applied(failed(since, on, may_retry)),
        (
            S::Notice {
                ends_on,
                is_reminded,
                next_try: Some(day),
            },
            E::ChargeFailed { on, .. },
        ) if day <= on => Applied(S::Notice {
            ends_on,
            is_reminded,
            next_try: None,
        }),
        (S::Failed { .. } | S::Notice { .. }, E::ChargeFailed { .. }) => AlreadyApplied,

        (S::Failed { since, .. }, E::CardReplaced { on }) => Applied(S::Failed {
            since,
            next_try: Some(on),
        }),
        (
            S::Notice {
                ends_on,
                is_reminded,
                ..
            },
            E::CardReplaced { on },
        ) => Applied(S::Notice {
            ends_on,
            is_reminded,
            next_try: Some(on),
        }),
        (S::Active, E::CardReplaced { .. }) => AlreadyApplied,

        (S::Failed { .. }, E::Collected { .. })
        | (S::Notice { .. }, E::Collected { is_all: true }) => Applied(S::Active),
        (S::Active | S::Notice { .. }, E::Collected { .. }) => AlreadyApplied,

        (S::Failed { next_try: None, .. }, E::NoticeGiven { on }) => Applied(S::Notice {
            ends_on: add_days(on, NOTICE_DAYS),
            is_reminded: false,
            next_try: None,
        }),
        (S::Failed { .. }, E::NoticeGiven { .. }) => Refused("The card is tried again first."),
        (S::Active, E::NoticeGiven { .. }) => Refused("No payment has failed."),
        (S::Notice { .. }, E::NoticeGiven { .. })
        | (
            S::Notice {
                is_reminded: true, ..
            },
            E::Reminded { .. },
        ) => AlreadyApplied,

        (
            S::Notice {
                ends_on, next_try, ..
            },
            E::Reminded { on },
        ) => Applied(S::Notice {
            ends_on: ends_on.max(add_days(on, REMINDER_DAYS)),
            is_reminded: true,
            next_try,
        }),
        (S::Active | S::Failed { .. }, E::Reminded { .. }) => Refused("No notice was given."),

        (S::Notice { ends_on, .. }, E::DayCame { on }) if ends_on <= on => Applied(S::Ended),
        (S::Active | S::Failed { .. } | S::Notice { .. }, E::DayCame { .. }) => AlreadyApplied,
    }
}

/// Returns the status after a failed charge on the day `on`, if the first one failed on the day `since`.
fn failed(since: NaiveDate, on: NaiveDate, may_retry: bool) -> PlanStatus {
    let mut tries = RETRY_DAYS.iter().map(|days| add_days(since, *days));
    PlanStatus::Failed {
        since,
        next_try: tries.find(|day| may_retry && on < *day),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PlanEvent as E;
    use PlanStatus as S;
    use Transition::{AlreadyApplied, Applied, Refused};

    fn day(day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2027, 3, day).unwrap()
    }

    fn failed(next_try: Option<u32>) -> S {
        S::Failed {
            since: day(1),
            next_try: next_try.map(day),
        }
    }

    fn notice(is_reminded: bool) -> S {
        S::Notice {
            ends_on: day(23),
            is_reminded,
            next_try: None,
        }
    }

    fn declined(on: u32, may_retry: bool) -> E {
        E::ChargeFailed {
            on: day(on),
            may_retry,
        }
    }

    /// Returns one letter for each event: the new status, `=` already applied, `-` refused.
    fn row(status: S) -> String {
        let events = [
            declined(1, true),
            declined(4, true),
            declined(8, true),
            declined(4, false),
            E::Collected { is_all: false },
            E::Collected { is_all: true },
            E::NoticeGiven { on: day(8) },
            E::Reminded { on: day(20) },
            E::CardReplaced { on: day(9) },
            E::DayCame { on: day(22) },
            E::DayCame { on: day(23) },
            E::PolicyEnded,
        ];
        let answers = events.iter().map(|event| match apply(status, *event) {
            Applied(S::Active) => 'A',
            Applied(S::Failed { next_try, .. }) => next_try.map_or('x', |_| 'f'),
            Applied(S::Notice { is_reminded, .. }) => ['n', 'N'][usize::from(is_reminded)],
            Applied(S::Ended) => 'E',
            AlreadyApplied => '=',
            Refused(why) => {
                assert!(why.ends_with('.'));
                '-'
            }
        });
        answers.collect()
    }

    #[test]
    fn every_status_answers_every_event() {
        for (status, expected) in [
            (S::Active, "fffx==--===E"),
            (failed(Some(4)), "=fxxAA--f==E"),
            (failed(Some(8)), "==x=AA--f==E"),
            (failed(None), "====AAn-f==E"),
            (notice(false), "=====A=Nn=EE"),
            (notice(true), "=====A==N=EE"),
            (S::Ended, "====-----==="),
        ] {
            assert_eq!(row(status), expected, "{status:?}");
        }
    }

    /// Returns the status after a charge that the card refused, or fails.
    fn after(status: S, event: E) -> S {
        let Applied(after) = apply(status, event) else {
            panic!("{event:?} changes {status:?}");
        };
        after
    }

    #[test]
    fn the_card_is_tried_after_3_and_7_days_and_the_notice_runs_14_whole_days() {
        let first = after(S::Active, declined(1, true));
        assert_eq!(first, failed(Some(4)));
        let second = after(first, declined(4, true));
        assert_eq!(second, failed(Some(8)));
        let third = after(second, declined(8, true));
        assert_eq!((third, third.next_step()), (failed(None), Some(day(8))));
        let told = after(third, E::NoticeGiven { on: day(8) });
        assert_eq!((told, told.next_step()), (notice(false), Some(day(20))));
        let reminded = after(told, E::Reminded { on: day(20) });
        assert_eq!(reminded.next_step(), Some(day(23)));
        // A shop that was closed on the day of the reminder gives three days from the reminder.
        let late = after(told, E::Reminded { on: day(23) });
        assert_eq!(late.next_step(), Some(day(26)));
        // A new card is tried at once. If it fails too, the notice goes on.
        let replaced = after(told, E::CardReplaced { on: day(10) });
        assert_eq!(replaced.next_step(), Some(day(10)));
        assert_eq!(after(replaced, declined(10, true)), told);
        // A shop that was closed for days makes up for one try alone.
        assert_eq!(after(first, declined(9, true)), failed(None));
        // A card that may not be tried again gives the customer as much time.
        let stolen = after(S::Active, declined(1, false));
        assert_eq!(stolen.next_step(), Some(day(8)));
    }
}
