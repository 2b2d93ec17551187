//! Builds the data of a policy's documents from rows of the store. This file has the schedule, the
//! demands and needs and the receipt.

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Europe::London;

use crate::app::documents::owner::{DocumentSubject, addressee};
use crate::app::documents::render::adjustment_texts::adjustment_document;
use crate::app::documents::render::cancellation_texts::cancellation_document;
use crate::app::documents::render::money_lines::{price, sum};
use crate::app::documents::render::plan_texts::{self, plan_document};
use crate::app::documents::render::renewal_texts::{quote_of_notice, renewal_notice};
use crate::app::payments::balance_of;
use crate::app::policies::adjustments::adjustments;
use crate::app::{App, AppError, documents};
use crate::documents::DocumentTemplate;
use crate::documents::data::{DemandsAndNeeds, Points, Receipt, Schedule, TableRow, format_long};
use crate::domain::document::{Document, DocumentKind};
use crate::domain::money::Pence;
use crate::domain::payment::PaymentFrequency;
use crate::domain::policy::Policy;
use crate::domain::policy::adjustment::Adjustment;
use crate::domain::product::Product;
use crate::domain::time::dates::london_date;
use crate::store::{Read, tables};

/// The work that an ordered document needs.
pub(in crate::app) enum RenderJob {
    /// No work: the document is already stored.
    Made,
    /// Deletion of the document: a renewal notice whose revision has no price, or a plan that has ended.
    NotNeeded,
    Data(DocumentTemplate, serde_json::Value),
}

/// Returns the work for a document. For a document that must be rendered, the work contains the
/// template and the data.
pub(in crate::app) fn build_render_job(
    app: &App,
    tx: &impl Read,
    document: &Document,
) -> Result<RenderJob, AppError> {
    let quote = tables::QUOTES.get(tx, &document.policy)?;
    let quote = quote.ok_or(AppError::NotFound)?;
    let subject = &documents::subject(&app.products, tx, quote, Some(document.revision))?;
    if document.made.is_some() {
        return Ok(RenderJob::Made);
    }
    let (template, data) = match document.kind {
        DocumentKind::Schedule => (
            DocumentTemplate::Schedule,
            serde_json::to_value(schedule(app, tx, document, subject)?),
        ),
        DocumentKind::DemandsAndNeeds => (
            DocumentTemplate::DemandsAndNeeds,
            serde_json::to_value(demands_and_needs(app, subject)),
        ),
        DocumentKind::Receipt => (
            DocumentTemplate::Receipt,
            serde_json::to_value(receipt(app, tx, document, subject)?),
        ),
        DocumentKind::Plan => {
            let Some(plan) = plan_document(app, tx, subject)? else {
                return Ok(RenderJob::NotNeeded);
            };
            (DocumentTemplate::Plan, serde_json::to_value(plan))
        }
        DocumentKind::Adjustment => (
            DocumentTemplate::Adjustment,
            serde_json::to_value(adjustment_document(app, tx, document, subject)?),
        ),
        DocumentKind::Cancellation => (
            DocumentTemplate::Cancellation,
            serde_json::to_value(cancellation_document(app, tx, document, subject)?),
        ),
        DocumentKind::Renewal => {
            let Some(quote) = quote_of_notice(tx, document)? else {
                return Ok(RenderJob::NotNeeded);
            };
            let notice = renewal_notice(app, tx, document, subject, quote)?;
            (DocumentTemplate::Renewal, serde_json::to_value(notice))
        }
    };
    let data =
        data.map_err(|error| AppError::internal("a document's data could not be written", error))?;
    Ok(RenderJob::Data(template, data))
}

fn schedule(
    app: &App,
    tx: &impl Read,
    document: &Document,
    subject: &DocumentSubject,
) -> Result<Schedule, AppError> {
    let policy = subject.policy.as_ref().ok_or(AppError::NotFound)?;
    let mut period = vec![
        TableRow::new("Policy number", &subject.quote.reference),
        TableRow::new("First day", format_long(policy.inception)),
        TableRow::new("Last day", format_long(policy.expiry)),
        TableRow::new("Cover begins", moment(policy.cover_begins)),
        TableRow::new("Bought on", format_long(london_date(policy.purchased))),
    ];
    let changed = !is_first(subject, document.revision);
    if changed {
        let from = change_made(tx, document)?.map(|change| change.effective);
        let from = from.unwrap_or(london_date(document.created));
        period.push(TableRow::new("Changed from", format_long(from)));
    }
    Ok(Schedule {
        head: documents::subject_head(
            app,
            document.kind.title(),
            subject,
            date_of(document, subject),
        ),
        to: addressee(subject),
        cover: subject.cover(),
        period,
        groups: subject.groups(),
        price: price(subject.price()?),
        monthly_payments: monthly_payments(tx, policy)?,
        changed,
        declared: declarations(&subject.product),
    })
}

/// Returns the number of payments of a policy's plan, or `None` without a plan.
fn monthly_payments(tx: &impl Read, policy: &Policy) -> Result<Option<usize>, AppError> {
    let plan = tables::PLANS.get(tx, &policy.uuid)?;
    Ok(plan.map(|plan| plan_texts::payments(&plan, true).len()))
}

fn demands_and_needs(app: &App, subject: &DocumentSubject) -> DemandsAndNeeds {
    let saved = london_date(subject.revision.at);
    DemandsAndNeeds {
        head: documents::subject_head(app, DocumentKind::DemandsAndNeeds.title(), subject, saved),
        to: addressee(subject),
        needs: subject.needs(),
        cover: subject.cover(),
    }
}

/// Returns the receipt of the payment `document.subject_id`, which paid for the policy or a change.
fn receipt(
    app: &App,
    tx: &impl Read,
    document: &Document,
    subject: &DocumentSubject,
) -> Result<Receipt, AppError> {
    let policy = subject.policy.as_ref().ok_or(AppError::NotFound)?;
    let title = &subject.product.info().product_title;
    let payment = match document.subject_id {
        Some(id) => tables::PAYMENTS.get(tx, &id)?,
        None => None,
    };
    let paid_at = payment.as_ref().and_then(|payment| payment.paid_at);
    let lost = match &payment {
        Some(payment) => balance_of(tx, payment.id)?.unrefunded_loss(),
        None => Pence::ZERO,
    };
    // The first payment of a plan is a part of the price.
    let first = payment
        .as_ref()
        .and_then(|payment| match payment.frequency {
            PaymentFrequency::Monthly { payments } => Some((payment.amount, payments)),
            PaymentFrequency::Annual => None,
        });
    let change = match payment.and_then(|payment| payment.purpose.change()) {
        Some(id) => tables::ADJUSTMENTS.get(tx, &id)?,
        None => None,
    };
    let (agreed, bought, price) = match &change {
        Some(change) => (
            change.agreed.unwrap_or(document.created),
            format!("{title}, changed from {}", format_long(change.effective)),
            sum(&change.figures.lines, change.figures.amount),
        ),
        None => (policy.purchased, title.clone(), price(subject.price()?)),
    };
    let paid_on = london_date(paid_at.unwrap_or(agreed));
    let term = format!(
        "{} to {}",
        format_long(policy.inception),
        format_long(policy.expiry)
    );
    let mut facts = vec![
        TableRow::new("Paid on", format_long(paid_on)),
        TableRow::new("For", bought),
        TableRow::new("Policy number", &subject.quote.reference),
        TableRow::new("Term", term),
        TableRow::new("Paid by", "Card"),
    ];
    facts.extend(
        document
            .subject_id
            .map(|payment| TableRow::new("Payment", payment.to_string())),
    );
    if lost > Pence::ZERO {
        facts.push(TableRow::new("Given back by your bank", lost.to_string()));
    }
    if let Some((_, payments)) = first {
        facts.push(TableRow::new("Monthly payment", format!("1 of {payments}")));
    }
    Ok(Receipt {
        head: documents::subject_head(app, document.kind.title(), subject, paid_on),
        to: addressee(subject),
        facts,
        paid: first.map_or(price.total.clone(), |(amount, _)| amount.to_string()),
        total_label: first.map_or("Paid", |_| "To be paid in all").to_string(),
        price,
    })
}

/// Returns the change that created the document's revision.
fn change_made(tx: &impl Read, document: &Document) -> Result<Option<Adjustment>, AppError> {
    let changes = adjustments(tx, document.policy)?.into_iter();
    let mut made = changes.filter(|change| change.revision == Some(document.revision));
    Ok(made.next())
}

/// Returns whether the revision is the accepted revision. Returns true if the quote was never
/// accepted.
fn is_first(subject: &DocumentSubject, revision: u32) -> bool {
    let accepted = subject.quote.accepted.as_ref();
    accepted.is_none_or(|accepted| accepted.revision == revision)
}

/// Returns the date on a schedule. For the bought revision, the date is the day of purchase. For
/// another revision, the date is the day on which the document was ordered.
fn date_of(document: &Document, subject: &DocumentSubject) -> NaiveDate {
    match &subject.policy {
        Some(policy) if is_first(subject, document.revision) => london_date(policy.purchased),
        _ => london_date(document.created),
    }
}

/// Formats a time in London: `21 November 2026 at 15:30`.
fn moment(time: DateTime<Utc>) -> String {
    let local = time.with_timezone(&London);
    format!(
        "{} at {}",
        format_long(local.date_naive()),
        local.format("%H:%M")
    )
}

/// Returns the customer's declarations and the product's assumptions.
fn declarations(product: &Product) -> Vec<Points> {
    let datasets = product.form().datasets.into_iter();
    let statements: Vec<String> = datasets.flat_map(|dataset| dataset.statements).collect();
    let mut parts = Vec::new();
    if !statements.is_empty() {
        parts.push(Points {
            title: "What you declared".to_string(),
            intro: String::new(),
            points: statements,
        });
    }
    parts.extend(product.info().assumptions.as_ref().map(|assumed| Points {
        title: assumed.title.clone(),
        intro: assumed.intro.clone().unwrap_or_default(),
        points: assumed.points.clone(),
    }));
    parts
}
