//! Checks for `layby check` whether each document's blob exists and is undamaged.

use futures_util::{StreamExt, stream};
use tokio::runtime::Handle;

use crate::app::documents::storage::contents::is_named;
use crate::integrations::blobs::{BlobStore, ContentError};
use crate::store::tables::{self, Content};
use crate::store::{AnyTable, ReadTx, StoreError};

/// The maximum number of blobs read at the same time.
const MAX_CONCURRENT_READS: usize = 8;
/// Blobs between two reports of progress.
const PROGRESS_INTERVAL: usize = 200;

/// The blob store and the runtime that reads it.
#[derive(Clone, Copy)]
pub struct BlobReport<'a> {
    pub contents: &'a BlobStore,
    /// The runtime of the asynchronous reads. The check itself runs on a thread that may block.
    pub runtime: &'a Handle,
}

/// A result of the check.
pub(in crate::app) enum CheckState {
    /// A blob that is missing or damaged.
    Mistake(String),
    /// Number of blobs read so far.
    Count(u64),
    /// Number of blobs that no row names.
    Unnamed(u64),
}

/// Reason why the blob store can't be read at all.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Away(String);

/// Reads every blob that a row names, and counts the blobs that no row names.
pub(in crate::app) fn check_contents<E: From<StoreError> + From<Away>>(
    tx: &ReadTx,
    report: BlobReport<'_>,
    find: &mut dyn FnMut(CheckState) -> Result<(), E>,
) -> Result<(), E> {
    let (documents, products) = (tables::DOCUMENT_CONTENTS, tables::PRODUCT_CONTENTS);
    let document_contents = documents.rows(tx, &()).map(|row| {
        let (id, content) = row?;
        Ok((documents.name(), id.to_string(), content))
    });
    let product_contents = products.rows(tx, &()).map(|row| {
        let ((hash, name), content) = row?;
        Ok((products.name(), format!("{hash} {name}"), content))
    });
    let (mut named, mut count) = (document_contents.chain(product_contents), 0);
    loop {
        let batch = named.by_ref().take(PROGRESS_INTERVAL);
        let batch = batch.collect::<Result<Vec<Named>, StoreError>>()?;
        if batch.is_empty() {
            break;
        }
        count += batch.len() as u64;
        read(report, batch, find)?;
        find(CheckState::Count(count))?;
    }
    match unnamed::<E>(tx, report)? {
        0 => Ok(()),
        unnamed => find(CheckState::Unnamed(unnamed)),
    }
}

/// A table's name, the key of its row, and the blob of that row.
type Named = (&'static str, String, Content);

/// Reads some blobs, and reports missing and damaged blobs.
fn read<E: From<Away>>(
    report: BlobReport<'_>,
    batch: Vec<Named>,
    find: &mut dyn FnMut(CheckState) -> Result<(), E>,
) -> Result<(), E> {
    let read = stream::iter(batch)
        .map(|named| async move {
            let found = report.contents.get(&named.2.sha256).await;
            (named, found)
        })
        .buffered(MAX_CONCURRENT_READS)
        .collect::<Vec<_>>();
    for ((table, key, content), found) in report.runtime.block_on(read) {
        let wrong = match found {
            Ok(bytes) if bytes.len() as u64 == content.size => continue,
            Ok(bytes) => format!("it has {} bytes, not {}", bytes.len(), content.size),
            Err(ContentError::Away(why)) => return Err(Away(why).into()),
            Err(lost) => lost.to_string(),
        };
        find(CheckState::Mistake(format!(
            "the document of a row of table {table} is lost: {wrong}; its key is {key}"
        )))?;
    }
    Ok(())
}

/// Counts the blobs that no row names.
fn unnamed<E: From<StoreError> + From<Away>>(
    tx: &ReadTx,
    report: BlobReport<'_>,
) -> Result<u64, E> {
    let (mut listed, mut count) = (report.contents.list(), 0);
    while let Some(blob) = report.runtime.block_on(listed.next()) {
        let blob = blob.map_err(|error| Away(error.to_string()))?;
        count += u64::from(!is_named(tx, &blob.sha256)?);
    }
    Ok(count)
}
