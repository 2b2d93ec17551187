//! Whether each document's content is where it should be and is what it should be, for `layby check`.

use std::ops::ControlFlow;

use futures_util::{StreamExt, stream};
use tokio::runtime::Handle;

use crate::app::documents::contents::is_named;
use crate::integrations::contents::{ContentError, Contents};
use crate::store::tables::{self, Content};
use crate::store::{AnyTable, Direction, ReadTx, StoreError};

/// Contents read at the same time, and between two words of how far it has come.
const AT_ONCE: usize = 8;
const SOME: usize = 200;

/// Where the contents are, and what waits for them.
#[derive(Clone, Copy)]
pub struct Checked<'a> {
    /// The contents.
    pub contents: &'a Contents,
    /// Runs what is async. The check itself is on a thread that may wait.
    pub runtime: &'a Handle,
}

/// What is met.
pub(in crate::app) enum Met {
    /// A content that is missing or damaged.
    Mistake(String),
    /// So many contents were read.
    Some(u64),
    /// So many contents are named by no row.
    Unnamed(u64),
}

/// Why the check ends early.
#[derive(Debug)]
pub(in crate::app) enum Failed {
    /// The store failed.
    Store(StoreError),
    /// The contents can't be read at all.
    Away(String),
    /// Nobody wants to hear more.
    Unheard,
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// A content, and the table and the id of the document whose it is.
type Named = (&'static str, String, Content);

/// Reads every content that a row names, and counts those that no row names.
pub(in crate::app) fn check_contents(
    tx: &ReadTx,
    of: Checked<'_>,
    hear: &mut dyn FnMut(Met) -> ControlFlow<()>,
) -> Result<(), Failed> {
    let mut look = Look {
        of,
        hear,
        some: Vec::with_capacity(SOME),
        count: 0,
    };
    let mut outcome = Ok(());
    let documents = tables::DOCUMENT_CONTENTS;
    documents.scan(tx, &(), Direction::Forward, |id, content| {
        outcome = look.take((documents.name(), id.to_string(), content));
        goes_on(&outcome)
    })?;
    outcome?;
    let mut outcome = Ok(());
    let products = tables::PRODUCT_CONTENTS;
    products.scan(tx, &(), Direction::Forward, |(hash, name), content| {
        outcome = look.take((products.name(), format!("{hash} {name}"), content));
        goes_on(&outcome)
    })?;
    outcome?;
    look.read()?;
    let unnamed = unnamed(tx, of)?;
    if unnamed == 0 {
        return Ok(());
    }
    look.say(Met::Unnamed(unnamed))
}

fn goes_on(outcome: &Result<(), Failed>) -> ControlFlow<()> {
    match outcome {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    }
}

/// The contents that no row names.
fn unnamed(tx: &ReadTx, of: Checked<'_>) -> Result<u64, Failed> {
    let (mut listed, mut count) = (of.contents.list(), 0);
    while let Some(met) = of.runtime.block_on(listed.next()) {
        let met = met.map_err(|error| Failed::Away(error.to_string()))?;
        count += u64::from(!is_named(tx, &met.sha256)?);
    }
    Ok(count)
}

/// A check that is under way.
struct Look<'a> {
    of: Checked<'a>,
    hear: &'a mut dyn FnMut(Met) -> ControlFlow<()>,
    some: Vec<Named>,
    count: u64,
}

impl Look<'_> {
    fn take(&mut self, named: Named) -> Result<(), Failed> {
        self.some.push(named);
        if self.some.len() < SOME {
            return Ok(());
        }
        self.read()
    }

    /// Reads the contents that were met so far.
    fn read(&mut self) -> Result<(), Failed> {
        let (of, some) = (self.of, std::mem::take(&mut self.some));
        self.count += some.len() as u64;
        let read = stream::iter(some)
            .map(|named| async move {
                let found = of.contents.get(&named.2.sha256).await;
                (named, found)
            })
            .buffered(AT_ONCE)
            .collect::<Vec<_>>();
        for ((table, key, content), found) in of.runtime.block_on(read) {
            let wrong = match found {
                Ok(bytes) if bytes.len() as u64 == content.size => continue,
                Ok(bytes) => format!("it has {} bytes, not {}", bytes.len(), content.size),
                Err(ContentError::Away(why)) => return Err(Failed::Away(why)),
                Err(lost) => lost.to_string(),
            };
            self.say(Met::Mistake(format!(
                "the document of a row of table {table} is lost: {wrong}; its key is {key}"
            )))?;
        }
        self.say(Met::Some(self.count))
    }

    fn say(&mut self, met: Met) -> Result<(), Failed> {
        match (self.hear)(met) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Failed::Unheard),
        }
    }
}
