//! What the printed notices about a policy's later life say: an adjustment, a cancellation, a renewal.

use crate::app::documents::money_lines::sum;
use crate::app::documents::subject::{DocumentSubject, addressee};
use crate::app::quotes::revision_of;
use crate::app::{App, AppError};
use crate::documents::data::{
    AdjustmentDocument, Amount, CancellationDocument, ChangeRow, Direction, RenewalNotice, in_words,
};
use crate::domain::adjustment::AdjustmentKind;
use crate::domain::cancellation;
use crate::domain::dates::london_date;
use crate::domain::document::Document;
use crate::domain::money::Pence;
use crate::domain::quote::Quote;
use crate::store::{Read, tables};

impl App {
    /// What the document about the change `document.about` says.
    pub(in crate::app) fn adjustment_document(
        &self,
        tx: &impl Read,
        document: &Document,
        subject: &DocumentSubject,
    ) -> Result<AdjustmentDocument, AppError> {
        let about = document.about.ok_or(AppError::NotFound)?;
        let change = tables::ADJUSTMENTS.get(tx, &about)?;
        let change = change.ok_or(AppError::NotFound)?;
        let figures = &change.figures;
        let (direction, sign) = match change.kind() {
            AdjustmentKind::Increase => (Direction::Paid, 1),
            AdjustmentKind::Decrease => (Direction::Returned, -1),
            AdjustmentKind::Keep => (Direction::Nothing, 1),
        };
        let words = match direction {
            Direction::Returned => "Given back",
            Direction::Paid | Direction::Nothing => "Charged",
        };
        let changes = change.changes.iter().map(|change| ChangeRow {
            label: change.label.clone(),
            before: change.before.clone(),
            after: change.after.clone(),
        });
        Ok(AdjustmentDocument {
            head: self.head(
                document.kind.title(),
                subject,
                london_date(document.created),
            ),
            to: addressee(subject),
            effective: in_words(change.effective),
            changes: changes.collect(),
            premium_before: change.before.to_string(),
            premium_after: change.price.taxed.to_string(),
            share: format!(
                "{words} for {} of {} days",
                figures.days_left, figures.days_in_term
            ),
            sum: sum(&figures.lines, sign, figures.amount),
            direction,
        })
    }

    /// What the document about the cancellation of a policy says.
    pub(in crate::app) fn cancellation_document(
        &self,
        document: &Document,
        subject: &DocumentSubject,
    ) -> Result<CancellationDocument, AppError> {
        let policy = subject.policy.as_ref();
        let ended = policy.and_then(|policy| policy.cancellation.as_ref());
        let ended = ended.ok_or(AppError::NotFound)?;
        let reason = ended.reason.and_then(cancellation::reason);
        Ok(CancellationDocument {
            head: self.head(document.kind.title(), subject, ended.effective),
            to: addressee(subject),
            effective: in_words(ended.effective),
            reason: reason.unwrap_or_default().to_string(),
            not_taken_up: ended.reason.is_none(),
            refund: sum(&ended.refund.lines, 1, ended.refund.amount),
            refunded: ended.refund.amount > Pence::ZERO,
        })
    }

    /// The notice of a renewal, which `quote` quotes.
    pub(in crate::app) fn renewal_notice(
        &self,
        tx: &impl Read,
        document: &Document,
        subject: &DocumentSubject,
        quote: Quote,
    ) -> Result<RenewalNotice, AppError> {
        let number = quote.current.number;
        let next = self.subject(tx, quote.clone(), Some(number))?;
        let policy = self.policy_unchecked(tx, document.policy)?;
        let renewal = self.comparison(tx, &policy, quote)?;
        let price = renewal.price.ok_or(AppError::NotFound)?;
        let differences = renewal.differences.iter().map(|difference| Amount {
            label: difference.label.to_string(),
            amount: difference.amount.to_string(),
            note: None,
        });
        Ok(RenewalNotice {
            head: self.head(
                document.kind.title(),
                subject,
                london_date(document.created),
            ),
            to: addressee(subject),
            price_last_year: renewal.last_year.to_string(),
            price: price.to_string(),
            price_new_customer: renewal.new_customer.unwrap_or(price).to_string(),
            differences: differences.collect(),
            starts: in_words(renewal.starts),
            last_day: renewal.starts.pred_opt().map(in_words).unwrap_or_default(),
            auto_renew: renewal.auto_renew,
            charge_on: renewal.charge_on.map(in_words),
            cover: next.cover(),
        })
    }
}

/// The quote that a renewal notice is about, with the revision it tells; none where it has no
/// price.
pub(in crate::app) fn quote_of_notice(
    tx: &impl Read,
    document: &Document,
) -> Result<Option<Quote>, AppError> {
    let about = document.about.ok_or(AppError::NotFound)?;
    let quote = tables::QUOTES.get(tx, &about)?;
    let mut quote = quote.ok_or(AppError::NotFound)?;
    if let Some(number) = document.about_revision {
        quote.current = revision_of(tx, &quote, number)?;
    }
    Ok(Some(quote).filter(|quote| quote.current.price.is_some()))
}
