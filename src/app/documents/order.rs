//! Orders documents of policies and quotes: writes a row for each document, and queues a job that
//! renders the document.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::AppError;
use crate::app::jobs::queue::enqueue;
use crate::domain::deterministic_id;
use crate::domain::document::{Document, DocumentKind};
use crate::domain::policy::Policy;
use crate::store::WriteTx;
use crate::store::tables::{self, Task};

/// Orders a document. Changes nothing if the document was ordered before.
///
/// `subject_id` is the document's payment, adjustment or cancellation. One revision can have
/// several documents of a kind, each with another `subject_id`.
///
/// # Errors
/// Fails if the store fails.
pub(in crate::app) fn order(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    kind: DocumentKind,
    revision: u32,
    subject_id: Option<Uuid>,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let document = Document {
        id: document_id(policy, kind, revision, subject_id),
        policy,
        kind,
        revision,
        subject_id,
        subject_revision: None,
        created: now,
        made: None,
    };
    put_if_new(tx, &document)
}

/// Orders the notice about revision `number` of the quote `renewal`. Changes nothing if the notice
/// was ordered before.
///
/// # Errors
/// Fails if the store fails.
pub(in crate::app) fn order_renewal_notice(
    tx: &mut WriteTx<'_>,
    policy: &Policy,
    renewal: Uuid,
    number: u32,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let (kind, revision) = (DocumentKind::Renewal, policy.revision);
    let spoken_of = deterministic_id::id_from_parts(&[renewal.as_bytes(), &number.to_be_bytes()]);
    let document = Document {
        id: document_id(policy.uuid, kind, revision, Some(spoken_of)),
        policy: policy.uuid,
        kind,
        revision,
        subject_id: Some(renewal),
        subject_revision: Some(number),
        created: now,
        made: None,
    };
    put_if_new(tx, &document)
}

fn put_if_new(tx: &mut WriteTx<'_>, document: &Document) -> Result<(), AppError> {
    let id = document.id;
    if tables::DOCUMENTS.has(tx, &id)? {
        return Ok(());
    }
    tables::DOCUMENTS.put_new(tx, &id, document)?;
    let task = Task::MakeDocument { document: id };
    enqueue(tx, task, document.created, id)
}

/// Returns a document's id, which is computed from the arguments. So a transaction that runs twice
/// orders one document.
pub(in crate::app) fn document_id(
    policy: Uuid,
    kind: DocumentKind,
    revision: u32,
    subject_id: Option<Uuid>,
) -> Uuid {
    let subject_id = subject_id.unwrap_or_default();
    deterministic_id::id_from_parts(&[
        policy.as_bytes(),
        kind.word().as_bytes(),
        &revision.to_be_bytes(),
        subject_id.as_bytes(),
    ])
}

/// Orders the schedule, the demands and needs statement and the receipt of a sale, and the plan of a policy
/// that is paid monthly.
///
/// # Errors
/// Fails if the store fails.
pub(in crate::app) fn order_at_sale(
    tx: &mut WriteTx<'_>,
    policy: &Policy,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let (uuid, revision) = (policy.uuid, policy.revision);
    order(tx, uuid, DocumentKind::Schedule, revision, None, now)?;
    order(tx, uuid, DocumentKind::DemandsAndNeeds, revision, None, now)?;
    let paid = Some(policy.payment);
    order(tx, uuid, DocumentKind::Receipt, revision, paid, now)?;
    if tables::PLANS.has(tx, &uuid)? {
        order(tx, uuid, DocumentKind::Plan, revision, None, now)?;
    }
    Ok(())
}
