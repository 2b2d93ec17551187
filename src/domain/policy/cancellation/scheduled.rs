//! A cancellation that was asked for a later day, and what becomes of it. Until its day begins it
//! changes nothing of the policy.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::domain::policy::cancellation::refundable::Refundable;
use crate::domain::transition::Transition;

/// A cancellation that was asked for a later day.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LaterCancellation {
    /// Its id on the wire; the cancellation that it becomes has the same.
    pub id: Uuid,
    /// The policy.
    pub policy: Uuid,
    /// Where it stands.
    pub status: LaterStatus,
    /// Id of the reason.
    pub reason: u32,
    /// What else the customer said.
    pub note: Option<String>,
    /// First day without cover: the cover ends as it begins in London.
    pub effective: NaiveDate,
    /// When it was asked for.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub created: DateTime<Utc>,
    /// What was to come back on its day, as the customer was told.
    pub refund: Refundable,
    /// The agreed change that never comes because of it.
    pub dropped: Option<Uuid>,
    /// When it was withdrawn or overtaken.
    #[serde(with = "chrono::serde::ts_microseconds_option")]
    pub given_up: Option<DateTime<Utc>>,
}

/// Where a cancellation for a later day stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LaterStatus {
    /// Its day has not begun.
    Pending,
    /// The policy is cancelled.
    Done,
    /// Taken back by the customer before its day.
    Withdrawn,
    /// The policy ended in another way before its day.
    Overtaken,
}

/// What happens to a cancellation for a later day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaterEvent {
    /// Its day has begun.
    DayCame,
    /// The customer takes it back.
    Withdrawn,
    /// The policy ends in another way.
    PolicyEnds,
}

/// What becomes of a cancellation in `status` when `event` happens.
#[must_use]
pub const fn apply(status: LaterStatus, event: LaterEvent) -> Transition<LaterStatus> {
    use LaterEvent as E;
    use LaterStatus as S;
    use Transition::{AlreadyApplied, Applied, Refused};

    match (status, event) {
        (S::Pending, E::DayCame) => Applied(S::Done),
        (S::Pending, E::Withdrawn) => Applied(S::Withdrawn),
        (S::Pending, E::PolicyEnds) => Applied(S::Overtaken),

        (S::Done, E::DayCame) | (S::Withdrawn, E::Withdrawn) | (S::Overtaken, E::PolicyEnds) => {
            AlreadyApplied
        }

        (S::Done | S::Overtaken, _) => Refused("This policy has been cancelled already."),
        (S::Withdrawn, _) => Refused("This cancellation was withdrawn."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use LaterStatus as S;

    #[test]
    fn every_status_answers_every_event() {
        let table = [
            (S::Pending, "DWO"),
            (S::Done, "=--"),
            (S::Withdrawn, "-=-"),
            (S::Overtaken, "--="),
        ];
        for (status, expected) in table {
            let events = [
                LaterEvent::DayCame,
                LaterEvent::Withdrawn,
                LaterEvent::PolicyEnds,
            ];
            let answers = events.iter().map(|event| match apply(status, *event) {
                Transition::Applied(S::Done) => 'D',
                Transition::Applied(S::Withdrawn) => 'W',
                Transition::Applied(S::Overtaken) => 'O',
                Transition::Applied(S::Pending) => '?',
                Transition::AlreadyApplied => '=',
                Transition::Refused(why) => {
                    assert!(why.ends_with('.'));
                    '-'
                }
            });
            assert_eq!(answers.collect::<String>(), expected, "{status:?}");
        }
    }
}
