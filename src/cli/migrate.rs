//! `layby migrate`.

use std::io::Write;
use std::path::Path;

use chrono::{DateTime, Utc};
use clap::Args;
use data_encoding::HEXLOWER;

use super::print::print_line;
use super::setup::{self, AtStore, CommandError};
use crate::config::{Config, is_database};
use crate::secret::Secret;
use crate::store::{
    Done, Migration, NewStoreFile, Read, STEPS, StoreError, Target, Upgrade, table_name, tables,
};

/// Rows between two lines of progress.
const PROGRESS_INTERVAL: u64 = 50_000;

/// Upgrades an older store to this layby's schema, or copies a store. An upgrade first copies a store in a
/// file, but not a store in a database.
#[derive(Args)]
pub(super) struct Migrate {
    /// Prints what an upgrade would do, and changes nothing.
    #[arg(long)]
    dry_run: bool,
    /// Copies the store into an empty database or a new file. The store stays unchanged. Documents are not
    /// copied.
    #[arg(long, value_name = "URL|FILE", conflicts_with = "dry_run")]
    to: Option<String>,
}

impl Migrate {
    pub(super) fn run(self, config: &Config) -> Result<(), CommandError> {
        setup::require_store(config)?;
        if let Some(to) = &self.to {
            return copy(config, to);
        }
        let (path, now) = (setup::store_path(config), config.clock().now());
        let upgrade = match &config.store.url {
            Some(url) => Upgrade::look_in_database(url, &config.store, STEPS),
            None => Upgrade::look(&path, STEPS),
        };
        upgrade
            .and_then(|upgrade| execute(&upgrade, self.dry_run, now, &mut print_line))
            .map_err(|why| AtStore::new(config, why).into())
    }
}

/// Copies the store into the database or file `to`.
fn copy(config: &Config, to: &str) -> Result<(), CommandError> {
    let url = Secret::from(to.to_string());
    let store = setup::existing_store(config)?;
    let target = if is_database(to) {
        Target::Database(&url, &config.store)
    } else {
        let file = NewStoreFile::create(Path::new(to), 0, false);
        Target::File(file.map_err(|why| format!("--to: {why}"))?)
    };
    let mut last_reported = 0;
    let copied = store.copy_to(target, &mut |rows| {
        if rows / PROGRESS_INTERVAL > last_reported / PROGRESS_INTERVAL {
            let _ = writeln!(std::io::stderr(), "{rows} rows are copied");
        }
        last_reported = rows;
    });
    let copied = copied.map_err(|why| format!("--to: {why}"))?;
    print_line(format!(
        "copied {} rows; read again they are the same: SHA-256 {}",
        copied.rows,
        HEXLOWER.encode(&copied.hash)
    ));
    let documents = setup::runtime()?.block_on(store.read(count_contents))?;
    if documents > 0 {
        print_line(documents_note(config, documents));
    }
    Ok(())
}

/// Counts the documents whose PDF is in the blob store.
fn count_contents(tx: &impl Read) -> Result<u64, StoreError> {
    let mut rows = tables::DOCUMENT_BY_CONTENT.rows(tx, &());
    rows.try_fold(0, |count, row| row.map(|_| count + 1))
}

/// Returns the note about documents, which are not part of the store.
pub(super) fn documents_note(config: &Config, documents: u64) -> String {
    let stay = format!("documents that stay where they are: {documents}");
    match &config.documents.url {
        Some(_) => format!("{stay}; give the copy's shop the same documents.url"),
        None => {
            let folder = std::path::absolute(&config.server.data);
            let folder = folder.unwrap_or_else(|_| config.server.data.clone());
            let folder = folder.join("documents");
            let folder = folder.display();
            format!("{stay}, in {folder}; give the copy's shop documents.url = \"file://{folder}\"")
        }
    }
}

/// Upgrades the store. A dry run only lists the copy, the steps and the number of rows of each table.
fn execute(
    upgrade: &Upgrade,
    dry_run: bool,
    now: DateTime<Utc>,
    say: &mut dyn FnMut(String),
) -> Result<(), StoreError> {
    let description = upgrade.description();
    say(format!(
        "store schema {}, written by layby {}; this layby {} supports schema {}",
        description.schema,
        description.written_by,
        env!("CARGO_PKG_VERSION"),
        upgrade.newest(),
    ));
    if upgrade.steps().is_empty() {
        let nothing = if dry_run {
            "nothing would be changed"
        } else {
            "nothing to change"
        };
        say(nothing.to_string());
        return Ok(());
    }
    let copy = upgrade.copy(now).map(|copy| copy.display().to_string());
    match (&description.upgrade, &copy) {
        (Some(_), Some(copy)) => say(format!(
            "an upgrade to schema {} was interrupted; {copy} is the store before it",
            description.schema
        )),
        (Some(_), None) => say(format!(
            "an upgrade to schema {} was interrupted",
            description.schema
        )),
        (None, Some(copy)) if dry_run => say(format!("would copy the store to {copy}")),
        (None, Some(_)) => {}
        (None, None) => say("a database is not copied: the way back is a backup of it".to_string()),
    }
    if dry_run {
        for step in upgrade.steps() {
            say(format!("would do {}", step_name(step)));
            for (table, rows) in upgrade.plan(step)? {
                say(format!("  rows of {}: {rows}", table_name(table)));
            }
        }
        return Ok(());
    }
    upgrade.run(now, &mut |done| {
        say(match done {
            Done::Copy(to) => format!("copied the store to {}", to.display()),
            Done::CopyRemoved(copy) => {
                format!("removed {}: no row was changed", copy.display())
            }
            Done::Step(step) => format!("did {}", step_name(step)),
        });
    })?;
    say(format!("the store has schema {} now", upgrade.newest()));
    Ok(())
}

fn step_name(step: &Migration) -> String {
    format!("the step to schema {}: {}", step.schema, step.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Store, StoreDescription, Walk, tables};

    const KEEP: Walk = Walk {
        table: 1,
        version: 1,
        row: |_, _| Ok(()),
    };
    const FAIL: Walk = Walk {
        table: 1,
        version: 1,
        row: |_, _| Err("a number that is none".to_string()),
    };
    const STEPS: &[Migration] = &[Migration {
        schema: 2,
        name: "counters stay as they are",
        walks: &[KEEP],
    }];
    const FAILING: &[Migration] = &[Migration {
        schema: 2,
        name: "counters stay as they are",
        walks: &[FAIL],
    }];

    fn run_migrate(
        store: &std::path::Path,
        steps: &'static [Migration],
        dry_run: bool,
    ) -> Vec<String> {
        let mut lines = Vec::new();
        let now = "2026-11-22T12:00:00Z".parse().unwrap();
        let upgrade = Upgrade::look(store, steps).unwrap();
        let done = execute(&upgrade, dry_run, now, &mut |line| lines.push(line));
        if let Err(error) = done {
            lines.push(error.to_string());
        }
        lines
    }

    #[tokio::test]
    async fn it_says_what_it_would_do_and_what_it_did() {
        let data = tempfile::tempdir().unwrap();
        let path = data.path().join("layby.redb");
        let store = Store::open(&path).unwrap();
        let count = store.write(|tx| {
            tables::DESCRIPTION.put(tx, &(), &StoreDescription::complete(1))?;
            tables::COUNTERS.put(tx, &"quotes".to_string(), &7)
        });
        count.await.unwrap();
        drop(store);
        let version = env!("CARGO_PKG_VERSION");
        let text = format!(
            "store schema 1, written by layby {version}; this layby {version} supports schema 2"
        );
        let copy = path.with_file_name("layby.redb.schema-1.2026-11-22T12-00-00Z");
        let copy = copy.display();

        let before = std::fs::read(&path).unwrap();
        let expected = [
            text.clone(),
            format!("would copy the store to {copy}"),
            "would do the step to schema 2: counters stay as they are".to_string(),
            "  rows of counters: 1".to_string(),
        ];
        assert_eq!(run_migrate(&path, STEPS, true), expected);
        assert!(std::fs::read(&path).unwrap() == before);
        assert_eq!(std::fs::read_dir(data.path()).unwrap().count(), 1);

        let failed = "the step to schema 2 met a row of table counters that it can't upgrade: a \
                      number that is none";
        let copied = format!("copied the store to {copy}");
        let removed = format!("removed {copy}: no row was changed");
        assert_eq!(
            run_migrate(&path, FAILING, false),
            [text.clone(), copied.clone(), removed, failed.to_string()]
        );
        assert_eq!(std::fs::read_dir(data.path()).unwrap().count(), 1);

        let expected = [
            text,
            copied,
            "did the step to schema 2: counters stay as they are".to_string(),
            "the store has schema 2 now".to_string(),
        ];
        assert_eq!(run_migrate(&path, STEPS, false), expected);
        assert_eq!(run_migrate(&path, STEPS, false)[1], "nothing to change");
        assert_eq!(
            run_migrate(&path, STEPS, true)[1],
            "nothing would be changed"
        );
    }
}
