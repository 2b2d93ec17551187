//! Documents. Those of a product's version are printed once, when they are first asked for, and
//! are anybody's to read. Those of a policy are called for by the transaction that makes them
//! due, made by jobs, and kept.

mod gather;
mod letters;
mod of_policy;
mod of_product;
mod printing;
mod reading;

pub use of_policy::{Listed, ListedGroup, Listing};
pub use printing::Printing;
pub use reading::Printed;

pub(super) use of_policy::queue_at_sale;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{AppError, rows};
use crate::app::work::queue::enqueue;
use crate::domain::deterministic_id;
use crate::domain::document::{Document, DocumentKind};
use crate::domain::policy::Policy;
use crate::store::tables::Task;
use crate::store::{WriteTx, tables};

/// Calls for a document. Calling again for the same one changes nothing.
///
/// `about` is the payment, adjustment or cancellation it speaks of, where a revision can have
/// several.
///
/// # Errors
/// When the store fails.
pub(super) fn queue(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    kind: DocumentKind,
    revision: u32,
    about: Option<Uuid>,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let document = Document {
        id: id_of(policy, kind, revision, about),
        policy,
        kind,
        revision,
        about,
        about_revision: None,
        created: now,
        made: None,
    };
    call_for(tx, &document)
}

/// Calls for the notice of a policy's renewal: one for each revision of the quote that a letter
/// speaks of.
///
/// # Errors
/// When the store fails.
pub(super) fn queue_notice(
    tx: &mut WriteTx<'_>,
    policy: &Policy,
    renewal: Uuid,
    number: u32,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let (kind, revision) = (DocumentKind::Renewal, policy.revision);
    let spoken_of = deterministic_id::of_parts(&[renewal.as_bytes(), &number.to_be_bytes()]);
    let document = Document {
        id: id_of(policy.uuid, kind, revision, Some(spoken_of)),
        policy: policy.uuid,
        kind,
        revision,
        about: Some(renewal),
        about_revision: Some(number),
        created: now,
        made: None,
    };
    call_for(tx, &document)
}

fn call_for(tx: &mut WriteTx<'_>, document: &Document) -> Result<(), AppError> {
    let id = document.id;
    if tables::DOCUMENTS.has(tx, &id)? {
        return Ok(());
    }
    rows::documents::put(tx, document)?;
    let task = Task::MakeDocument { document: id };
    enqueue(tx, task, document.created, id)
}

/// A document's id, always the same for the same document: what writes it may run twice.
fn id_of(policy: Uuid, kind: DocumentKind, revision: u32, about: Option<Uuid>) -> Uuid {
    let about = about.unwrap_or_default();
    deterministic_id::of_parts(&[
        policy.as_bytes(),
        kind.word().as_bytes(),
        &revision.to_be_bytes(),
        about.as_bytes(),
    ])
}
