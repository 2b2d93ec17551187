//! `layby check`: whether the store is what it should be, and what of it isn't.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use data_encoding::HEXLOWER;

use crate::store::{
    AnyTable, Closed, Direction, Read, ReadTx, Store, StoreError, table_name, table_of,
};

/// Most mistakes that are named; more are counted.
const NAMED: u64 = 100;
/// Rows between two words of how far it has come.
const ROWS: u64 = 50_000;

/// A line for who waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// How far it has come.
    Progress(String),
    /// What was found.
    Says(String),
}

/// Why a store is not in order, or could not be checked.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// Mistakes were found, and named.
    #[error("the store is damaged: {0}")]
    Damaged(String),
    /// Nobody wants to hear it any more.
    #[error("the check was broken off")]
    BrokenOff,
    /// It can't be read at all.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Hears each line; breaks off the check when nobody wants to hear more.
pub type Hear<'a> = &'a mut dyn FnMut(Report) -> ControlFlow<()>;

/// Checks a store that is in use, as it is when this begins.
///
/// # Errors
/// When it is not in order, can't be read, or the check is broken off.
pub fn running(store: &Store, hear: Hear<'_>) -> Result<(), CheckError> {
    check(&store.view()?, hear)
}

/// Checks a store that nobody has open.
///
/// # Errors
/// As [`running`].
pub fn stopped(file: &Closed, hear: Hear<'_>) -> Result<(), CheckError> {
    check(file.rows(), hear)
}

fn check(rows: &ReadTx, hear: Hear<'_>) -> Result<(), CheckError> {
    let mut check = Check {
        hear,
        rows: 0,
        mistakes: 0,
    };
    check.every_row(rows)?;
    let rows = check.rows;
    let (text, outcome) = match check.mistakes {
        0 => (format!("{rows} rows are in order"), Ok(())),
        1 => (
            format!("{rows} rows were read"),
            Err("1 mistake".to_string()),
        ),
        many => (
            format!("{rows} rows were read"),
            Err(format!("{many} mistakes")),
        ),
    };
    check.say(Report::Says(text))?;
    outcome.map_err(CheckError::Damaged)
}

/// A check that is under way.
struct Check<'a> {
    hear: Hear<'a>,
    rows: u64,
    mistakes: u64,
}

impl Check<'_> {
    fn say(&mut self, report: Report) -> Result<(), CheckError> {
        match (self.hear)(report) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(CheckError::BrokenOff),
        }
    }

    fn mistake(&mut self, text: String) -> Result<(), CheckError> {
        self.mistakes += 1;
        match self.mistakes {
            ..=NAMED => self.say(Report::Says(text)),
            _ => Ok(()),
        }
    }

    /// Reads every row. A table of which a page is damaged is left there, and the next begun.
    fn every_row(&mut self, tx: &ReadTx) -> Result<(), CheckError> {
        for number in 0..u8::MAX {
            let scanned = catch_unwind(AssertUnwindSafe(|| self.rows_of(tx, number)));
            match scanned {
                Ok(Ok(())) => {}
                Ok(Err(CheckError::Store(error))) => self.broken(number, &error)?,
                Ok(Err(error)) => return Err(error),
                // The engine panics over some pages that are damaged.
                Err(_) => self.broken(number, &StoreError::Damaged)?,
            }
        }
        Ok(())
    }

    fn broken(&mut self, number: u8, error: &StoreError) -> Result<(), CheckError> {
        let table = table_name(number);
        self.mistake(match error {
            StoreError::Damaged => format!("rows of table {table} can't be reached"),
            other => format!("rows of table {table} can't be reached: {other}"),
        })
    }

    fn rows_of(&mut self, tx: &ReadTx, number: u8) -> Result<(), CheckError> {
        let table = table_of(number);
        let mut outcome = Ok(());
        let (from, to) = ([number], [number + 1]);
        tx.scan(&from, &to, Direction::Forward, &mut |key, value| {
            outcome = self.row(table, key, value);
            match outcome {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        })?;
        outcome
    }

    fn row(
        &mut self,
        table: Option<&'static dyn AnyTable>,
        key: &[u8],
        value: &[u8],
    ) -> Result<(), CheckError> {
        self.rows += 1;
        if self.rows.is_multiple_of(ROWS) {
            self.say(Report::Progress(format!("{} rows were read", self.rows)))?;
        }
        let wrong = match table.map(|table| table.check(key.get(1..).unwrap_or_default(), value)) {
            Some(Ok(())) => return Ok(()),
            Some(Err(wrong)) => wrong.to_string(),
            None => "a row belongs to no table of this layby".to_string(),
        };
        self.mistake(format!("{wrong}; its key is {}", HEXLOWER.encode(key)))
    }
}
