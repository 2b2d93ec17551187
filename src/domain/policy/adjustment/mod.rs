//! A change to a policy in the middle of its term: what it costs or gives back, and what
//! becomes of it.

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
use crate::domain::quote::lookup::KeptLookup;
use crate::json_schema::ResponseSchema;

/// How long a change's price is held, hours. A change that is not accepted or paid by then is not
/// made.
pub const HELD_HOURS: i64 = 24;

/// What a change does to the price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
#[serde(rename_all = "lowercase")]
pub enum AdjustmentKind {
    /// Nothing to pay, nothing back.
    Keep,
    /// More is due.
    Increase,
    /// Some comes back.
    Decrease,
}

impl AdjustmentKind {
    /// The kind of a change that costs `amount` now, pence.
    #[must_use]
    pub const fn of(amount: Pence) -> Self {
        match amount.0 {
            0 => Self::Keep,
            1.. => Self::Increase,
            _ => Self::Decrease,
        }
    }

    /// Name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Increase => "increase",
            Self::Decrease => "decrease",
        }
    }
}

/// One answer before and after, in the customer's words; or one of several, such as a vehicle, that
/// is added or removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerChange {
    /// The form's dotted path; of one of several its dataset and its place, from 0.
    pub path: String,
    /// The question; of one of several what is done with it.
    pub label: String,
    /// What it was; empty when there was nothing.
    pub before: String,
    /// What it becomes; empty when there is no answer any more.
    pub after: String,
}

/// What a difference is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ResponseSchema)]
#[serde(rename = "ChangedPart", rename_all = "snake_case")]
pub enum DifferenceKind {
    /// An answer.
    Answer,
    /// One of several, which is new.
    Added,
    /// One of several, which is gone.
    Removed,
}

impl AnswerChange {
    /// `after`, at `place` of its dataset, is new.
    #[must_use]
    pub fn added(dataset: &str, place: usize, after: String) -> Self {
        Self {
            path: format!("{dataset}.{place}"),
            label: "Added".to_owned(),
            before: String::new(),
            after,
        }
    }

    /// `before`, which was at `place` of its dataset, is gone.
    #[must_use]
    pub fn removed(dataset: &str, place: usize, before: String) -> Self {
        Self {
            path: format!("{dataset}.{place}"),
            label: "Removed".to_owned(),
            before,
            after: String::new(),
        }
    }

    /// What it is about. The path of an answer ends in a field's name, and that of one of several in
    /// its place.
    #[must_use]
    pub fn kind(&self) -> DifferenceKind {
        let last = self.path.rsplit('.').next().unwrap_or_default();
        match last.parse::<usize>() {
            Err(_) => DifferenceKind::Answer,
            Ok(_) if self.before.is_empty() => DifferenceKind::Added,
            Ok(_) => DifferenceKind::Removed,
        }
    }

    /// It in one line: "Removed: FX66 KLM, van", or "Key cover: No → Yes".
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

/// A change as it was offered, and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adjustment {
    /// Its id on the wire.
    pub id: Uuid,
    /// The policy.
    pub policy: Uuid,
    /// Revision it changes.
    pub base: u32,
    /// Status as stored; see [`Adjustment::status_at`].
    pub status: AdjustmentStatus,
    /// The answers it leads to.
    pub answers: Answers,
    /// What a whole term costs with them.
    pub price: Price,
    /// What a whole term costs without them, pence.
    pub before: Pence,
    /// The vehicles of these answers that were looked up, and what the customer said to each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lookups: Vec<KeptLookup>,
    /// What is due or comes back, and why.
    pub figures: AdjustmentFigures,
    /// First day it counts, from 00:00 in London.
    pub effective: NaiveDate,
    /// What changes.
    pub changes: Vec<AnswerChange>,
    /// When it was offered.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub created: DateTime<Utc>,
    /// When it came into force.
    #[serde(with = "chrono::serde::ts_microseconds_option")]
    pub applied: Option<DateTime<Utc>>,
    /// The revision it made.
    pub revision: Option<u32>,
    /// When it was agreed, and paid where more was due.
    #[serde(with = "chrono::serde::ts_microseconds_option")]
    pub agreed: Option<DateTime<Utc>>,
    /// When it was withdrawn, or overtaken after it was agreed.
    #[serde(with = "chrono::serde::ts_microseconds_option")]
    pub given_up: Option<DateTime<Utc>>,
}

impl Adjustment {
    /// When the price is no longer held.
    #[must_use]
    pub fn expires(&self) -> DateTime<Utc> {
        self.created + Duration::hours(HELD_HOURS)
    }

    /// Which way the money goes.
    #[must_use]
    pub const fn kind(&self) -> AdjustmentKind {
        AdjustmentKind::of(self.figures.amount)
    }

    /// How `amount`, pence, that comes back for it comes about: of a decrease the difference for the
    /// days left, of an increase that never came all that was paid for it.
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

    /// Where it stands at `now`, on a policy whose revision in force is `in_force`, or that
    /// has ended (none).
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

/// What a change costs now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdjustmentFigures {
    /// Due now, pence, tax included; comes back when negative.
    pub amount: Pence,
    /// The tax within it, pence.
    pub tax: Pence,
    /// Days it counts for, its first day included.
    pub days_left: i64,
    /// Days of the whole term.
    pub days_in_term: i64,
    /// How the amount comes about; the lines add up to it.
    pub lines: Vec<Line>,
}

/// Codes of the lines of what a change costs.
const AFTER: &str = "after";
const BEFORE: &str = "before";

/// What changing from `before` to `after`, each the price of a whole term, costs from
/// `effective` on: the difference times days left over days in the term, half a penny away
/// from zero.
#[must_use]
pub fn figures(
    policy: &Policy,
    before: Pence,
    after: Pence,
    effective: NaiveDate,
    tax: PremiumTax,
) -> AdjustmentFigures {
    let (left, whole) = (policy.days_left(effective), policy.days_in_term());
    let amount = (after - before).share(left, whole);
    let share = after.share(left, whole);
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
        tax: tax.within(amount),
        days_left: left,
        days_in_term: whole,
        lines,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::policy::tests::policy;

    const IPT: PremiumTax = PremiumTax::of_basis_points(1200);

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
        // The first day and the last day count; before the start all of it does.
        assert_eq!(
            figures(&policy, Pence(0), Pence(365), day("2027-11-21"), IPT).amount,
            Pence(1)
        );
        assert_eq!(
            figures(&policy, Pence(0), Pence(365), day("2026-11-01"), IPT).amount,
            Pence(365)
        );
        // Half a penny goes away from zero, both ways.
        let there = figures(&policy, Pence(0), Pence(73), day("2027-10-30"), IPT);
        let back = figures(&policy, Pence(73), Pence(0), day("2027-10-30"), IPT);
        assert_eq!(there.amount, -back.amount);
    }
}
