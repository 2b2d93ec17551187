//! Builds the data of the document about a cancellation.

use uuid::Uuid;

use crate::app::documents::owner::{DocumentSubject, addressee};
use crate::app::documents::render::money_lines::{refund_notes, sum};
use crate::app::payments::refunds::unrefunded;
use crate::app::policies::cancellations::{DroppedChange, dropped_change};
use crate::app::policies::plans::StoppedPayments;
use crate::app::{App, AppError, documents};
use crate::documents::data::{CancellationDocument, format_long};
use crate::domain::document::Document;
use crate::domain::money::Pence;
use crate::domain::policy::cancellation::{self, is_shop_reason, return_premium};
use crate::store::Read;

/// Returns the data of the document about a policy's cancellation.
pub(in crate::app) fn cancellation_document(
    app: &App,
    tx: &impl Read,
    document: &Document,
    subject: &DocumentSubject,
) -> Result<CancellationDocument, AppError> {
    let policy = subject.policy.as_ref().ok_or(AppError::NotFound)?;
    let ended = policy.cancellation.as_ref().ok_or(AppError::NotFound)?;
    let last_day = policy.last_day_before(ended.effective, ended.is_at_once());
    let dropped = dropped_change(tx, policy.uuid, ended.dropped)?;
    let dropped = dropped.map(|change| cancelled_change_text(tx, policy.uuid, change));
    let refund = unrefunded::refund_parts(tx, policy.uuid, ended.id)?;
    let stopped = StoppedPayments::load(tx, policy.uuid, None)?;
    let stopped = stopped.filter(|stopped| stopped.count > 0);
    let reason = ended.reason.and_then(cancellation::reason);
    Ok(CancellationDocument {
        head: documents::subject_head(app, document.kind.title(), subject, ended.effective),
        to: addressee(subject),
        effective: format_long(ended.effective),
        last_day: last_day.map(format_long).unwrap_or_default(),
        is_immediate: ended.is_at_once(),
        never: policy.never_covered(),
        dropped: dropped.transpose()?.unwrap_or_default(),
        reason: reason.unwrap_or_default().to_string(),
        not_taken_up: ended.reason.is_none(),
        is_by_shop: ended.reason.is_some_and(is_shop_reason),
        stopped: stopped.map(stopped_text).unwrap_or_default(),
        is_earned: !return_premium::is_all(&ended.refund),
        refund: sum(&ended.refund.lines, ended.refund.amount),
        refunded: ended.refund.amount > Pence::ZERO,
        money_notes: refund_notes(&refund),
    })
}

fn stopped_text(stopped: StoppedPayments) -> String {
    let total = stopped.total;
    match stopped.count {
        1 => format!("We do not collect the monthly payment of {total} that was left."),
        count => format!(
            "We do not collect the {count} monthly payments that were left, {total} in all."
        ),
    }
}

/// Returns the text about a cancelled change and the refund of its payment.
fn cancelled_change_text(
    tx: &impl Read,
    policy: Uuid,
    dropped: DroppedChange,
) -> Result<String, AppError> {
    let on = format_long(dropped.effective_date);
    let parts = unrefunded::refund_parts(tx, policy, dropped.adjustment_id)?;
    if parts.is_empty() {
        return Ok(format!(
            "The change that was agreed for {on} does not come."
        ));
    }
    let notes = refund_notes(&parts).join(" ");
    Ok(format!(
        "The change that was agreed for {on} does not come. What you paid for it is no part of the refund \
         below: {notes}"
    ))
}
