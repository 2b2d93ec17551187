//! Upgrades a store of an older schema to this program's schema.
//!
//! Upgrades rows in batches. Each batch is one transaction, which also stores the progress in the store's
//! description ([`StoreDescription`]). An interrupted upgrade continues after the last committed batch,
//! so each row is upgraded once.

mod copy;
pub(crate) mod migration;
pub(crate) mod migrations;
#[cfg(test)]
mod tests;

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use chrono::{DateTime, Utc};

use super::description::{Progress, StoreDescription};
use super::error::StoreError;
use super::registry::table_name;
use super::room::free_bytes;
use super::tables;
use crate::config::StoreSettings;
use crate::secret::Secret;
use crate::store::batches::{key_after, next_batch};
use crate::store::engine::location::COMMAND_CACHE_BYTES;
use crate::store::engine::open_error::InspectedFile;
use crate::store::engine::{Direction, Engine, Read, WriteTx};
use crate::store::inspect::{about_in_database, about_in_file, describe_file, read_description};
use crate::store::redb::repair::Repair;
use crate::store::upgrade::migrations::{FIRST_SCHEMA, Migration, NewRows, OldRow, Walk, newest};

/// A store, and the steps to the newest schema.
pub struct Upgrade {
    source: UpgradeSource,
    description: StoreDescription,
    steps: &'static [Migration],
}

/// Where the store is.
enum UpgradeSource {
    /// In a file that no process has open. The upgrade first copies the file.
    File(PathBuf),
    /// In a database. No other process can use the store during the upgrade. The upgrade makes no copy,
    /// because the database has its own backups.
    Database(Engine),
}

/// A completed part of an upgrade.
#[derive(Debug)]
pub enum Done<'a> {
    /// The store was copied.
    Copy(&'a Path),
    /// The copy was removed, since the upgrade failed before it changed a row.
    CopyRemoved(&'a Path),
    /// All rows of a step are upgraded.
    Step(&'a Migration),
}

impl Upgrade {
    /// Reads the description of the store at `path`, and changes no row. First repairs the file after an
    /// unclean shutdown. `steps` are all known steps.
    ///
    /// # Errors
    /// If the store is in use, damaged or no store. If the store's shape is unreleased, or its schema is
    /// newer than the steps.
    pub fn look(path: &Path, steps: &'static [Migration]) -> Result<Self, StoreError> {
        Self::new(
            UpgradeSource::File(path.to_owned()),
            describe_file(path)?,
            steps,
        )
    }

    /// Reads the description of the store in the database at `url`. No other process can use the store
    /// until the result is dropped.
    ///
    /// # Errors
    /// As [`Upgrade::look`]. Also if the database can't be used.
    pub fn look_in_database(
        url: &Secret,
        settings: &StoreSettings,
        steps: &'static [Migration],
    ) -> Result<Self, StoreError> {
        let engine = Engine::in_database(url.expose(), settings, None)?;
        let description = about_in_database(&engine)?;
        Self::new(UpgradeSource::Database(engine), description, steps)
    }

    fn new(
        place: UpgradeSource,
        description: Option<StoreDescription>,
        steps: &'static [Migration],
    ) -> Result<Self, StoreError> {
        let schema = newest(steps);
        let description = description.unwrap_or_else(|| StoreDescription::complete(schema));
        description.may_be_upgraded(schema)?;
        if description.upgrade.is_some() && description.schema == FIRST_SCHEMA {
            return Err(no_step(FIRST_SCHEMA));
        }
        Ok(Self {
            source: place,
            description,
            steps,
        })
    }

    /// Returns the store's description before the upgrade.
    #[must_use]
    pub fn description(&self) -> &StoreDescription {
        &self.description
    }

    /// Returns the remaining steps. An interrupted step is the first of them.
    #[must_use]
    pub fn steps(&self) -> &'static [Migration] {
        let unfinished = u32::from(self.description.upgrade.is_some());
        let done = self.description.schema - FIRST_SCHEMA - unfinished;
        self.steps.get(done as usize..).unwrap_or_default()
    }

    /// Returns the schema after all steps.
    #[must_use]
    pub fn newest(&self) -> u32 {
        newest(self.steps)
    }

    /// Returns the tables that a step walks, by number, and the current row count of each.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn plan(&self, step: &Migration) -> Result<Vec<(u8, u64)>, StoreError> {
        let file = match &self.source {
            UpgradeSource::File(path) => {
                InspectedFile::inspect(path, COMMAND_CACHE_BYTES, &Repair::default())?
            }
            UpgradeSource::Database(_) => None,
        };
        let tx = match (&self.source, &file) {
            (UpgradeSource::Database(engine), _) => Some(engine.read()?),
            (UpgradeSource::File(_), file) => file.as_ref().map(|file| file.rows.clone()),
        };
        let count = |table: u8| {
            let mut rows = 0;
            if let Some(tx) = &tx {
                let visit = &mut |_: &[u8], _: &[u8]| {
                    rows += 1;
                    ControlFlow::Continue(())
                };
                let (from, to) = range_of(table, None);
                tx.scan(&from, &to, Direction::Forward, visit)?;
            }
            Ok((table, rows))
        };
        step.walks.iter().map(|walk| count(walk.table)).collect()
    }

    /// Returns the path of the copy for an upgrade that begins at `now`, or of an interrupted upgrade's
    /// copy. Returns `None` for a database.
    #[must_use]
    pub fn copy(&self, now: DateTime<Utc>) -> Option<PathBuf> {
        let UpgradeSource::File(path) = &self.source else {
            return None;
        };
        Some(match &self.description.upgrade {
            Some(progress) => path.with_file_name(&progress.copy),
            None => copy::copy_path(path, self.description.schema, now),
        })
    }

    /// Copies a store in a file, unless an interrupted upgrade did so, and runs the remaining steps. Does
    /// nothing if no step remains.
    ///
    /// # Errors
    /// If the store is in use, or has changed since [`Upgrade::look`]. If the disk is too full for the
    /// copy. If the copy can't be made, the store fails, or a row can't be upgraded. After an error,
    /// another run begins or continues the upgrade. The copy is removed if this run changed no row, unless
    /// the disk or the store may be damaged.
    pub fn run(&self, now: DateTime<Utc>, say: &mut dyn FnMut(Done<'_>)) -> Result<(), StoreError> {
        let path = match &self.source {
            _ if self.steps().is_empty() => return Ok(()),
            UpgradeSource::Database(engine) => return run(engine, self.steps, "", say),
            UpgradeSource::File(path) => path,
        };
        let copy = self.copy(now).unwrap_or_default();
        let name = copy.file_name().unwrap_or_default().to_string_lossy();
        if self.description.upgrade.is_some() {
            return run(&self.open(path)?, self.steps, &name, say);
        }
        self.make_copy(path, &copy)?;
        say(Done::Copy(&copy));
        let done = self
            .open(path)
            .and_then(|engine| run(&engine, self.steps, &name, say));
        if let Err(why) = &done
            && self.is_untouched(path, why)
            && fs::remove_file(&copy).is_ok()
        {
            say(Done::CopyRemoved(&copy));
        }
        done
    }

    fn make_copy(&self, path: &Path, copy: &Path) -> Result<(), StoreError> {
        // No other process can open the store for writing while it is open here.
        let file = InspectedFile::inspect(path, COMMAND_CACHE_BYTES, &Repair::default())?
            .ok_or(StoreError::Changed)?;
        self.check_unchanged(about_in_file(&file)?.as_ref())?;
        copy::copy(path, copy, free_bytes)
    }

    /// Opens the store for writing. Fails if another `layby migrate` has changed the store since
    /// [`Upgrade::look`].
    fn open(&self, path: &Path) -> Result<Engine, StoreError> {
        let engine = Engine::open(path)?;
        self.check_unchanged(Some(&read_description(&engine)?))?;
        Ok(engine)
    }

    fn check_unchanged(&self, description: Option<&StoreDescription>) -> Result<(), StoreError> {
        if description == Some(&self.description) {
            Ok(())
        } else {
            Err(StoreError::Changed)
        }
    }

    /// Returns whether the copy is useless after an upgrade failed with `why`. The copy is useless if the
    /// upgrade surely changed no row.
    fn is_untouched(&self, path: &Path, why: &StoreError) -> bool {
        match why {
            // Another process uses or has changed the store. A process that upgrades the store makes its own
            // copy.
            StoreError::InUse | StoreError::Changed => true,
            // The disk may be damaged, and the copy may be the better file.
            StoreError::Disk(_) | StoreError::Damaged | StoreError::Engine(_) => false,
            _ => describe_file(path)
                .is_ok_and(|description| description.as_ref() == Some(&self.description)),
        }
    }
}

/// Runs the remaining steps, batch after batch.
fn run(
    engine: &Engine,
    steps: &[Migration],
    copy: &str,
    say: &mut dyn FnMut(Done<'_>),
) -> Result<(), StoreError> {
    while let Some(step) = next(&read_description(engine)?, steps)? {
        let is_last = step.schema == newest(steps);
        if engine.write_one(|tx| one_batch(tx, step, is_last, copy))? {
            say(Done::Step(step));
        }
    }
    Ok(())
}

/// Returns the step in progress, or the next step. Returns `None` if the store has the newest schema.
fn next<'a>(
    description: &StoreDescription,
    steps: &'a [Migration],
) -> Result<Option<&'a Migration>, StoreError> {
    let schema = description.schema + u32::from(description.upgrade.is_none());
    if schema > newest(steps) {
        return Ok(None);
    }
    let step = steps.iter().find(|step| step.schema == schema);
    step.map(Some).ok_or_else(|| no_step(schema))
}

/// Returns the error for an upgrade to a schema to which no step leads.
fn no_step(to: u32) -> StoreError {
    StoreError::Row {
        table: "description",
        detail: format!("it names an upgrade to schema {to}, and no step leads there"),
    }
}

/// Runs one batch of a step in a transaction. Returns `true` if the step is complete. The next step is
/// then in progress, unless this step was the last.
fn one_batch(
    tx: &mut WriteTx<'_>,
    step: &Migration,
    is_last_step: bool,
    copy: &str,
) -> Result<bool, StoreError> {
    let description = tables::DESCRIPTION.get(tx, &())?;
    let new_progress = |copy: String| Progress {
        walk: 0,
        after: None,
        copy,
    };
    let under_way = description.and_then(|description| description.upgrade);
    let mut progress = under_way.unwrap_or_else(|| new_progress(copy.to_string()));
    let walk = step.walks.get(progress.walk as usize);
    if let Some(walk) = walk {
        let wrong = |detail| StoreError::Step {
            schema: step.schema,
            table: table_name(walk.table),
            detail,
        };
        let (from, to) = range_of(walk.table, progress.after.as_deref());
        let (rows, is_last) = next_batch(tx, &from, &to)?;
        for (key, stored) in &rows {
            upgrade_row(tx, walk, key, stored).map_err(wrong)?;
        }
        if is_last {
            progress.walk += 1;
            progress.after = None;
        } else {
            progress.after = rows
                .into_iter()
                .next_back()
                .map(|(key, _)| Bytes::from(key));
        }
    }
    let is_done = progress.walk as usize >= step.walks.len();
    let description = match (is_done, is_last_step) {
        (true, true) => StoreDescription::complete(step.schema),
        (true, false) => StoreDescription {
            upgrade: Some(new_progress(progress.copy)),
            ..StoreDescription::complete(step.schema + 1)
        },
        (false, _) => StoreDescription {
            upgrade: Some(progress),
            ..StoreDescription::complete(step.schema)
        },
    };
    tables::DESCRIPTION.put(tx, &(), &description)?;
    Ok(is_done)
}

fn upgrade_row(tx: &mut WriteTx<'_>, walk: &Walk, key: &[u8], stored: &[u8]) -> Result<(), String> {
    let old = OldRow::read(key, stored)?;
    let mut new = NewRows::default();
    (walk.row)(&old, &mut new)?;
    // The row's version after the walk. `None` if the step deletes the row.
    let mut version = Some(old.version);
    for (changed, row) in new.into_changes() {
        if changed == key {
            version = row.as_ref().and_then(|row| row.first().copied());
        } else if row.is_some() && changed.first() == Some(&walk.table) {
            return Err("the step puts another row into the table that it walks".to_string());
        }
        match row {
            Some(row) => tx.put(changed, row),
            None => tx.delete(changed),
        }
    }
    match version {
        Some(version) if version != walk.version => Err(format!(
            "after the step it has version {version}, and the rows of its table have version {}",
            walk.version
        )),
        _ => Ok(()),
    }
}

/// Returns the key range of a table, from the first key after `after` or from the table's beginning.
fn range_of(table: u8, after: Option<&[u8]>) -> (Vec<u8>, Vec<u8>) {
    let from = after.map_or_else(|| vec![table], key_after);
    (from, super::table::after(&[table]))
}
