//! Books a dispute's movement that only a payout report names.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::AppError;
use crate::app::accounting::line_payment::payment;
use crate::app::accounting::report::ReportLine;
use crate::app::payments::{disputes_of, write_dispute_news};
use crate::domain::payment::dispute::{Dispute, DisputeEvent, DisputeMove, DisputeNews};
use crate::domain::payment::settlement::LineKind;
use crate::store::WriteTx;
use crate::store::tables::DISPUTES;

/// Books the line as a movement of its dispute. Opens the dispute if a paid payment of ours has no dispute that
/// the gateway told of. Changes nothing if the line is not paid out, or if the gateway told of the dispute.
pub(super) fn book_dispute_line(
    tx: &mut WriteTx<'_>,
    provider: &str,
    line: &ReportLine,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    if !matches!(line.kind, LineKind::Dispute | LineKind::DisputeReturned) || line.payout.is_none()
    {
        return Ok(());
    }
    let reference = line.source.as_ref().unwrap_or(&line.reference);
    let existing = DISPUTES.get(tx, &Dispute::dispute_id(provider, reference))?;
    let (payment, amount) = match existing {
        Some(existing) if existing.is_from_report => (existing.payment, existing.amount),
        None if line.kind == LineKind::Dispute => match unreported_payment(tx, provider, line)? {
            Some(payment) => (payment, -line.gross),
            None => return Ok(()),
        },
        _ => return Ok(()),
    };
    let news = DisputeNews {
        provider: provider.to_string(),
        reference: reference.clone(),
        payment,
        amount,
        reason: None,
        reply_by: None,
        event: DisputeEvent::Opened,
        moves: vec![DisputeMove {
            reference: line.name.clone(),
            amount: -line.gross,
        }],
        is_from_report: true,
    };
    write_dispute_news(tx, &news, now)?;
    Ok(())
}

/// Returns the line's payment if it took money and the gateway told of no dispute of it.
fn unreported_payment(
    tx: &WriteTx<'_>,
    provider: &str,
    line: &ReportLine,
) -> Result<Option<Uuid>, AppError> {
    let payment = payment(tx, provider, &line.names)?;
    let paid = payment.filter(|payment| payment.status.took_money() == Some(true));
    let Some(payment) = paid else {
        return Ok(None);
    };
    let own = disputes_of(tx, payment.quote)?;
    let is_told = |dispute: &Dispute| dispute.payment == payment.id && !dispute.is_from_report;
    Ok((!own.iter().any(is_told)).then_some(payment.id))
}
