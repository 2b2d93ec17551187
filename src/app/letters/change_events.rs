//! Builds the events of the letters about a change of a policy.

use uuid::Uuid;

use crate::app::AppError;
use crate::app::letters::{
    CancelledChange, ChangeMoney, LetterEvent, format_amount, format_positive, format_refunds,
};
use crate::app::payments::refunds::unrefunded;
use crate::app::policies::cancellations::DroppedChange;
use crate::domain::payment::refund::RefundPart;
use crate::domain::policy::adjustment::{
    Adjustment, AdjustmentKind, AdjustmentStatus, AnswerChange,
};
use crate::domain::time::dates::{format_long, london_date};
use crate::store::Read;
use crate::store::tables::PolicyNotification;

/// Returns the event of a letter about a change that was made, agreed or withdrawn. Returns `None`
/// if an agreed change has another status now, or if `news` is about no change.
pub(super) fn change_event(
    tx: &impl Read,
    change: &Adjustment,
    news: PolicyNotification,
) -> Result<Option<LetterEvent>, AppError> {
    let effective_date = format_long(change.effective);
    let changes = change.changes.iter().map(AnswerChange::sentence).collect();
    // The refund is smaller than agreed if less of the payments could still be refunded.
    let made = || unrefunded::refund_parts(tx, change.policy, change.id);
    Ok(match (news, change.status) {
        (PolicyNotification::Changed { .. }, _) => Some(LetterEvent::ChangeMade {
            effective_date,
            changes,
            money: change_money(tx, change, &made()?)?,
            request_date: request_date(change),
        }),
        (PolicyNotification::ChangeAgreed { .. }, AdjustmentStatus::Agreed) => {
            let spread = change.spread.as_ref();
            let amount = spread.map_or(-change.figures.amount, |spread| spread.refund);
            let expected = unrefunded::expected_parts(tx, change.policy, amount)?;
            let money = change_money(tx, change, &expected)?;
            Some(LetterEvent::ChangeAgreed {
                effective_date,
                changes,
                money,
            })
        }
        (PolicyNotification::ChangeWithdrawn { .. }, _) => {
            let refund = format_refunds(&made()?);
            Some(LetterEvent::ChangeWithdrawn {
                effective_date,
                changes,
                refund,
            })
        }
        _ => None,
    })
}

fn change_money(
    tx: &impl Read,
    change: &Adjustment,
    refund: &[RefundPart],
) -> Result<ChangeMoney, AppError> {
    let mut money = ChangeMoney {
        is_spread: change.spread.is_some(),
        ..ChangeMoney::default()
    };
    match change.kind() {
        AdjustmentKind::Keep => {}
        AdjustmentKind::Increase if money.is_spread => {}
        AdjustmentKind::Decrease if money.is_spread && refund.is_empty() => {}
        AdjustmentKind::Increase => {
            money.paid = Some(format_amount(change.figures.amount));
            money.returned_by_bank =
                format_positive(unrefunded::loss_for(tx, change.policy, change.id)?);
        }
        AdjustmentKind::Decrease => money.refund = Some(format_refunds(refund)),
    }
    Ok(money)
}

/// Returns the day of the agreement, if the change came into force later.
fn request_date(change: &Adjustment) -> Option<String> {
    let (agreed, applied) = (change.agreed?, change.applied?);
    (agreed < applied).then(|| format_long(london_date(agreed)))
}

/// Returns the change that a cancellation withdrew, with its refund.
pub(super) fn cancelled_change_fields(
    tx: &impl Read,
    policy: Uuid,
    change: Option<DroppedChange>,
) -> Result<Option<CancelledChange>, AppError> {
    let cancelled = change.map(|change| {
        let refund = unrefunded::refund_parts(tx, policy, change.adjustment_id)?;
        Ok(CancelledChange {
            effective_date: format_long(change.effective_date),
            refund: format_refunds(&refund),
        })
    });
    cancelled.transpose()
}
