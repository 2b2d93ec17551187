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
pub const NOTICE_DAYS: i64 = 15;

/// Days from the reminder to the first day without cover.
pub const REMINDER_DAYS: i64 = 3;

/// The status of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PlanStatus {
    /// Each instalment is charged on its day.
    Active,
    /// A payment failed, or was taken back. The customer has a letter about it.
    Failed {
        /// The London day of the first failure.
        since: NaiveDate,
        /// The London day of the next try, or `None` if there is none.
        next_try: Option<NaiveDate>,
    },
    /// Cover ends unless all that is due is paid.
    Notice(EndNotice),
    /// The policy ended. Nothing more is collected.
    Ended,
}

/// The notice of the end of cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndNotice {
    /// The first London day without cover. A letter that waits to be sent moves it.
    pub ends_on: NaiveDate,
    /// The last letter.
    pub letter: NoticeLetter,
    /// Whether the last letter was sent. Until then nothing follows.
    pub is_sent: bool,
    /// The London day from which a new card is tried, or `None` if there is no new card.
    pub next_try: Option<NaiveDate>,
}

/// A letter about the end of cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoticeLetter {
    /// It gives the notice.
    Notice,
    /// It reminds of the notice.
    Reminder,
}

impl NoticeLetter {
    /// Returns the days from the day of the letter to the first day without cover.
    const fn days(self) -> i64 {
        match self {
            Self::Notice => NOTICE_DAYS,
            Self::Reminder => REMINDER_DAYS,
        }
    }
}

impl EndNotice {
    /// Returns the first London day without cover if the last letter is sent on the day `on`.
    #[must_use]
    pub fn end_if_sent(self, on: NaiveDate) -> NaiveDate {
        match self.is_sent {
            true => self.ends_on,
            false => self.ends_on.max(add_days(on, self.letter.days())),
        }
    }

    /// Returns whether the customer knows the day on which cover ends.
    #[must_use]
    pub fn is_known(self) -> bool {
        self.is_sent || self.letter == NoticeLetter::Reminder
    }

    /// Returns the London day of the reminder or of the end. Returns `None` while the last letter waits.
    fn next_step(self) -> Option<NaiveDate> {
        let step = match self.letter {
            NoticeLetter::Notice => add_days(self.ends_on, -REMINDER_DAYS),
            NoticeLetter::Reminder => self.ends_on,
        };
        let step = self.is_sent.then_some(step);
        self.next_try.into_iter().chain(step).min()
    }
}

impl PlanStatus {
    /// Returns the London day of the next try, of the next letter or of the end. Returns `None` if nothing
    /// failed, if a letter waits, or if the plan has ended.
    #[must_use]
    pub fn next_step(self) -> Option<NaiveDate> {
        match self {
            Self::Active | Self::Ended => None,
            Self::Failed { since, next_try } => {
                Some(next_try.unwrap_or_else(|| add_days(since, DAYS_TO_NOTICE)))
            }
            Self::Notice(notice) => notice.next_step(),
        }
    }

    /// Returns the London day of the next try, or `None` if there is none.
    #[must_use]
    pub const fn next_try(self) -> Option<NaiveDate> {
        match self {
            Self::Failed { next_try, .. } | Self::Notice(EndNotice { next_try, .. }) => next_try,
            Self::Active | Self::Ended => None,
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
    /// A bank or a gateway took a payment back. The card is not charged for it again.
    PaymentLost { on: NaiveDate },
    /// The letter with the notice is queued.
    Notice { on: NaiveDate },
    /// The letter that reminds of the notice is queued.
    Reminder,
    /// The last letter was sent. The days of the notice count from then.
    LetterSent { on: NaiveDate },
    /// The customer gave another card, which can be charged from the day `on`.
    CardReplaced { on: NaiveDate },
    /// The policy was cancelled, or its term is over.
    PolicyEnded,
}

/// Returns the transition of a plan in `status` on `event`.
#[must_use]
pub fn apply(status: PlanStatus, event: PlanEvent) -> Transition<PlanStatus> {
    use PlanEvent as E;
    use PlanStatus as S;
    use Transition::{AlreadyApplied, Applied, Refused};

    let try_on = |notice: EndNotice, next_try| Applied(S::Notice(EndNotice { next_try, ..notice }));
    match (status, event) {
        (
            S::Ended,
            E::Collected { .. } | E::Notice { .. } | E::Reminder | E::CardReplaced { .. },
        ) => Refused("The policy has ended."),
        (_, E::PolicyEnded) if status != S::Ended => Applied(S::Ended),
        (S::Ended, _) | (_, E::PolicyEnded) => AlreadyApplied,

        (S::Active, E::ChargeFailed { on, may_retry }) => Applied(failed(on, on, may_retry)),
        // A failure before the day of the next try is known already.
        (
            S::Failed {
                since,
                next_try: Some(day),
            },
            E::ChargeFailed { on, may_retry },
        ) if day <= on => Applied(failed(since, on, may_retry)),
        (S::Notice(notice), E::ChargeFailed { on, .. })
            if notice.next_try.is_some_and(|day| day <= on) =>
        {
            try_on(notice, None)
        }
        (S::Failed { .. } | S::Notice(_), E::ChargeFailed { .. }) => AlreadyApplied,

        (S::Active, E::PaymentLost { on: since })
        | (S::Failed { since, .. }, E::PaymentLost { .. }) => Applied(S::Failed {
            since,
            next_try: None,
        }),
        (S::Notice(notice), E::PaymentLost { .. }) => try_on(notice, None),

        (S::Failed { since, .. }, E::CardReplaced { on }) => Applied(S::Failed {
            since,
            next_try: Some(on),
        }),
        (S::Notice(notice), E::CardReplaced { on }) => try_on(notice, Some(on)),
        (S::Active, E::CardReplaced { .. }) => AlreadyApplied,

        // The card is charged for the rest on the days that follow.
        (
            S::Failed {
                next_try: Some(_), ..
            },
            E::Collected { .. },
        )
        | (S::Failed { .. } | S::Notice(_), E::Collected { is_all: true }) => Applied(S::Active),
        (S::Active | S::Failed { .. } | S::Notice(_), E::Collected { .. }) => AlreadyApplied,

        (S::Failed { next_try: None, .. }, E::Notice { on }) => Applied(S::Notice(EndNotice {
            ends_on: add_days(on, NOTICE_DAYS),
            letter: NoticeLetter::Notice,
            is_sent: false,
            next_try: None,
        })),
        (S::Failed { .. }, E::Notice { .. }) => Refused("The card is tried again first."),
        (S::Active, E::Notice { .. }) => Refused("No payment has failed."),
        (S::Notice(_), E::Notice { .. }) => AlreadyApplied,

        (S::Notice(notice), E::Reminder) => match notice.letter {
            NoticeLetter::Notice if notice.is_sent => Applied(S::Notice(EndNotice {
                letter: NoticeLetter::Reminder,
                is_sent: false,
                ..notice
            })),
            NoticeLetter::Notice => Refused("The notice is not sent yet."),
            NoticeLetter::Reminder => AlreadyApplied,
        },
        (S::Active | S::Failed { .. }, E::Reminder) => Refused("No notice was given."),

        (S::Notice(notice), E::LetterSent { on }) if !notice.is_sent => {
            Applied(S::Notice(EndNotice {
                ends_on: notice.end_if_sent(on),
                is_sent: true,
                ..notice
            }))
        }
        (S::Active | S::Failed { .. } | S::Notice(_), E::LetterSent { .. }) => AlreadyApplied,
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

    fn notice(letter: NoticeLetter, is_sent: bool) -> S {
        S::Notice(EndNotice {
            ends_on: day(23),
            letter,
            is_sent,
            next_try: None,
        })
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
            E::Notice { on: day(8) },
            E::Reminder,
            E::LetterSent { on: day(8) },
            E::CardReplaced { on: day(9) },
            E::PaymentLost { on: day(9) },
            E::PolicyEnded,
        ];
        let answers = events.iter().map(|event| match apply(status, *event) {
            Applied(S::Active) => 'A',
            Applied(S::Failed { next_try, .. }) => next_try.map_or('x', |_| 'f'),
            Applied(S::Notice(notice)) => match (notice.letter, notice.is_sent) {
                (NoticeLetter::Notice, false) => 'n',
                (NoticeLetter::Notice, true) => 'N',
                (NoticeLetter::Reminder, false) => 'r',
                (NoticeLetter::Reminder, true) => 'R',
            },
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
        use NoticeLetter::{Notice, Reminder};
        for (status, expected) in [
            (S::Active, "fffx==--==xE"),
            (failed(Some(4)), "=fxxAA--=fxE"),
            (failed(Some(8)), "==x=AA--=fxE"),
            (failed(None), "=====An-=fxE"),
            (notice(Notice, false), "=====A=-NnnE"),
            (notice(Notice, true), "=====A=r=NNE"),
            (notice(Reminder, false), "=====A==RrrE"),
            (notice(Reminder, true), "=====A===RRE"),
            (S::Ended, "====----=-=="),
        ] {
            assert_eq!(row(status), expected, "{status:?}");
        }
    }

    /// Returns the status after an event that changes it.
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
        let queued = after(third, E::Notice { on: day(8) });
        assert_eq!(queued, notice(NoticeLetter::Notice, false));
        let with_notice = after(queued, E::LetterSent { on: day(8) });
        assert_eq!(with_notice, notice(NoticeLetter::Notice, true));
        assert_eq!(with_notice.next_step(), Some(day(20)));
        let queued = after(with_notice, E::Reminder);
        let reminded = after(queued, E::LetterSent { on: day(20) });
        assert_eq!(reminded.next_step(), Some(day(23)));
        // A new card is tried at once. If it fails too, the notice goes on.
        let replaced = after(with_notice, E::CardReplaced { on: day(10) });
        assert_eq!(replaced.next_step(), Some(day(10)));
        assert_eq!(after(replaced, declined(10, true)), with_notice);
        // A shop that was closed for days makes up for one try alone.
        assert_eq!(after(first, declined(9, true)), failed(None));
        // A card that may not be tried again gives the customer as much time.
        let stolen = after(S::Active, declined(1, false));
        assert_eq!(stolen.next_step(), Some(day(8)));
    }

    #[test]
    fn a_letter_that_waits_moves_the_end_of_cover() {
        let queued = notice(NoticeLetter::Notice, false);
        assert_eq!(queued.next_step(), None);
        let late = after(queued, E::LetterSent { on: day(12) });
        assert_eq!(late.next_step(), Some(day(24)));
        let queued = after(late, E::Reminder);
        assert_eq!(queued.next_step(), None);
        let late = after(queued, E::LetterSent { on: day(26) });
        assert_eq!(late.next_step(), Some(day(29)));
    }
}
