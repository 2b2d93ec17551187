//! Scheduled cancellations and their transitions. A scheduled cancellation ends the policy at the
//! start of a later day.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::domain::payment::FollowUp;
use crate::domain::policy::cancellation::refundable::ReturnPremium;
use crate::domain::transition::Transition;

/// A cancellation for a later day.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScheduledCancellation {
    /// The id in the API. The [`Cancellation`](super::Cancellation) that ends the policy has this
    /// id too.
    pub id: Uuid,
    pub policy: Uuid,
    pub status: ScheduledStatus,
    /// The reason's id.
    pub reason: u32,
    /// The customer's note.
    pub note: Option<String>,
    /// The first day without cover. The cover ends at the start of this day in London.
    pub effective: NaiveDate,
    /// When the cancellation was requested.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub created: DateTime<Utc>,
    /// The return premium on the day `effective`, as the customer read it. Zero before a notice is sent.
    pub refund: ReturnPremium,
    /// The agreed change that the cancellation drops.
    pub dropped: Option<Uuid>,
    /// When the cancellation was withdrawn, or the policy ended in another way.
    #[serde(with = "chrono::serde::ts_microseconds_option")]
    pub ended_at: Option<DateTime<Utc>>,
    /// The shop's notice. `None` for a customer's request.
    pub notice: Option<CancellationNotice>,
}

/// The shop's notice that it ends a policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CancellationNotice {
    /// The person who ended the cover, and the reason.
    pub order: FollowUp,
    /// Whether the customer's letter was sent. Cover does not end without it.
    pub is_sent: bool,
}

/// The status of a scheduled cancellation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScheduledStatus {
    /// The policy is not cancelled yet.
    Pending,
    /// The policy is cancelled.
    Done,
    /// The customer, or for a notice the shop, withdrew the cancellation before its day.
    Withdrawn,
    /// The policy ended in another way before the day of the cancellation.
    Overtaken,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScheduledCancellationEvent {
    /// The day of the cancellation has begun.
    DayCame,
    /// The customer withdraws the cancellation, or the shop its notice.
    Withdrawn,
    /// The policy ends in another way.
    PolicyEnds,
}

/// Returns the transition of a scheduled cancellation in `status` on `event`.
#[must_use]
pub const fn apply(
    status: ScheduledStatus,
    event: ScheduledCancellationEvent,
) -> Transition<ScheduledStatus> {
    use ScheduledCancellationEvent as E;
    use ScheduledStatus as S;
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
    use ScheduledStatus as S;

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
                ScheduledCancellationEvent::DayCame,
                ScheduledCancellationEvent::Withdrawn,
                ScheduledCancellationEvent::PolicyEnds,
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
