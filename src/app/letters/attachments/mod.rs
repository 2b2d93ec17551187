//! The files that a letter about a policy carries: its documents, and a calendar file.

mod calendar;

use bytes::Bytes;
use chrono::TimeDelta;
use uuid::Uuid;

use crate::app::documents::{self, RenderedPdf, render};
use crate::app::letters::DocumentFields;
use crate::app::letters::attachments::calendar::CalendarStatus;
use crate::app::policies::PolicyContext;
use crate::app::products::help_line::help_line;
use crate::app::{App, AppError, access, page_addresses};
use crate::domain::document::{Document, DocumentKind, ProductDocument};
use crate::domain::quote::TOKENS_KEPT;
use crate::integrations::mail::Attachment;
use crate::store::tables::{self, PolicyNotification};

/// Largest size of a letter's documents together, in bytes. Larger documents are linked.
const MAX_SIZE: usize = 500_000;
/// The longest wait of a letter for its documents, less the wait between two tries of its job.
const MAX_WAIT: TimeDelta = TimeDelta::seconds(600 - 15);

/// The documents of a letter.
pub(super) enum LetterDocuments {
    /// The letter has no documents.
    None,
    /// The documents can't be read yet. The letter waits.
    NotReady,
    Attached(Vec<RenderedPdf>),
    /// The documents are too large, or could not be made in time.
    Linked {
        is_late: bool,
    },
}

/// Reads the documents that belong to the letter `news`. Makes documents that no job has made yet.
pub(super) async fn load_documents(
    app: &App,
    context: &PolicyContext,
    news: PolicyNotification,
) -> Result<LetterDocuments, AppError> {
    if !app.config.mail.attach_documents {
        return Ok(LetterDocuments::None);
    }
    let policy = context.policy.uuid;
    let rows = app.store.read(|tx| documents::rows_of(tx, policy)).await?;
    let rows = documents_for(rows, context.policy.revision, news);
    let Some(ordered) = rows.iter().map(|row| row.created).min() else {
        return Ok(LetterDocuments::None);
    };
    let mut files = Vec::new();
    for row in rows {
        match read_document(app, context, row).await {
            Ok(file) => files.push(file),
            Err(error) => return is_late_or(error, app.clock.now() - ordered),
        }
    }
    if news == PolicyNotification::Bought {
        for kind in ProductDocument::ALL {
            match documents::product_pdf(app, kind, &context.revision.product_hash).await {
                Ok(file) => files.push(file),
                Err(error) => return is_late_or(error, app.clock.now() - ordered),
            }
        }
    }
    let size: usize = files.iter().map(|file| file.pdf.len()).sum();
    Ok(if size < MAX_SIZE {
        LetterDocuments::Attached(files)
    } else {
        LetterDocuments::Linked { is_late: false }
    })
}

/// Returns the documents to wait for or to link after an error, depending on the letter's wait so far.
fn is_late_or(error: AppError, waited: TimeDelta) -> Result<LetterDocuments, AppError> {
    if matches!(error, AppError::StoreClosed(_)) {
        return Err(error);
    }
    tracing::warn!(
        error = error.log_text(),
        "a letter's document can't be read"
    );
    Ok(if waited < MAX_WAIT {
        LetterDocuments::NotReady
    } else {
        LetterDocuments::Linked { is_late: true }
    })
}

/// Returns the policy's documents that belong to a letter: the newest of each kind.
fn documents_for(rows: Vec<Document>, revision: u32, news: PolicyNotification) -> Vec<Document> {
    let kinds: &[(DocumentKind, Option<Uuid>)] = match news {
        PolicyNotification::Bought => &[(DocumentKind::Schedule, None)],
        PolicyNotification::Changed { adjustment } => &[
            (DocumentKind::Schedule, None),
            (DocumentKind::Adjustment, Some(adjustment)),
        ],
        PolicyNotification::Cancelled
        | PolicyNotification::NotTakenUp
        | PolicyNotification::CancelledByShop => &[(DocumentKind::Cancellation, None)],
        PolicyNotification::RenewalQuoted { .. } => &[(DocumentKind::Renewal, None)],
        PolicyNotification::PlanStarted | PolicyNotification::PlanChanged => {
            &[(DocumentKind::Plan, None)]
        }
        _ => &[],
    };
    let newest = |(kind, subject): &(DocumentKind, Option<Uuid>)| {
        let fits = |row: &&Document| {
            let is_own = subject.is_none() || row.subject_id == *subject;
            let is_in_force = row.kind != DocumentKind::Schedule || row.revision == revision;
            row.kind == *kind && is_own && is_in_force
        };
        rows.iter().rfind(fits).cloned()
    };
    kinds.iter().filter_map(newest).collect()
}

async fn read_document(
    app: &App,
    context: &PolicyContext,
    row: Document,
) -> Result<RenderedPdf, AppError> {
    let id = row.id;
    if row.made.is_none() {
        render::make_document(app, id).await?;
    }
    let file = app.store.read(|tx| {
        let row = tables::DOCUMENTS.get(tx, &id)?.ok_or(AppError::NotFound)?;
        documents::document_file(tx, row, &context.quote)
    });
    documents::read_pdf(&app.contents, file.await?).await
}

/// Returns the fields of a template about the letter's documents. A link to the documents of a new policy
/// works without a log-in, and opens nothing else.
pub(super) async fn document_fields(
    app: &App,
    context: &PolicyContext,
    news: PolicyNotification,
    found: &LetterDocuments,
) -> Result<Option<DocumentFields>, AppError> {
    let is_late = match found {
        LetterDocuments::None | LetterDocuments::NotReady => return Ok(None),
        LetterDocuments::Attached(files) => {
            let titles = files.iter().map(|file| file.title.to_owned());
            return Ok(Some(DocumentFields {
                attached: titles.collect(),
                page: None,
                is_late: false,
            }));
        }
        LetterDocuments::Linked { is_late } => *is_late,
    };
    let policy = context.policy.uuid;
    let page = if news == PolicyNotification::Bought {
        let (token, hash) = access::new_quote_token(policy)?;
        let write = app.store.write(move |tx| {
            let quote = tables::QUOTES.get(tx, &policy)?;
            let mut quote = quote.ok_or(AppError::NotFound)?;
            quote.document_links.push(hash.clone());
            let extra = quote.document_links.len().saturating_sub(TOKENS_KEPT);
            quote.document_links.drain(..extra);
            Ok::<_, AppError>(tables::QUOTES.put(tx, &policy, &quote)?)
        });
        write.await?;
        page_addresses::policy_documents(&app.public_url, policy, token.expose())
    } else {
        page_addresses::policy(&app.public_url, policy)
    };
    Ok(Some(DocumentFields {
        attached: Vec::new(),
        page: Some(page),
        is_late,
    }))
}

/// Returns the letter's files: its documents, and a calendar file if it begins or ends the cover.
pub(super) fn files(
    app: &App,
    context: &PolicyContext,
    news: PolicyNotification,
    found: LetterDocuments,
) -> Vec<Attachment> {
    let pdfs = match found {
        LetterDocuments::Attached(pdfs) => pdfs,
        _ => Vec::new(),
    };
    let pdfs = pdfs.into_iter().map(|file| Attachment {
        file_name: file.file_name,
        media_type: "application/pdf",
        content: file.pdf,
    });
    let status = match news {
        PolicyNotification::Bought => Some(CalendarStatus::Confirmed),
        PolicyNotification::Cancelled
        | PolicyNotification::NotTakenUp
        | PolicyNotification::CancelledByShop => Some(CalendarStatus::Cancelled),
        _ => None,
    };
    let calendar = status.map(|status| {
        let phone = help_line(&context.product, &app.config.site).phone;
        let page = page_addresses::policy(&app.public_url, context.policy.uuid);
        let text = calendar::calendar_file(context, status, &phone, &page, app.clock.now());
        Attachment {
            file_name: format!("{}.ics", context.quote.reference),
            media_type: "text/calendar; charset=utf-8",
            content: Bytes::from(text),
        }
    });
    pdfs.chain(calendar).collect()
}
