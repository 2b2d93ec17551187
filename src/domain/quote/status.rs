//! The statuses of a quote or policy, and their transitions.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize, Serializer};

use crate::domain::transition::Transition;
use crate::json_schema::{self, schema_of};

/// The status of a quote or policy, with the ids of the specification, part 3. The specification
/// does not name 8, 9, 15 and 16; those names are ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum QuoteStatus {
    /// The quote is complete and priced, and can be bought until its price expires.
    Quote,
    /// The quote was saved before it was complete.
    Draft,
    /// Bought.
    Live,
    /// The quote waits for a person's decision.
    Refer,
    /// The customer ended the policy early.
    Cancelled,
    AdjustmentDraft,
    /// The customer refused the quote, or undid the policy before its inception.
    NotTakenUp,
    /// The term has ended.
    Expired,
    /// The term has ended and the renewal was bought.
    Renewed,
    /// The quote is from an aggregator and lacks answers.
    Partial,
    /// Underwriting declined the quote.
    Declined,
    /// The price expired before the purchase.
    Lapsed,
}

/// The status of a quote or policy, as its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatusId(pub QuoteStatus);

impl Serialize for StatusId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.0.id())
    }
}

schema_of!(StatusId, "StatusId", |_| json_schema::numbers(
    "StatusId",
    "A status by its id; `GET /api/v1/quote/statuses` names them.",
    &QuoteStatus::ALL.map(QuoteStatus::id),
));

impl QuoteStatus {
    /// Every status, by id.
    pub const ALL: [Self; 12] = [
        Self::Quote,
        Self::Draft,
        Self::Live,
        Self::Refer,
        Self::Cancelled,
        Self::AdjustmentDraft,
        Self::NotTakenUp,
        Self::Expired,
        Self::Renewed,
        Self::Partial,
        Self::Declined,
        Self::Lapsed,
    ];

    /// Returns the id in the API.
    #[must_use]
    pub const fn id(self) -> u32 {
        match self {
            Self::Quote => 1,
            Self::Draft => 2,
            Self::Live => 5,
            Self::Refer => 7,
            Self::Cancelled => 8,
            Self::AdjustmentDraft => 9,
            Self::NotTakenUp => 14,
            Self::Expired => 15,
            Self::Renewed => 16,
            Self::Partial => 30,
            Self::Declined => 31,
            Self::Lapsed => 32,
        }
    }

    /// Returns the name that a customer reads.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Quote => "Quote",
            Self::Draft => "Draft",
            Self::Live => "Live",
            Self::Refer => "Referred",
            Self::Cancelled => "Cancelled",
            Self::AdjustmentDraft => "Change in progress",
            Self::NotTakenUp => "Not taken up",
            Self::Expired => "Expired",
            Self::Renewed => "Renewed",
            Self::Partial => "Partial quote",
            Self::Declined => "Declined",
            Self::Lapsed => "Lapsed",
        }
    }

    /// Returns whether the customer can continue the quote: it is a draft, lacks answers, or has a
    /// price that holds.
    #[must_use]
    pub const fn can_continue(self) -> bool {
        matches!(self, Self::Draft | Self::Partial | Self::Quote)
    }

    #[must_use]
    pub const fn is_policy(self) -> bool {
        matches!(
            self,
            Self::Live | Self::Cancelled | Self::Expired | Self::Renewed
        )
    }

    /// Returns whether the quote may have been a policy. `NotTakenUp` covers both refused quotes and
    /// policies that were undone before they began.
    #[must_use]
    pub const fn may_be_policy(self) -> bool {
        self.is_policy() || matches!(self, Self::NotTakenUp)
    }
}

/// An event of a quote or policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuoteEvent {
    /// New answers were saved and underwritten.
    Saved(Saved),
    /// A payment for the accepted revision succeeded.
    Paid,
    /// The price expired.
    RanOut,
    /// The customer does not want the quote, or undoes the policy before its inception.
    NotTakenUp,
    /// The customer ends the policy early.
    Cancelled,
    /// The policy's last day is over.
    Ended,
    /// The renewal was bought, and the policy's last day is over.
    Renewed,
}

/// The result of a save.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saved {
    /// The quote is incomplete and stored for later.
    Draft,
    /// The quote is from an aggregator and lacks answers.
    Partial,
    /// The quote is complete and priced.
    Priced,
    /// A person must decide.
    Referred,
    /// Underwriting declined the quote.
    Declined,
}

/// Returns the transition of a quote or policy in `status` on `event`.
#[must_use]
pub const fn apply(status: QuoteStatus, event: QuoteEvent) -> Transition<QuoteStatus> {
    use QuoteStatus as S;
    use Transition::{AlreadyApplied, Applied, Refused};

    match (status, event) {
        (S::NotTakenUp, QuoteEvent::NotTakenUp)
        | (S::Lapsed, QuoteEvent::RanOut)
        | (S::Cancelled, QuoteEvent::Cancelled)
        | (S::Expired | S::Renewed, QuoteEvent::Ended)
        | (S::Renewed, QuoteEvent::Renewed)
        | (S::Live | S::Cancelled | S::Expired | S::Renewed, QuoteEvent::Paid) => AlreadyApplied,

        (S::Live, QuoteEvent::NotTakenUp) => Applied(S::NotTakenUp),
        (S::Live, QuoteEvent::Cancelled) => Applied(S::Cancelled),
        (S::Live, QuoteEvent::Ended) => Applied(S::Expired),
        // A renewal may be paid after the policy's last day, when a job has already ended the
        // policy.
        (S::Live | S::Expired, QuoteEvent::Renewed) => Applied(S::Renewed),
        (S::Cancelled, _) => Refused("This policy has been cancelled."),
        (S::Expired | S::Renewed, QuoteEvent::Cancelled | QuoteEvent::NotTakenUp) => {
            Refused("This policy has ended.")
        }
        (S::NotTakenUp, QuoteEvent::Cancelled | QuoteEvent::Ended | QuoteEvent::Renewed) => {
            Refused("This policy was not taken up.")
        }
        (_, QuoteEvent::Cancelled | QuoteEvent::Ended | QuoteEvent::Renewed) => {
            Refused("This isn't a policy.")
        }

        (S::AdjustmentDraft, _) => Refused("This is a change to a policy, not a quote."),
        (S::Live | S::Expired | S::Renewed, _) => {
            Refused("This quote has been bought and can no longer be changed here.")
        }
        (S::NotTakenUp, _) => Refused("This quote was not taken up. Please start a new one."),

        (_, QuoteEvent::Saved(Saved::Draft)) => Applied(S::Draft),
        (_, QuoteEvent::Saved(Saved::Partial)) => Applied(S::Partial),
        (_, QuoteEvent::Saved(Saved::Priced)) => Applied(S::Quote),
        (_, QuoteEvent::Saved(Saved::Referred)) => Applied(S::Refer),
        (_, QuoteEvent::Saved(Saved::Declined)) => Applied(S::Declined),

        // A payment that began for an accepted revision counts, even if the quote was saved since.
        (_, QuoteEvent::Paid) => Applied(S::Live),

        (S::Declined | S::Refer, QuoteEvent::RanOut) => Refused("There is no price to run out."),
        (_, QuoteEvent::RanOut) => Applied(S::Lapsed),
        (_, QuoteEvent::NotTakenUp) => Applied(S::NotTakenUp),
    }
}

/// Returns the status at `now` of a quote stored as `status`. A quote whose price has expired is
/// lapsed, even before the daily job stores this status.
pub(super) fn status_at(
    status: QuoteStatus,
    expires: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> QuoteStatus {
    let out_of_time = expires.is_some_and(|expires| now >= expires);
    match apply(status, QuoteEvent::RanOut) {
        Transition::Applied(lapsed) if out_of_time => lapsed,
        _ => status,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use QuoteStatus as S;
    use Transition::{AlreadyApplied, Applied};

    const EVENTS: [QuoteEvent; 11] = [
        QuoteEvent::Saved(Saved::Draft),
        QuoteEvent::Saved(Saved::Partial),
        QuoteEvent::Saved(Saved::Priced),
        QuoteEvent::Saved(Saved::Referred),
        QuoteEvent::Saved(Saved::Declined),
        QuoteEvent::Paid,
        QuoteEvent::RanOut,
        QuoteEvent::NotTakenUp,
        QuoteEvent::Cancelled,
        QuoteEvent::Ended,
        QuoteEvent::Renewed,
    ];

    /// Returns one letter for each event of `EVENTS`: the new status' initial, `=` already applied,
    /// `-` refused.
    fn row(status: S) -> String {
        EVENTS
            .iter()
            .map(|event| match apply(status, *event) {
                Applied(S::Draft) => 'd',
                Applied(S::Partial) => 'p',
                Applied(S::Quote) => 'q',
                Applied(S::Refer) => 'r',
                Applied(S::Declined) => 'x',
                Applied(S::Live) => 'L',
                Applied(S::Lapsed) => 'l',
                Applied(S::NotTakenUp) => 'n',
                Applied(S::Cancelled) => 'c',
                Applied(S::Expired) => 'e',
                Applied(S::Renewed) => 'R',
                Applied(other) => panic!("{status:?} may not become {other:?}"),
                AlreadyApplied => '=',
                Transition::Refused(reason) => {
                    assert!(reason.ends_with('.'));
                    '-'
                }
            })
            .collect()
    }

    #[test]
    fn every_status_answers_every_event() {
        let table = [
            (S::Quote, "dpqrxLln---"),
            (S::Draft, "dpqrxLln---"),
            (S::Live, "-----=-nceR"),
            (S::Refer, "dpqrxL-n---"),
            (S::Cancelled, "-----=--=--"),
            (S::AdjustmentDraft, "-----------"),
            (S::NotTakenUp, "-------=---"),
            (S::Expired, "-----=---=R"),
            (S::Renewed, "-----=---=="),
            (S::Partial, "dpqrxLln---"),
            (S::Declined, "dpqrxL-n---"),
            (S::Lapsed, "dpqrxL=n---"),
        ];
        for (status, expected) in table {
            assert_eq!(row(status), expected, "{status:?}");
        }
        assert_eq!(table.len(), S::ALL.len());
    }

    #[test]
    fn ids_are_the_specifications() {
        let ids = S::ALL.map(|status| (status, status.id()));
        assert_eq!(
            ids,
            [
                (S::Quote, 1),
                (S::Draft, 2),
                (S::Live, 5),
                (S::Refer, 7),
                (S::Cancelled, 8),
                (S::AdjustmentDraft, 9),
                (S::NotTakenUp, 14),
                (S::Expired, 15),
                (S::Renewed, 16),
                (S::Partial, 30),
                (S::Declined, 31),
                (S::Lapsed, 32),
            ]
        );
    }
}
