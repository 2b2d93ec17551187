//! `layby check`: whether a store is what it should be, and what of it isn't: every page by its
//! checksum, every row by its table, every index by its rows, the ledger by the rows it follows
//! from, and every document's content by its SHA-256.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use data_encoding::HEXLOWER;

use crate::app::books::check::{self as books, Met as BooksMet};
use crate::app::documents::{Failed, Met as ContentsMet, check_contents};
use crate::app::rows::check::check as check_indexes;
use crate::app::rows::compare::Found;
use crate::app::work::check::check as check_work;
use crate::store::{
    Between, Direction, Met, Pages, Read, ReadTx, Store, StoreError, table_name, table_of,
};

/// Most mistakes that are named; more are counted.
const NAMED: u64 = 100;
/// Rows and pages between two words of how far it has come.
const SOME: u64 = 50_000;

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
    /// So many mistakes were found, and named.
    #[error("the store is damaged: {}", mistakes(.0))]
    Damaged(u64),
    /// Nobody wants to hear it any more.
    #[error("the check was broken off")]
    BrokenOff,
    /// It can't be read at all.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The object store can't be read.
    #[error("the store is in order, but its documents could not be checked: {0}")]
    Documents(String),
}

fn mistakes(count: &u64) -> String {
    match count {
        1 => "1 mistake".to_string(),
        many => format!("{many} mistakes"),
    }
}

pub use crate::app::documents::Checked as Documents;

/// Hears each line; breaks off the check when nobody wants to hear more.
pub type Hear<'a> = &'a mut dyn FnMut(Report) -> ControlFlow<()>;

/// Checks a store that is in use, as it is when this begins; and the contents of its documents, where
/// they are given.
///
/// # Errors
/// When it is not in order, can't be read, or the check is broken off.
pub fn running(
    store: &Store,
    documents: Option<Documents<'_>>,
    hear: Hear<'_>,
) -> Result<(), CheckError> {
    let (rows, pages) = store.inspect()?;
    let mut check = Check::new(hear);
    if let Some(pages) = pages {
        check.pages(&pages, 0)?;
    }
    check.whole_rows(&rows, documents)?;
    check.end()
}

/// Checks a store that nobody has open. One that was not closed properly is put in order, as every
/// command does, once its pages are known to be whole.
///
/// # Errors
/// As [`running`].
pub fn stopped(
    path: &Path,
    documents: Option<Documents<'_>>,
    hear: Hear<'_>,
) -> Result<(), CheckError> {
    let mut check = Check::new(hear);
    if let Some(pages) = Pages::of_file(path)? {
        check.head(&pages)?;
    }
    if check.mistakes == 0 {
        match Store::look(path)? {
            Some(file) => check.whole_rows(file.rows(), documents)?,
            None => {
                let text = "nothing was ever written to this store".to_string();
                return check.say(Report::Says(text));
            }
        }
    }
    check.end()
}

/// A check that is under way.
struct Check<'a> {
    hear: Hear<'a>,
    pages: u64,
    rows: u64,
    compared: u64,
    /// How many documents were read; none where nobody asks for them.
    documents: Option<u64>,
    mistakes: u64,
}

impl<'a> Check<'a> {
    fn new(hear: Hear<'a>) -> Self {
        Self {
            hear,
            pages: 0,
            rows: 0,
            compared: 0,
            documents: None,
            mistakes: 0,
        }
    }

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

    fn end(mut self) -> Result<(), CheckError> {
        let pages = match self.pages {
            // In a database pages are not ours to see.
            0 => String::new(),
            pages => format!("{pages} pages and "),
        };
        let rows = self.rows;
        match self.mistakes {
            0 => {
                let others = match self.documents {
                    None => "the indexes and the books".to_string(),
                    Some(1) => "the indexes, the books and 1 document".to_string(),
                    Some(many) => format!("the indexes, the books and {many} documents"),
                };
                self.say(Report::Says(format!(
                    "{pages}{rows} rows are in order, and so are {others}"
                )))
            }
            many => {
                if many > NAMED {
                    let more = many - NAMED;
                    self.say(Report::Says(format!("{more} more mistakes are not named")))?;
                }
                Err(CheckError::Damaged(many))
            }
        }
    }

    /// The head of a file that nobody has open, and the pages that it leads to.
    fn head(&mut self, pages: &Pages) -> Result<(), CheckError> {
        if !pages.has_newest() {
            let text = "the head of the file is damaged: it leads to no commit";
            return self.mistake(text.to_string());
        }
        self.pages(pages, 0)?;
        if self.mistakes == 0 || pages.is_clean() {
            return Ok(());
        }
        // What a repair would do, which nobody should do unawares.
        let mut is_whole = pages.commits() > 1;
        if is_whole {
            pages.verify(1, &mut |met| {
                is_whole &= matches!(met, Met::Pages(_));
                if is_whole {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            })?;
        }
        self.say(Report::Says(if is_whole {
            "the store was not closed properly: the next start would take the commit before the newest, \
             which is whole. Nothing that was acknowledged is lost with it if the shop was killed \
             while it wrote the newest; if not, what was written last is"
                .to_string()
        } else {
            "the store was not closed properly, and no commit of it is whole: it can't be opened"
                .to_string()
        }))
    }

    fn pages(&mut self, pages: &Pages, commit: usize) -> Result<(), CheckError> {
        let mut outcome = Ok(());
        pages.verify(commit, &mut |met| {
            outcome = self.met(met);
            go_on(&outcome)
        })?;
        outcome
    }

    fn met(&mut self, met: Met) -> Result<(), CheckError> {
        match met {
            Met::Pages(count) => {
                let is_some = count / SOME > self.pages / SOME;
                self.pages = count;
                if is_some {
                    self.say(Report::Progress(format!("{count} pages were verified")))?;
                }
                Ok(())
            }
            Met::Damaged { at, rows } => {
                let holds = rows.map_or_else(
                    || "what the engine keeps for itself".to_string(),
                    |between| tables_of(&between),
                );
                self.mistake(format!(
                    "the page at byte {at} is damaged; it holds {holds}"
                ))
            }
            Met::Rows { found, expected } => self.mistake(format!(
                "{found} rows were found where there should be {expected}"
            )),
        }
    }

    /// Reads every row and compares the indexes, where the pages are whole: the engine can't go on
    /// after one that isn't.
    fn whole_rows(
        &mut self,
        tx: &ReadTx,
        documents: Option<Documents<'_>>,
    ) -> Result<(), CheckError> {
        if self.mistakes > 0 {
            let text = "rows and indexes were not looked at, since pages are damaged".to_string();
            return self.say(Report::Says(text));
        }
        let read = catch_unwind(AssertUnwindSafe(|| self.every_row(tx)));
        read.unwrap_or(Err(CheckError::Store(StoreError::Damaged)))?;
        if self.mistakes > 0 {
            let text = "indexes were not compared, since rows are damaged".to_string();
            return self.say(Report::Says(text));
        }
        for check in [check_indexes, check_work] {
            let mut outcome = Ok(());
            check(tx, &mut |found| {
                outcome = self.compared(found);
                go_on(&outcome)
            })?;
            outcome?;
        }
        self.books(tx)?;
        self.contents(tx, documents)
    }

    /// Reads the content of every document, where rows are right.
    fn contents(
        &mut self,
        tx: &ReadTx,
        documents: Option<Documents<'_>>,
    ) -> Result<(), CheckError> {
        let Some(documents) = documents else {
            return Ok(());
        };
        if self.mistakes > 0 {
            let text = "documents were not looked at, since rows are damaged".to_string();
            return self.say(Report::Says(text));
        }
        let mut outcome = Ok(());
        let done = check_contents(tx, documents, &mut |met| {
            outcome = match met {
                ContentsMet::Mistake(text) => self.mistake(text),
                ContentsMet::Some(count) => {
                    self.documents = Some(count);
                    if count > 0 && u64::is_multiple_of(count, SOME / 50) {
                        let text = format!("{count} documents were read");
                        self.say(Report::Progress(text))
                    } else {
                        Ok(())
                    }
                }
                ContentsMet::Unnamed(count) => self.say(Report::Says(format!(
                    "contents that belong to no document: {count}; the daily round removes what is a day old"
                ))),
            };
            go_on(&outcome)
        });
        outcome?;
        match done {
            Ok(()) | Err(Failed::Unheard) => Ok(()),
            Err(Failed::Store(error)) => Err(error.into()),
            Err(Failed::Away(why)) => Err(CheckError::Documents(why)),
        }
    }

    /// Works out the books, where rows and indexes are right: they follow from them.
    fn books(&mut self, tx: &ReadTx) -> Result<(), CheckError> {
        if self.mistakes > 0 {
            let text = "the books were not looked at, since indexes are damaged".to_string();
            return self.say(Report::Says(text));
        }
        let (mut outcome, mut contracts) = (Ok(()), 0);
        books::check(tx, &mut |met| {
            outcome = match met {
                BooksMet::Mistake(text) => self.mistake(text),
                BooksMet::Contract => {
                    contracts += 1;
                    if u64::is_multiple_of(contracts, SOME) {
                        let text = format!("the books of {contracts} quotes were worked out");
                        self.say(Report::Progress(text))
                    } else {
                        Ok(())
                    }
                }
            };
            go_on(&outcome)
        })?;
        outcome
    }

    fn compared(&mut self, found: Found) -> Result<(), CheckError> {
        match found {
            Found::Mistake(text) => self.mistake(text),
            Found::Row => {
                self.compared += 1;
                if !self.compared.is_multiple_of(SOME) {
                    return Ok(());
                }
                let text = format!("{} rows were compared with indexes", self.compared);
                self.say(Report::Progress(text))
            }
        }
    }

    fn every_row(&mut self, tx: &ReadTx) -> Result<(), CheckError> {
        let mut outcome = Ok(());
        tx.scan(&[], &[u8::MAX], Direction::Forward, &mut |key, value| {
            outcome = self.row(key, value);
            go_on(&outcome)
        })?;
        outcome
    }

    fn row(&mut self, key: &[u8], value: &[u8]) -> Result<(), CheckError> {
        self.rows += 1;
        if self.rows.is_multiple_of(SOME) {
            self.say(Report::Progress(format!("{} rows were read", self.rows)))?;
        }
        let (number, rest) = key
            .split_first()
            .map_or((u8::MAX, key), |(n, rest)| (*n, rest));
        let wrong = match table_of(number).map(|table| table.check(rest, value)) {
            Some(Ok(())) => return Ok(()),
            Some(Err(wrong)) => wrong.to_string(),
            None => "a row belongs to no table of this layby".to_string(),
        };
        self.mistake(format!("{wrong}; its key is {}", HEXLOWER.encode(rest)))
    }
}

/// Goes on with a walk through the store until a report fails.
const fn go_on(outcome: &Result<(), CheckError>) -> ControlFlow<()> {
    match outcome {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    }
}

/// The tables whose rows are between two keys.
fn tables_of(between: &Between) -> String {
    let table = |key: &[u8]| key.first().map(|number| table_name(*number));
    let from = table(&between.after);
    let to = between.last.as_deref().and_then(table);
    match (from, to) {
        (Some(from), Some(to)) if from == to => format!("rows of table {from}"),
        (Some(from), Some(to)) => format!("rows of tables {from} to {to}"),
        (None, Some(to)) => format!("rows of the first tables, up to {to}"),
        (Some(from), None) => format!("rows of table {from}, or of those after it"),
        (None, None) => "rows of all tables".to_string(),
    }
}
