//! For `layby resolve`: stores the result of a dispute that only payout reports name.

use chrono::{DateTime, Utc};

use crate::app::AppError;
use crate::app::accounting::resolution::{Resolution, ResolutionWay, format_record, refusal};
use crate::app::accounting::unresolved::number;
use crate::app::payments::write_dispute_news;
use crate::domain::payment::FollowUp;
use crate::domain::payment::dispute::{Dispute, DisputeNews, DisputeResult};
use crate::store::WriteTx;
use crate::store::tables::DISPUTES;

/// Stores the result of an open dispute that no gateway told of. Posts what is lost, and queues the letter.
pub(super) fn close_dispute(
    tx: &mut WriteTx<'_>,
    order: &Resolution,
    dispute: Dispute,
    now: DateTime<Utc>,
) -> Result<String, AppError> {
    let id = dispute.id;
    let ResolutionWay::Dispute(result) = order.method else {
        return Err(refusal(format!(
            "{id} is a dispute: say `--method dispute-won` or `--method dispute-lost`."
        )));
    };
    if let Some(own) = &dispute.decision {
        let why = format_record("it was closed", own.at, &own.by, &own.why);
        return Err(refusal(format!("{id}: {why}")));
    }
    if !dispute.is_from_report {
        let why = "the gateway says itself how this dispute ends.";
        return Err(refusal(format!("{id}: {why}")));
    }
    let news = DisputeNews {
        provider: dispute.provider,
        reference: dispute.reference,
        payment: dispute.payment,
        amount: dispute.amount,
        reason: None,
        reply_by: None,
        event: result.into(),
        moves: Vec::new(),
        is_from_report: true,
    };
    let closed = write_dispute_news(tx, &news, now)?;
    let mut closed = closed.ok_or(AppError::NotFound)?;
    closed.decision = Some(FollowUp {
        by: order.by.clone(),
        why: order.why.clone(),
        at: now,
    });
    DISPUTES.put(tx, &id, &closed)?;
    let what = match result {
        DisputeResult::Won => "won",
        DisputeResult::Lost => "lost",
    };
    let number = number(tx, closed.policy)?.unwrap_or_default();
    Ok(format!(
        "dispute {id} of {} of {number} is closed: {what}",
        closed.amount
    ))
}
