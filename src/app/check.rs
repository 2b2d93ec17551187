//! `layby check`: finds damage in a store. Checks every page of a stopped store's file by its checksum, and
//! every row by its table. Compares indexes, jobs and the ledger with the rows that they belong to. If the
//! blob store is given, checks the contents of documents by their SHA-256.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use data_encoding::HEXLOWER;

use crate::app::accounting::check as books;
use crate::app::documents::{Away, CheckState as ContentsReport, OpenView, check_contents};
use crate::app::jobs::check::check as check_work;
use crate::store::{
    Direction, Finding, Pages, Read, ReadTx, Store, StoreError, check_relations, table_of,
};

/// Maximum number of reported errors. Further errors are only counted.
const NAMED: u64 = 100;
/// Rows between two reports of progress.
const PROGRESS_INTERVAL: u64 = 50_000;

/// A line of output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckReport {
    Progress(String),
    /// An error, a note, or the result.
    Text(String),
}

/// Why a store is damaged, or could not be checked.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// Rows, indexes or the books are wrong. Contains the number of errors that were found.
    #[error("the store is damaged: {}", mistakes(.0))]
    Damaged(u64),
    /// A page of the file is damaged, so its rows were not checked.
    #[error("the store is damaged: 1 mistake")]
    DamagedFile,
    /// The receiver of the output stopped the check.
    #[error("the check was interrupted")]
    BrokenOff,
    /// The store can't be read at all.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The blob store can't be read.
    #[error("the store is in order, but its documents could not be checked: {0}")]
    Documents(#[from] Away),
}

fn mistakes(count: &u64) -> String {
    match count {
        1 => "1 mistake".to_string(),
        many => format!("{many} mistakes"),
    }
}

pub use crate::app::documents::BlobReport as Documents;

/// The receiver of each line of output, which can stop the check.
pub type Sink<'a> = &'a mut dyn FnMut(CheckReport) -> ControlFlow<()>;

/// Checks a store in use, in its state at the start. Also checks the contents of documents, if `documents` is
/// given.
///
/// # Errors
/// If the store is damaged or can't be read, the blob store can't be read, or `sink` stops the check.
pub fn check_running(
    store: &Store,
    documents: Option<Documents<'_>>,
    sink: Sink<'_>,
) -> Result<(), CheckError> {
    let mut check = Check::new(sink);
    let tx = store.inspect()?;
    let is_sound = check.every_part(&tx)?;
    drop(tx);
    if is_sound {
        check.contents(&|| store.inspect(), documents)?;
    }
    check.end()
}

/// Checks a store that no process has open, without a change to the store's file.
///
/// # Errors
/// The errors of [`check_running`].
pub fn stopped(
    path: &Path,
    documents: Option<Documents<'_>>,
    sink: Sink<'_>,
) -> Result<(), CheckError> {
    let mut check = Check::new(sink);
    match Store::verify(path)? {
        Some(Pages::Whole(file)) => {
            check.are_pages_whole = true;
            if check.every_part(file.rows())? {
                check.contents(&|| Ok(file.rows().clone()), documents)?;
            }
        }
        Some(wrong) => {
            check.pages(&wrong)?;
            return Err(CheckError::DamagedFile);
        }
        None => {
            let text = "nothing was ever written to this store".to_string();
            return check.report(CheckReport::Text(text));
        }
    }
    check.end()
}

/// A running check.
struct Check<'a> {
    sink: Sink<'a>,
    /// Whether the pages of a file were verified. A database verifies its own pages.
    are_pages_whole: bool,
    rows: u64,
    compared: u64,
    /// The number of documents that were read, or `None` if documents are not checked.
    documents: Option<u64>,
    mistakes: u64,
}

impl<'a> Check<'a> {
    fn new(sink: Sink<'a>) -> Self {
        Self {
            sink,
            are_pages_whole: false,
            rows: 0,
            compared: 0,
            documents: None,
            mistakes: 0,
        }
    }

    fn report(&mut self, report: CheckReport) -> Result<(), CheckError> {
        match (self.sink)(report) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(CheckError::BrokenOff),
        }
    }

    /// Reports the progress after every [`PROGRESS_INTERVAL`] rows.
    fn progress(&mut self, rows: u64, text: impl Fn() -> String) -> Result<(), CheckError> {
        if !rows.is_multiple_of(PROGRESS_INTERVAL) {
            return Ok(());
        }
        self.report(CheckReport::Progress(text()))
    }

    fn report_mistake(&mut self, text: String) -> Result<(), CheckError> {
        self.mistakes += 1;
        match self.mistakes {
            ..=NAMED => self.report(CheckReport::Text(text)),
            _ => Ok(()),
        }
    }

    fn end(mut self) -> Result<(), CheckError> {
        let pages = if self.are_pages_whole {
            "all pages and "
        } else {
            ""
        };
        let rows = self.rows;
        match self.mistakes {
            0 => {
                let others = match self.documents {
                    None => "the indexes and the books".to_string(),
                    Some(1) => "the indexes, the books and 1 document".to_string(),
                    Some(many) => format!("the indexes, the books and {many} documents"),
                };
                self.report(CheckReport::Text(format!(
                    "{pages}{rows} rows are in order, and so are {others}"
                )))
            }
            many => {
                if many > NAMED {
                    let more = many - NAMED;
                    self.report(CheckReport::Text(format!(
                        "{more} more mistakes are not named"
                    )))?;
                }
                Err(CheckError::Damaged(many))
            }
        }
    }

    /// Reports damaged pages. The engine can't continue after a damaged page, so nothing else is read.
    fn pages(&mut self, pages: &Pages) -> Result<(), CheckError> {
        self.report_mistake(
            match pages {
                Pages::Whole(_) => return Ok(()),
                Pages::Older => "a page of the newest commit is damaged",
                Pages::Damaged => {
                    "a page of the file is damaged, and the store can't do without it"
                }
                Pages::Miscounted => "what the engine keeps for itself is damaged",
            }
            .to_string(),
        )?;
        if matches!(pages, Pages::Older) {
            self.report(CheckReport::Text(
                "the store was not closed properly: the next start would take the commit before the newest, \
                 which is whole. Nothing that was acknowledged is lost with it if the shop was killed \
                 while it wrote the newest; if not, what was written last is"
                    .to_string(),
            ))?;
        }
        let text = "rows and indexes were not checked, since pages are damaged".to_string();
        self.report(CheckReport::Text(text))
    }

    /// Reads every row. If no row is damaged, compares the indexes and jobs, and then the ledger. Skips the ledger
    /// after an error. Returns whether no row is damaged.
    fn every_part(&mut self, tx: &ReadTx) -> Result<bool, CheckError> {
        let read = catch_unwind(AssertUnwindSafe(|| self.every_row(tx)));
        read.unwrap_or(Err(CheckError::Store(StoreError::Damaged)))?;
        if self.mistakes > 0 {
            let text = "indexes were not compared, since rows are damaged".to_string();
            self.report(CheckReport::Text(text))?;
            return Ok(false);
        }
        check_relations(tx, &mut |found| self.report_finding(found))?;
        check_work(tx, &mut |found| self.report_finding(found))?;
        self.books(tx)?;
        Ok(true)
    }

    /// Reads the content of every document, if no error was found before.
    fn contents(
        &mut self,
        open_view: OpenView<'_>,
        documents: Option<Documents<'_>>,
    ) -> Result<(), CheckError> {
        let Some(documents) = documents else {
            return Ok(());
        };
        if self.mistakes > 0 {
            let text = "documents were not checked, since rows are damaged".to_string();
            return self.report(CheckReport::Text(text));
        }
        self.documents = Some(0);
        check_contents(open_view, documents, &mut |state| match state {
            ContentsReport::Mistake(text) => self.report_mistake(text),
            ContentsReport::Count(count) => {
                self.documents = Some(count);
                // Reading a document takes about as long as reading fifty rows.
                self.progress(count * 50, || format!("{count} documents were read"))
            }
            ContentsReport::Unnamed(count) => self.report(CheckReport::Text(format!(
                "contents that belong to no document: {count}; the daily round removes what is a \
                 day old"
            ))),
        })
    }

    /// Compares the ledger with the rows that it follows from, if no error was found before.
    fn books(&mut self, tx: &ReadTx) -> Result<(), CheckError> {
        if self.mistakes > 0 {
            let text = "the books were not checked, since indexes are damaged".to_string();
            return self.report(CheckReport::Text(text));
        }
        let mut contracts: u64 = 0;
        books::check(tx, &mut |found| match found {
            Finding::Mistake(text) => self.report_mistake(text),
            Finding::Row => {
                contracts += 1;
                self.progress(contracts, || {
                    format!("the books of {contracts} quotes were worked out")
                })
            }
        })
    }

    fn report_finding(&mut self, found: Finding) -> Result<(), CheckError> {
        match found {
            Finding::Mistake(text) => self.report_mistake(text),
            Finding::Row => {
                self.compared += 1;
                let count = self.compared;
                self.progress(count, || format!("{count} rows were compared with indexes"))
            }
        }
    }

    fn every_row(&mut self, tx: &ReadTx) -> Result<(), CheckError> {
        let mut outcome = Ok(());
        tx.scan(&[], &[u8::MAX], Direction::Forward, &mut |key, value| {
            outcome = self.row(key, value);
            match outcome {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        })?;
        outcome
    }

    fn row(&mut self, key: &[u8], value: &[u8]) -> Result<(), CheckError> {
        self.rows += 1;
        let rows = self.rows;
        self.progress(rows, || format!("{rows} rows were read"))?;
        let (number, rest) = key
            .split_first()
            .map_or((u8::MAX, key), |(n, rest)| (*n, rest));
        let wrong = match table_of(number).map(|table| table.check(rest, value)) {
            Some(Ok(())) => return Ok(()),
            Some(Err(wrong)) => wrong.to_string(),
            None => "a row belongs to no table of this layby".to_string(),
        };
        self.report_mistake(format!("{wrong}; its key is {}", HEXLOWER.encode(rest)))
    }
}
