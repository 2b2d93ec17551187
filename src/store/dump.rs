//! Copies a whole store into an empty one, of the same engine or the other.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::config::StoreSettings;
use crate::secret::Secret;
use crate::store::engine::{Direction, Engine, Read, ReadTx};
use crate::store::error::StoreError;
use crate::store::tables;

/// Rows after which a batch is full.
const BATCH_ROWS: usize = 1000;
/// Bytes of values after which a batch is full. A slow database writes such a batch within one time-out.
pub(super) const BATCH_BYTES: usize = 256 << 10;
/// Bounds before and after the keys of all tables.
const ALL: (&[u8], &[u8]) = (&[], &[u8::MAX]);

/// The target of a copy.
#[derive(Clone, Copy, Debug)]
pub enum Target<'a> {
    /// A file that doesn't exist yet.
    File(&'a Path),
    /// An empty database, or an empty schema.
    Database(&'a Secret, &'a StoreSettings),
}

/// Row count and hash of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DumpSummary {
    /// Number of rows.
    pub rows: u64,
    /// SHA-256 of every key and value in the order of the keys, each after its length.
    pub hash: [u8; 32],
}

pub(super) type KeyValue = (Vec<u8>, Vec<u8>);

/// Copies every row of `from`, reads both stores again, and compares them. Calls `say` with the number of
/// rows copied so far.
///
/// Copies the description last, because the description marks the target as a store. So no program uses
/// an interrupted copy as a store. The next copy begins from the first row.
pub(super) fn copy(
    from: &Engine,
    target: Target<'_>,
    say: &mut dyn FnMut(u64),
) -> Result<DumpSummary, StoreError> {
    let path = match target {
        Target::Database(url, settings) => {
            return fill(
                from,
                &Engine::in_database(url.expose(), settings, None)?,
                say,
            );
        }
        Target::File(path) => path,
    };
    if path.exists() {
        return Err(StoreError::NotEmpty);
    }
    let unfinished = temporary_path(path);
    match fs::remove_file(&unfinished) {
        Err(why) if why.kind() != ErrorKind::NotFound => return Err(StoreError::disk(why)),
        _ => {}
    }
    let copied = {
        let engine = Engine::open(&unfinished)?;
        fill(from, &engine, say)?
    };
    fs::rename(&unfinished, path).map_err(StoreError::disk)?;
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = File::open(folder.unwrap_or(Path::new(".")));
    folder
        .and_then(|folder| folder.sync_all())
        .map_err(StoreError::disk)?;
    Ok(copied)
}

fn fill(from: &Engine, to: &Engine, say: &mut dyn FnMut(u64)) -> Result<DumpSummary, StoreError> {
    if tables::DESCRIPTION.has(&to.read()?, &())? {
        return Err(StoreError::NotEmpty);
    }
    empty(to)?;
    let (rows, about_key) = (from.read()?, tables::DESCRIPTION.key(&()));
    let (mut start, mut copied) = (ALL.0.to_vec(), 0);
    loop {
        let (batch, is_last) = next_batch(&rows, &start, ALL.1)?;
        to.write_one(|tx| {
            for (key, value) in batch.iter().filter(|(key, _)| *key != about_key) {
                tx.put(key.clone(), value.clone());
            }
            Ok(())
        })?;
        copied += batch.len() as u64;
        say(copied);
        if !from.opens_at_once() {
            // Over a database, renews this node's heartbeat, so that a starting node doesn't consider
            // this node dead.
            from.write(|_| {})?;
        }
        match batch.last() {
            Some((key, _)) if !is_last => start = key_after(key),
            _ => break,
        }
    }
    let mut whole = Vec::new();
    rows.get(&about_key, &mut |value| whole = value.to_vec())?;
    to.write_one(|tx| {
        tx.put(about_key.clone(), whole.clone());
        Ok(())
    })?;
    let (expected, found) = (contents(&rows)?, contents(&to.read()?)?);
    if expected != found {
        // Without its description, the target is no store.
        to.write_one(|tx| {
            tx.delete(about_key.clone());
            Ok(())
        })?;
        return Err(StoreError::CopyDiffers);
    }
    Ok(found)
}

/// Returns the name of the file during the copy.
fn temporary_path(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".part");
    path.with_file_name(name)
}

/// Removes all rows of a store without a description. An interrupted copy left these rows.
fn empty(engine: &Engine) -> Result<(), StoreError> {
    loop {
        let (rows, _) = next_batch(&engine.read()?, ALL.0, ALL.1)?;
        if rows.is_empty() {
            return Ok(());
        }
        engine.write_one(|tx| {
            for (key, _) in &rows {
                tx.delete(key.clone());
            }
            Ok(())
        })?;
    }
}

/// Returns the first rows of a range, up to a full batch, and whether the range has no more rows.
pub(super) fn next_batch(
    tx: &impl Read,
    from: &[u8],
    to: &[u8],
) -> Result<(Vec<KeyValue>, bool), StoreError> {
    let (mut rows, mut bytes, mut is_last) = (Vec::new(), 0, true);
    tx.scan(from, to, Direction::Forward, &mut |key, row| {
        if rows.len() >= BATCH_ROWS || bytes >= BATCH_BYTES {
            is_last = false;
            return ControlFlow::Break(());
        }
        bytes += row.len();
        rows.push((key.to_vec(), row.to_vec()));
        ControlFlow::Continue(())
    })?;
    Ok((rows, is_last))
}

/// Returns the smallest key that sorts after `key`.
pub(super) fn key_after(key: &[u8]) -> Vec<u8> {
    [key, &[0]].concat()
}

/// Returns the row count and the hash of all rows.
fn contents(rows: &ReadTx) -> Result<DumpSummary, StoreError> {
    let (mut count, mut hash) = (0, Sha256::new());
    rows.scan(ALL.0, ALL.1, Direction::Forward, &mut |key, value| {
        count += 1;
        for part in [key, value] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        ControlFlow::Continue(())
    })?;
    Ok(DumpSummary {
        rows: count,
        hash: hash.finalize().into(),
    })
}
