//! Builds the data of the document about an adjustment.

use crate::app::documents::owner::{DocumentSubject, addressee};
use crate::app::documents::render::money_lines::{loss_note, refund_notes, sum};
use crate::app::payments::refunds::unrefunded;
use crate::app::{App, AppError, documents};
use crate::documents::data::{AdjustmentDocument, ChangeRow, PriceDirection, format_long};
use crate::domain::document::Document;
use crate::domain::money::Pence;
use crate::domain::policy::adjustment::{AdjustmentKind, DifferenceKind};
use crate::domain::time::dates::london_date;
use crate::store::{Read, tables};

/// Returns the data of the document about the adjustment `document.subject_id`.
pub(in crate::app) fn adjustment_document(
    app: &App,
    tx: &impl Read,
    document: &Document,
    subject: &DocumentSubject,
) -> Result<AdjustmentDocument, AppError> {
    let adjustment_id = document.subject_id.ok_or(AppError::NotFound)?;
    let change = tables::ADJUSTMENTS.get(tx, &adjustment_id)?;
    let change = change.ok_or(AppError::NotFound)?;
    let figures = &change.figures;
    let refund = change.spread.as_ref().map(|spread| spread.refund);
    let direction = match change.kind() {
        _ if refund == Some(Pence::ZERO) => PriceDirection::Spread,
        AdjustmentKind::Increase => PriceDirection::Paid,
        AdjustmentKind::Decrease => PriceDirection::Returned,
        AdjustmentKind::Keep => PriceDirection::Nothing,
    };
    let (sum, money_notes) = match direction {
        PriceDirection::Returned => {
            let parts = unrefunded::refund_parts(tx, change.policy, change.id)?;
            let back = parts.iter().map(|part| part.amount).sum();
            (sum(&change.refund_lines(back), back), refund_notes(&parts))
        }
        PriceDirection::Spread => (sum(&figures.lines, figures.amount), Vec::new()),
        PriceDirection::Paid | PriceDirection::Nothing => {
            let lost = unrefunded::loss_for(tx, change.policy, change.id)?;
            let notes = loss_note(lost).into_iter().collect();
            (sum(&figures.lines, figures.amount), notes)
        }
    };
    let words = match direction {
        PriceDirection::Returned => "Given back",
        PriceDirection::Spread => "Counted",
        PriceDirection::Paid | PriceDirection::Nothing => "Charged",
    };
    let (answers, whole): (Vec<_>, Vec<_>) = change
        .changes
        .iter()
        .partition(|change| change.kind() == DifferenceKind::Answer);
    let changes = answers.into_iter().map(|change| ChangeRow {
        label: change.label.clone(),
        before: change.before.clone(),
        after: change.after.clone(),
    });
    Ok(AdjustmentDocument {
        head: documents::subject_head(
            app,
            document.kind.title(),
            subject,
            london_date(document.created),
        ),
        to: addressee(subject),
        effective: format_long(change.effective),
        whole: whole.into_iter().map(|change| change.sentence()).collect(),
        changes: changes.collect(),
        premium_before: change.before.to_string(),
        premium_after: change.price.taxed.to_string(),
        share: format!(
            "{words} for {} of {} days",
            figures.days_left, figures.days_in_term
        ),
        sum,
        direction,
        money_notes,
    })
}
