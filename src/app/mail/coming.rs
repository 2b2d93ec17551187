//! What the letters about changes and cancellations say, which may be for a later day.

use chrono::NaiveDate;
use uuid::Uuid;

use crate::app::AppError;
use crate::app::mail::letters::{
    ChangeEvent, ChangeMoney, Dropped, EndEvent, Neighbour, PolicyEvent,
};
use crate::app::payments::refunds;
use crate::app::policies::PolicyContext;
use crate::app::policies::cancellation::{self, CancellationProgress, DroppedChange};
use crate::app::policies::renewal::NextYear;
use crate::domain::adjustment::{Adjustment, AdjustmentKind, AdjustmentStatus, AnswerChange};
use crate::domain::cancellation::LaterStatus;
use crate::domain::dates::{add_days, london_date};
use crate::domain::quote::QuoteStatus;
use crate::domain::refund::RefundPart;
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
            own.map(|pending| {
                let (policy, back) = (context.policy.uuid, pending.cancellation.refund.amount);
                Ok(PolicyEvent::End(EndEvent::Agreed {
                    from: pending.cancellation.effective,
                    last_day: pending.last_day,
                    refund: refunds::expected_parts(tx, policy, back)?,
                    dropped: dropped(tx, policy, pending.dropped)?,
                    next: next(context, today),
                }))
            })
            .transpose()
        }
        PolicyNews::CancellationWithdrawn { cancellation } => {
            let later = tables::LATER_CANCELLATIONS.get(tx, &cancellation)?;
            let later = later.filter(|later| later.status == LaterStatus::Withdrawn);
            let goes_on = context.policy.coming_end.is_none();
            later
                .filter(|_| goes_on)
                .map(|later| {
                    let policy = context.policy.uuid;
                    let change = cancellation::dropped_change(tx, policy, later.dropped)?;
                    Ok(PolicyEvent::End(EndEvent::Withdrawn {
                        from: later.effective,
                        expiry: context.policy.expiry,
                        dropped: dropped(tx, policy, change)?,
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
    let (policy, amount) = (change.policy, change.figures.amount);
    let what = change.changes.iter().map(AnswerChange::sentence).collect();
    let from = change.effective;
    let money = |returned: Vec<RefundPart>| {
        Ok::<_, AppError>(match change.kind() {
            AdjustmentKind::Keep => ChangeMoney::Free,
            AdjustmentKind::Increase => ChangeMoney::Paid {
                amount,
                lost: refunds::loss_for(tx, policy, change.id)?,
            },
            AdjustmentKind::Decrease => ChangeMoney::Returned(returned),
        })
    };
    Ok(match (news, change.status) {
        (PolicyNews::Changed { .. }, _) => Some(ChangeEvent::Made {
            from,
            what,
            // Less than was agreed comes back where less was left of the payments.
            money: money(refunds::refund_parts(tx, policy, change.id)?)?,
            asked: asked_earlier(change),
        }),
        (PolicyNews::ChangeAgreed { .. }, AdjustmentStatus::Agreed) => {
            let money = money(refunds::expected_parts(tx, policy, -amount)?)?;
            Some(ChangeEvent::Agreed { from, what, money })
        }
        (PolicyNews::ChangeWithdrawn { .. }, _) => {
            let refund = refunds::refund_parts(tx, policy, change.id)?;
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
///
/// # Errors
/// When the store fails.
pub(super) fn cancelled(
    tx: &impl Read,
    context: &PolicyContext,
    done: &CancellationProgress,
    today: NaiveDate,
) -> Result<PolicyEvent, AppError> {
    let policy = context.policy.uuid;
    Ok(PolicyEvent::End(EndEvent::Cancelled {
        from: done.cancellation.effective,
        last_day: done.last_day,
        at_once: done.cancellation.is_at_once(),
        never_covered: context.policy.never_covered(),
        refund: refunds::refund_parts(tx, policy, done.cancellation.id)?,
        dropped: dropped(tx, policy, done.dropped)?,
        next: next(context, today),
    }))
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
    let policy = context.policy.uuid;
    Ok(PolicyEvent::End(EndEvent::NotTakenUp {
        refund: refunds::refund_parts(tx, policy, done.cancellation.id)?,
        dropped: dropped(tx, policy, done.dropped)?,
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
fn dropped(
    tx: &impl Read,
    policy: Uuid,
    change: Option<DroppedChange>,
) -> Result<Option<Dropped>, AppError> {
    let dropped = change.map(|change| {
        Ok(Dropped {
            from: change.effective_date,
            back: refunds::refund_parts(tx, policy, change.adjustment_id)?,
        })
    });
    dropped.transpose()
}
