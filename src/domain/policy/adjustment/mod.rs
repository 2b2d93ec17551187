//! The adjustment: a change of a policy during its term, its cost or refund, and its lifecycle.

pub mod changed_answers;
pub mod differences;
mod status;

pub use status::{AdjustmentEvent, AdjustmentStatus, apply};

use chrono::{DateTime, Duration, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::domain::money::Pence;
use crate::domain::money::premium_tax::PremiumTax;
use crate::domain::money::price::{Line, Price};
use crate::domain::policy::Policy;
use crate::domain::quote::answers::Answers;
use crate::domain::quote::lookup::StoredLookup;
use crate::json_schema::ResponseSchema;

/// Hours for which the price of a change is held. A change that is neither accepted nor paid within
/// these hours expires.
pub const HELD_HOURS: i64 = 24;

/// What a change costs. `keep`: nothing is due or refunded. `increase`: an amount is due. `decrease`: an
/// amount is refunded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
#[serde(rename_all = "lowercase")]
pub enum AdjustmentKind {
    /// Nothing is due or refunded.
    Keep,
    /// An amount is due.
    Increase,
    /// An amount is refunded.
    Decrease,
}

impl AdjustmentKind {
    /// Returns the kind of a change whose cost or refund is `amount`, in pence.
    #[must_use]
    pub const fn from_amount(amount: Pence) -> Self {
        match amount.0 {
            0 => Self::Keep,
            1.. => Self::Increase,
            _ => Self::Decrease,
        }
    }

    /// Returns the name in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Increase => "increase",
            Self::Decrease => "decrease",
        }
    }
}

/// A changed answer in the customer's words, or an added or removed instance, such as a vehicle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerChange {
    /// The answer's dotted path in the form. For an instance: its dataset and its index, from 0.
    pub path: String,
    /// The question, after the instance's name if the answer belongs to an instance. For an added
    /// or removed instance: "Added" or "Removed".
    pub label: String,
    /// The earlier answer, or the removed instance. Empty if there is none.
    pub before: String,
    /// The new answer, or the added instance. Empty if there is none.
    pub after: String,
}

/// The subject of a difference: an answer, or an instance of a repeatable dataset that was added or removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ResponseSchema)]
#[serde(rename = "ChangedPart", rename_all = "snake_case")]
pub enum DifferenceKind {
    /// An answer.
    Answer,
    /// An instance that is new.
    Added,
    /// An instance that was removed.
    Removed,
}

impl AnswerChange {
    /// Returns the change for the added instance `after`, at index `place` of its dataset.
    #[must_use]
    pub fn addition(dataset: &str, place: usize, after: String) -> Self {
        Self {
            path: format!("{dataset}.{place}"),
            label: "Added".to_owned(),
            before: String::new(),
            after,
        }
    }

    /// Returns the change for the removed instance `before`, which was at index `place` of its
    /// dataset.
    #[must_use]
    pub fn removal(dataset: &str, place: usize, before: String) -> Self {
        Self {
            path: format!("{dataset}.{place}"),
            label: "Removed".to_owned(),
            before,
            after: String::new(),
        }
    }

    /// Returns the kind of the difference. The path of an answer ends in a field's name. The path
    /// of an instance ends in the instance's index.
    #[must_use]
    pub fn kind(&self) -> DifferenceKind {
        let last = self.path.rsplit('.').next().unwrap_or_default();
        match last.parse::<usize>() {
            Err(_) => DifferenceKind::Answer,
            Ok(_) if self.before.is_empty() => DifferenceKind::Added,
            Ok(_) => DifferenceKind::Removed,
        }
    }

    /// Returns the difference in one line: "Removed: FX66 KLM, van", or "Key cover: No → Yes".
    #[must_use]
    pub fn sentence(&self) -> String {
        let or_none = |words: &str| match words {
            "" => "none".to_owned(),
            words => words.replace('\n', ", "),
        };
        let Self {
            label,
            before,
            after,
            ..
        } = self;
        match self.kind() {
            DifferenceKind::Answer => {
                format!("{label}: {} → {}", or_none(before), or_none(after))
            }
            DifferenceKind::Added => format!("{label}: {after}"),
            DifferenceKind::Removed => format!("{label}: {before}"),
        }
    }
}

/// How the amount of a change was spread over the policy's plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpreadChange {
    /// The amounts of the plan's instalments before the change, in pence.
    pub before: Vec<Pence>,
    /// The part of a decrease that exceeds them, in pence. It is refunded.
    pub refund: Pence,
}

impl SpreadChange {
    /// Returns the difference of the plan's sum after a change by `amount`.
    #[must_use]
    pub fn plan_difference(&self, amount: Pence) -> Pence {
        amount + self.refund
    }
}

/// A change as it was offered, and its status.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adjustment {
    /// The change's id in the API.
    pub id: Uuid,
    pub policy: Uuid,
    /// The policy's revision that the change replaces.
    pub base: u32,
    /// The stored status; see [`Adjustment::status_at`].
    pub status: AdjustmentStatus,
    /// The answers after the change.
    pub answers: Answers,
    /// The price of a whole term with the new answers.
    pub price: Price,
    /// The price of a whole term without the change, in pence.
    pub before: Pence,
    /// The vehicle look-ups of the new answers, and the customer's answer to each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lookups: Vec<StoredLookup>,
    /// The amount due or refunded, with the lines that explain the amount.
    pub figures: AdjustmentFigures,
    /// The first London day of the change.
    pub effective: NaiveDate,
    /// The differences between the answers.
    pub changes: Vec<AnswerChange>,
    /// When the change was offered.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub created: DateTime<Utc>,
    /// When the change came into force.
    #[serde(with = "chrono::serde::ts_microseconds_option")]
    pub applied: Option<DateTime<Utc>>,
    /// The revision that the change made.
    pub revision: Option<u32>,
    /// When the change was agreed, and paid if more was due.
    #[serde(with = "chrono::serde::ts_microseconds_option")]
    pub agreed: Option<DateTime<Utc>>,
    /// How the amount was spread over the policy's plan. `None` without a plan, or if the amount was paid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<SpreadChange>,
    /// When the change was withdrawn, or superseded after it was agreed.
    #[serde(with = "chrono::serde::ts_microseconds_option")]
    pub ended_at: Option<DateTime<Utc>>,
}

impl Adjustment {
    /// Returns when the price is no longer held.
    #[must_use]
    pub fn expires(&self) -> DateTime<Utc> {
        self.created + Duration::hours(HELD_HOURS)
    }

    /// Returns the amount that a plan spreads, and the day from which it does.
    #[must_use]
    pub const fn spread_terms(&self) -> (Pence, NaiveDate) {
        (self.figures.amount, self.effective)
    }

    /// Returns whether the change costs more, less or the same.
    #[must_use]
    pub const fn kind(&self) -> AdjustmentKind {
        AdjustmentKind::from_amount(self.figures.amount)
    }

    /// Returns the lines that explain a refund of `amount`, in pence. If `amount` is the full
    /// decrease, the lines show the difference for the days left. Every other refund has one line.
    /// After an increase, the label of that line names the payment for the change. After any other
    /// change, the label names the remaining payments.
    #[must_use]
    pub fn refund_lines(&self, amount: Pence) -> Vec<Line> {
        if amount == -self.figures.amount {
            let (left, whole) = (self.figures.days_left, self.figures.days_in_term);
            let turned = self.figures.lines.iter().rev().map(|line| Line {
                label: match line.code.as_str() {
                    BEFORE => format!("Your premium before for {left} of {whole} days"),
                    AFTER => format!("Less your new premium for {left} of {whole} days"),
                    _ => line.label.clone(),
                },
                amount: -line.amount,
                ..line.clone()
            });
            return turned.collect();
        }
        let label = match self.kind() {
            AdjustmentKind::Increase => "What you paid for this change",
            AdjustmentKind::Keep | AdjustmentKind::Decrease => "What was left of your payments",
        };
        vec![Line {
            code: "all".to_string(),
            label: label.to_string(),
            amount,
            note: None,
        }]
    }

    /// Returns the status at `now`. A pending change is superseded if the policy's revision has
    /// changed or the policy has ended. A pending change expires after [`HELD_HOURS`]. `in_force`
    /// is the policy's revision, or `None` if the policy has ended.
    #[must_use]
    pub fn status_at(&self, now: DateTime<Utc>, in_force: Option<u32>) -> AdjustmentStatus {
        match self.status {
            AdjustmentStatus::Pending if in_force != Some(self.base) => {
                AdjustmentStatus::Superseded
            }
            AdjustmentStatus::Pending if self.expires() <= now => AdjustmentStatus::Expired,
            status => status,
        }
    }
}

/// The cost of a change, or its refund.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdjustmentFigures {
    /// The amount due, in pence, including tax. A negative amount is refunded.
    pub amount: Pence,
    /// The tax in the amount, in pence.
    pub tax: Pence,
    /// Days left in the term, the first day of the change included.
    pub days_left: i64,
    /// Days of the whole term.
    pub days_in_term: i64,
    /// The lines that explain the amount. Their sum is the amount.
    pub lines: Vec<Line>,
}

/// Codes of the lines of a change's cost.
const AFTER: &str = "after";
const BEFORE: &str = "before";

/// Returns the cost of a change on the day `effective`. `before` and `after` are prices of a whole
/// term. The cost is the difference times the days left, divided by the days in the term. Half a
/// penny is rounded away from zero.
#[must_use]
pub fn figures(
    policy: &Policy,
    before: Pence,
    after: Pence,
    effective: NaiveDate,
    tax: PremiumTax,
) -> AdjustmentFigures {
    let (left, whole) = (policy.days_left(effective), policy.days_in_term());
    let amount = (after - before).fraction(left, whole);
    let share = after.fraction(left, whole);
    let line = |code: &str, label: String, amount| Line {
        code: code.to_string(),
        label,
        amount,
        note: None,
    };
    let lines = vec![
        line(
            AFTER,
            format!("New premium for {left} of {whole} days"),
            share,
        ),
        line(
            BEFORE,
            format!("Less your present premium for {left} of {whole} days"),
            amount - share,
        ),
    ];
    AdjustmentFigures {
        amount,
        tax: tax.included_in(amount),
        days_left: left,
        days_in_term: whole,
        lines,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::policy::tests::policy;

    const IPT: PremiumTax = PremiumTax::from_basis_points(1200);

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn a_change_costs_the_difference_for_the_days_left() {
        let policy = policy("2026-11-22", "2027-11-21");
        let half = figures(
            &policy,
            Pence(10_000),
            Pence(13_650),
            day("2027-05-24"),
            IPT,
        );
        assert_eq!((half.days_left, half.days_in_term), (182, 365));
        assert_eq!(half.amount, Pence(1820));
        assert_eq!(half.tax, Pence(195));
        assert_eq!(
            half.lines.iter().map(|line| line.amount).sum::<Pence>(),
            half.amount
        );
        // The first and the last day count. Before the start, the whole difference is due.
        assert_eq!(
            figures(&policy, Pence(0), Pence(365), day("2027-11-21"), IPT).amount,
            Pence(1)
        );
        assert_eq!(
            figures(&policy, Pence(0), Pence(365), day("2026-11-01"), IPT).amount,
            Pence(365)
        );
        // Half a penny is rounded away from zero in both directions.
        let at_end = figures(&policy, Pence(0), Pence(73), day("2027-10-30"), IPT);
        let back = figures(&policy, Pence(73), Pence(0), day("2027-10-30"), IPT);
        assert_eq!(at_end.amount, -back.amount);
    }
}
