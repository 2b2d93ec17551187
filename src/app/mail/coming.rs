//! What the letters about changes and cancellations say, which may be for a later day.

use chrono::NaiveDate;
use uuid::Uuid;

use crate::app::AppError;
use crate::app::mail::letters::{ChangeEvent, Dropped, EndEvent, Neighbour, PolicyEvent};
use crate::app::payments::refunds;
use crate::app::policies::PolicyContext;
use crate::app::policies::cancellation::{self, CancellationProgress, DroppedChange};
use crate::app::policies::renewal::NextYear;
use crate::domain::adjustment::{Adjustment, AdjustmentKind, AdjustmentStatus, AnswerChange};
use crate::domain::cancellation::LaterStatus;
use crate::domain::dates::{add_days, london_date};
use crate::domain::quote::QuoteStatus;
use crate::store::Read;
use crate::store::tables::{self, PolicyNews};

/// What the letter says; none when it no longer matters, because another letter says what is true
/// now.
pub(super) fn event(
    tx: &impl Read,
    context: &PolicyContext,
    news: PolicyNews,
    today: NaiveDate,
) -> Result<Option<PolicyEvent>, AppError> {
    match news {
        PolicyNews::Changed { adjustment }
        | PolicyNews::ChangeAgreed { adjustment }
        | PolicyNews::ChangeWithdrawn { adjustment } => {
            let change = tables::ADJUSTMENTS.get(tx, &adjustment)?;
            let event = change
                .map(|change| of_change(tx, &change, news))
                .transpose()?;
            Ok(event.flatten().map(PolicyEvent::Change))
        }
        PolicyNews::CancellationAgreed { cancellation } => {
            let pending = cancellation::pending_of(tx, context, today)?;
            let own = pending.filter(|pending| pending.cancellation.id == cancellation);
            Ok(own.map(|pending| {
                PolicyEvent::End(EndEvent::Agreed {
                    from: pending.cancellation.effective,
                    last_day: pending.last_day,
                    refund: pending.cancellation.refund.amount,
                    dropped: pending.dropped.as_ref().map(dropped),
                    next: next(context, today),
                })
            }))
        }
        PolicyNews::CancellationWithdrawn { cancellation } => {
            let later = tables::LATER_CANCELLATIONS.get(tx, &cancellation)?;
            let later = later.filter(|later| later.status == LaterStatus::Withdrawn);
            let goes_on = context.policy.coming_end.is_none();
            later
                .filter(|_| goes_on)
                .map(|later| {
                    let dropped = dropped_by(tx, context.policy.uuid, later.dropped)?;
                    Ok(PolicyEvent::End(EndEvent::Withdrawn {
                        from: later.effective,
                        expiry: context.policy.expiry,
                        dropped,
                    }))
                })
                .transpose()
        }
        _ => Ok(None),
    }
}

fn of_change(
    tx: &impl Read,
    change: &Adjustment,
    news: PolicyNews,
) -> Result<Option<ChangeEvent>, AppError> {
    let back = refunds::money_back(tx, change.policy, change.id)?.amount;
    let what = change.changes.iter().map(AnswerChange::sentence).collect();
    let from = change.effective;
    Ok(match (news, change.status) {
        (PolicyNews::Changed { .. }, _) => Some(ChangeEvent::Made {
            from,
            what,
            // Less than was agreed comes back where less was left of the payments.
            amount: match change.kind() {
                AdjustmentKind::Decrease => -back,
                AdjustmentKind::Keep | AdjustmentKind::Increase => change.figures.amount,
            },
            asked: asked_earlier(change),
        }),
        (PolicyNews::ChangeAgreed { .. }, AdjustmentStatus::Agreed) => {
            let amount = change.figures.amount;
            Some(ChangeEvent::Agreed { from, what, amount })
        }
        (PolicyNews::ChangeWithdrawn { .. }, _) => {
            let refund = back;
            Some(ChangeEvent::Withdrawn { from, what, refund })
        }
        _ => None,
    })
}

/// The day it was agreed, where it came into force on a later one.
fn asked_earlier(change: &Adjustment) -> Option<NaiveDate> {
    let (agreed, applied) = (change.agreed?, change.applied?);
    (agreed < applied).then_some(london_date(agreed))
}

/// What the letter says of a policy that was cancelled.
pub(super) fn cancelled(
    context: &PolicyContext,
    done: &CancellationProgress,
    today: NaiveDate,
) -> PolicyEvent {
    PolicyEvent::End(EndEvent::Cancelled {
        from: done.cancellation.effective,
        last_day: done.last_day,
        at_once: done.cancellation.is_at_once(),
        never_covered: context.policy.never_covered(),
        refund: done.cancellation.refund.amount,
        dropped: done.dropped.as_ref().map(dropped),
        next: next(context, today),
    })
}

/// What the letter says of a policy that was not taken up.
///
/// # Errors
/// When the store fails.
pub(super) fn not_taken_up(
    tx: &impl Read,
    context: &PolicyContext,
    done: &CancellationProgress,
) -> Result<PolicyEvent, AppError> {
    Ok(PolicyEvent::End(EndEvent::NotTakenUp {
        refund: done.cancellation.refund.amount,
        dropped: done.dropped.as_ref().map(dropped),
        earlier: earlier(tx, context)?,
    }))
}

/// The next year of a policy, where it is bought.
fn next(context: &PolicyContext, today: NaiveDate) -> Option<Neighbour> {
    let renewal = context.renewal.as_ref();
    let bought = renewal.filter(|_| context.next_year(today) == NextYear::Renewed);
    bought.map(|renewal| Neighbour {
        reference: renewal.reference.clone(),
        day: add_days(context.policy.expiry, 1),
    })
}

/// The policy that this one follows, while it is live.
fn earlier(tx: &impl Read, context: &PolicyContext) -> Result<Option<Neighbour>, AppError> {
    let Some(before) = context.quote.renews else {
        return Ok(None);
    };
    let quote = tables::QUOTES.get(tx, &before)?;
    let live = quote.filter(|quote| quote.status == QuoteStatus::Live);
    let policy = tables::POLICIES.get(tx, &before)?;
    Ok(live.zip(policy).map(|(quote, policy)| Neighbour {
        reference: quote.reference,
        day: policy
            .coming_end
            .map_or(policy.expiry, |end| add_days(end.on, -1)),
    }))
}

/// What a letter says of a change that never comes.
fn dropped(dropped: &DroppedChange) -> Dropped {
    Dropped {
        from: dropped.effective,
        back: dropped.back,
    }
}

fn dropped_by(tx: &impl Read, policy: Uuid, id: Option<Uuid>) -> Result<Option<Dropped>, AppError> {
    let found = cancellation::dropped_change(tx, policy, id)?;
    Ok(found.as_ref().map(dropped))
}
