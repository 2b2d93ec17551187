//! Copies a whole store into an empty one, of the same engine or the other.

use crate::config::StoreSettings;
use crate::secret::Secret;
use crate::store::backup::{DumpSummary, NewStoreFile, RowHash, row_batches};
use crate::store::batches::{ALL, key_after, next_batch};
use crate::store::engine::{Engine, Read};
use crate::store::error::StoreError;
use crate::store::tables;

/// The target of a copy.
pub enum Target<'a> {
    /// A new file.
    File(NewStoreFile),
    /// An empty database, or an empty schema.
    Database(&'a Secret, &'a StoreSettings),
}

/// Copies every row of `from`, reads the copy again, and compares them. Calls `say` with the number of
/// rows copied so far. The caller has the store alone.
pub(super) fn copy(
    from: &Engine,
    target: Target<'_>,
    say: &mut dyn FnMut(u64),
) -> Result<DumpSummary, StoreError> {
    let mut file = match target {
        Target::Database(url, settings) => {
            return fill(
                from,
                &Engine::in_database(url.expose(), settings, None)?,
                say,
            );
        }
        Target::File(file) => file,
    };
    let batches = row_batches(from.inspect()?).map(|batch| {
        renew_heartbeat(from)?;
        batch
    });
    let copied = file.fill(batches, say)?;
    file.verify(&copied)?;
    file.name()?;
    Ok(copied)
}

/// Over a database, renews this node's heartbeat, so that a starting node doesn't consider this node dead.
fn renew_heartbeat(engine: &Engine) -> Result<(), StoreError> {
    if engine.opens_at_once() {
        return Ok(());
    }
    engine.write(|_| {})
}

/// Copies into an empty database.
///
/// Copies the description last, because the description marks the target as a store. So no program uses
/// an interrupted copy as a store. The next copy begins from the first row.
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
        renew_heartbeat(from)?;
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
    let (expected, found) = (RowHash::hash_view(&rows)?, RowHash::hash_view(&to.read()?)?);
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
