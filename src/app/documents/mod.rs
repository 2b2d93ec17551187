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

use super::AppError;
use super::payments::enqueue;
use crate::domain::derived;
use crate::domain::document::{Document, DocumentKind};
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
    let id = id_of(policy, kind, revision, about);
    if tables::DOCUMENTS.has(tx, &id)? {
        return Ok(());
    }
    let document = Document {
        id,
        policy,
        kind,
        revision,
        about,
        created: now,
        made: None,
    };
    tables::DOCUMENTS.put(tx, &id, &document)?;
    tables::DOCUMENT_BY_POLICY.put(tx, &(policy, id), &())?;
    enqueue(tx, Task::MakeDocument { document: id }, now, id)
}

/// A document's id, always the same for the same document: what writes it may run twice.
fn id_of(policy: Uuid, kind: DocumentKind, revision: u32, about: Option<Uuid>) -> Uuid {
    let about = about.unwrap_or_default();
    derived::id(&[
        policy.as_bytes(),
        kind.word().as_bytes(),
        &revision.to_be_bytes(),
        about.as_bytes(),
    ])
}
