//! The statuses of an adjustment, and their transitions.

use serde::{Deserialize, Serialize};

use crate::domain::transition::Transition;
use crate::json_schema::ResponseSchema;

/// The status of a change. `pending`: the change is offered and not agreed. `agreed`: the change is agreed
/// for a later day. `applied`: the change took effect. `expired`: the offered price is no longer held.
/// `superseded`: another change or the end of the policy came first. `withdrawn`: the customer withdrew the
/// change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
#[serde(rename_all = "lowercase")]
pub enum AdjustmentStatus {
    /// The change is offered, and waits for the customer or for a payment.
    Pending,
    /// The change took effect.
    Applied,
    /// The offered price is no longer held.
    Expired,
    /// Another change, or the end of the policy, came first.
    Superseded,
    /// The change is agreed, and paid if an amount was due. It takes effect on its day.
    Agreed,
    /// The customer withdrew the change before it took effect.
    Withdrawn,
}

impl AdjustmentStatus {
    pub const ALL: [Self; 6] = [
        Self::Pending,
        Self::Applied,
        Self::Expired,
        Self::Superseded,
        Self::Agreed,
        Self::Withdrawn,
    ];

    /// Returns the name in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Applied => "applied",
            Self::Expired => "expired",
            Self::Superseded => "superseded",
            Self::Agreed => "agreed",
            Self::Withdrawn => "withdrawn",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdjustmentEvent {
    /// The customer agrees, and nothing more is due.
    Accepted,
    /// The due amount was paid. The payment may be reported after the price has expired.
    Paid,
    /// The agreed change takes effect: its day has begun, or no day of cover precedes its day.
    DayCame,
    /// The customer withdraws the change.
    Withdrawn,
    /// The policy ends before the change's day.
    PolicyEnds,
}

/// Returns the transition of a change in `status` on `event`. A change that takes effect at once
/// becomes `Agreed` first, and then `Applied`.
#[must_use]
pub const fn apply(
    status: AdjustmentStatus,
    event: AdjustmentEvent,
) -> Transition<AdjustmentStatus> {
    use AdjustmentEvent as E;
    use AdjustmentStatus as S;
    use Transition::{AlreadyApplied, Applied, Refused};

    match (status, event) {
        (S::Pending, E::Accepted | E::Paid) | (S::Expired, E::Paid) => Applied(S::Agreed),
        (S::Agreed, E::DayCame) => Applied(S::Applied),
        (S::Pending | S::Expired | S::Agreed, E::Withdrawn) => Applied(S::Withdrawn),
        (S::Pending | S::Expired | S::Agreed, E::PolicyEnds) => Applied(S::Superseded),

        (S::Agreed | S::Applied, E::Accepted | E::Paid)
        | (S::Applied, E::DayCame)
        | (S::Withdrawn, E::Withdrawn)
        | (S::Superseded, E::PolicyEnds) => AlreadyApplied,

        (S::Pending | S::Expired, E::DayCame) => Refused("This change is not agreed."),
        (S::Expired, E::Accepted) => Refused(
            "This price was held for 24 hours and has run out. Please ask for the new price again.",
        ),
        (S::Applied, E::Withdrawn | E::PolicyEnds) => {
            Refused("This change is in force and can't be withdrawn any more.")
        }
        (S::Superseded, E::Withdrawn) => {
            Refused("Your policy has changed or ended since, so there is nothing to withdraw.")
        }
        (S::Superseded, _) => Refused(
            "Your policy has changed since this price was worked out. Please ask for it again.",
        ),
        (S::Withdrawn, _) => {
            Refused("You have withdrawn this change. Please ask for the new price again.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use AdjustmentStatus as S;

    const EVENTS: [AdjustmentEvent; 5] = [
        AdjustmentEvent::Accepted,
        AdjustmentEvent::Paid,
        AdjustmentEvent::DayCame,
        AdjustmentEvent::Withdrawn,
        AdjustmentEvent::PolicyEnds,
    ];

    #[test]
    fn every_status_answers_every_event() {
        let row = |status| -> String {
            let answers = EVENTS.iter().map(|event| match apply(status, *event) {
                Transition::Applied(S::Agreed) => 'a',
                Transition::Applied(S::Applied) => 'A',
                Transition::Applied(S::Withdrawn) => 'w',
                Transition::Applied(S::Superseded) => 's',
                Transition::Applied(_) => '?',
                Transition::AlreadyApplied => '=',
                Transition::Refused(why) => {
                    assert!(why.ends_with('.'));
                    '-'
                }
            });
            answers.collect()
        };
        let table = S::ALL.map(|status| (status, row(status)));
        let expected = [
            (S::Pending, "aa-ws"),
            (S::Applied, "===--"),
            (S::Expired, "-a-ws"),
            (S::Superseded, "----="),
            (S::Agreed, "==Aws"),
            (S::Withdrawn, "---=-"),
        ];
        for ((status, row), (expected_status, expected)) in table.iter().zip(expected) {
            assert_eq!((*status, row.as_str()), (expected_status, expected));
        }
    }
}
