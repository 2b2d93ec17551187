//! Checks for `layby check` whether each document's blob exists and is undamaged.

use futures_util::{StreamExt, stream};
use tokio::runtime::Handle;
use uuid::Uuid;

use crate::app::documents::storage::contents::is_named;
use crate::integrations::blobs::{BlobStore, ContentError};
use crate::store::tables::{self, Content};
use crate::store::{AnyTable, Key, ReadTx, StoreError, Table};

/// The maximum number of blobs read at the same time.
const MAX_CONCURRENT_READS: usize = 8;
/// Blobs of one view of the store. The check reports its progress after each batch.
const BATCH_SIZE: usize = 200;

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

/// Opens a view of the store. A row of a document never changes, so each batch has a view of its own, and the
/// store's file need not grow during the check.
pub(in crate::app) type OpenView<'a> = &'a dyn Fn() -> Result<ReadTx, StoreError>;

/// Reads every blob that a row names, and counts the blobs that no row names.
pub(in crate::app) fn check_contents<E: From<StoreError> + From<Away>>(
    open_view: OpenView<'_>,
    report: BlobReport<'_>,
    find: &mut dyn FnMut(CheckState) -> Result<(), E>,
) -> Result<(), E> {
    let mut count = 0;
    let documents = tables::DOCUMENT_CONTENTS;
    check_table(
        &documents,
        Uuid::to_string,
        open_view,
        report,
        &mut count,
        find,
    )?;
    let products = tables::PRODUCT_CONTENTS;
    let key_text = |(hash, name): &(String, String)| format!("{hash} {name}");
    check_table(&products, key_text, open_view, report, &mut count, find)?;
    match unnamed::<E>(open_view, report)? {
        0 => Ok(()),
        unnamed => find(CheckState::Unnamed(unnamed)),
    }
}

/// Reads every blob that a row of one table names.
fn check_table<K: Key, E: From<StoreError> + From<Away>>(
    table: &Table<K, Content>,
    key_text: impl Fn(&K) -> String,
    open_view: OpenView<'_>,
    report: BlobReport<'_>,
    count: &mut u64,
    find: &mut dyn FnMut(CheckState) -> Result<(), E>,
) -> Result<(), E> {
    let mut last = None;
    loop {
        let rows = table.list_readable_after(&open_view()?, last.as_ref(), BATCH_SIZE)?;
        let batch = rows
            .iter()
            .map(|(key, content)| (table.name(), key_text(key), content.clone()));
        let batch: Vec<Named> = batch.collect();
        if batch.is_empty() {
            return Ok(());
        }
        last = rows.into_iter().last().map(|(key, _)| key);
        *count += batch.len() as u64;
        read(report, batch, find)?;
        find(CheckState::Count(*count))?;
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
    open_view: OpenView<'_>,
    report: BlobReport<'_>,
) -> Result<u64, E> {
    let (mut listed, mut count) = (report.contents.list().chunks(BATCH_SIZE), 0);
    while let Some(blobs) = report.runtime.block_on(listed.next()) {
        let tx = open_view()?;
        for blob in blobs {
            let blob = blob.map_err(|error| Away(error.to_string()))?;
            count += u64::from(!is_named(&tx, &blob.sha256)?);
        }
    }
    Ok(count)
}
