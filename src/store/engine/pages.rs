//! Verifying every page of a store: each has a checksum, which stands in the page above it, up to the
//! head of the file. The engine itself only verifies pages when it repairs a store.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use super::disk::Disk;
use super::layout::{Commit, HEAD, Head, Leaf, Link, Node, PAGE, TableRoot, Widths};
use crate::store::StoreError;

/// Pages between two words of how far it has come.
const PAGES: u64 = 10_000;
/// Most pages above one another; no tree of ours comes near it.
const DEEPEST: usize = 64;
/// The engine's name of the table of rows.
const ROWS: &[u8] = b"rows";

/// What is met on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Met {
    /// So many pages were verified.
    Pages(u64),
    /// A page isn't what was written there.
    Damaged {
        /// Where it begins in the file, bytes.
        at: u64,
        /// The keys that its rows are between; none when it holds what the engine keeps for itself.
        rows: Option<Between>,
    },
    /// There aren't as many rows as there should be.
    Rows {
        /// How many were found.
        found: u64,
        /// How many there should be.
        expected: u64,
    },
}

/// Two keys: the last one before, and the last one within.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Between {
    /// Empty before the first.
    pub after: Vec<u8>,
    /// None where there is no end.
    pub last: Option<Vec<u8>>,
}

/// Hears what is met; breaks off when nobody wants to hear more.
pub(in crate::store) type Hear<'a> = &'a mut dyn FnMut(Met) -> ControlFlow<()>;

/// The pages of a store, as they are reached from its newest commit.
#[derive(Debug)]
pub struct Pages {
    bytes: Bytes,
    head: Head,
    size: u64,
    is_in_use: bool,
}

/// Where the pages are read.
#[derive(Debug)]
pub(super) enum Bytes {
    File(File),
    Disk(Arc<dyn Disk>),
}

impl Bytes {
    fn read(&self, at: u64, out: &mut [u8]) -> io::Result<()> {
        match self {
            Self::File(file) => {
                let mut file = file;
                file.seek(SeekFrom::Start(at))?;
                file.read_exact(out)
            }
            Self::Disk(disk) => disk.read(at, out),
        }
    }

    fn size(&self) -> io::Result<u64> {
        match self {
            Self::File(file) => Ok(file.metadata()?.len()),
            Self::Disk(disk) => disk.size(),
        }
    }
}

impl Pages {
    /// Of a file that nobody has open, and that nobody can open for writing meanwhile. None where
    /// nothing was ever written to it.
    ///
    /// # Errors
    /// When it is in use, or no store.
    pub fn of_file(path: &Path) -> Result<Option<Self>, StoreError> {
        let file = File::open(path).map_err(StoreError::disk)?;
        match file.try_lock_shared() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::InUse),
            Err(TryLockError::Error(error)) => return Err(StoreError::disk(error)),
        }
        let bytes = Bytes::File(file);
        if bytes.size().map_err(StoreError::disk)? == 0 {
            return Ok(None);
        }
        Self::of(bytes, false).map(Some)
    }

    /// Of a store; while it is in use, its pages stay as long as a view of the newest commit does.
    pub(super) fn of(bytes: Bytes, is_in_use: bool) -> Result<Self, StoreError> {
        let size = bytes.size().map_err(StoreError::disk)?;
        let mut head = [0; HEAD];
        if size < head.len() as u64 {
            return Err(StoreError::NoStore);
        }
        bytes.read(0, &mut head).map_err(StoreError::disk)?;
        Ok(Self {
            head: Head::read(&head).ok_or(StoreError::NoStore)?,
            bytes,
            size,
            is_in_use,
        })
    }

    /// Whether the store was closed properly.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.head.is_clean
    }

    /// Whether the head of the file leads to a commit.
    #[must_use]
    pub fn has_newest(&self) -> bool {
        !self.head.has_damage
    }

    /// How many commits can be read: the newest, and the one that a repair falls back to when that
    /// one is damaged.
    #[must_use]
    pub fn commits(&self) -> usize {
        self.head.commits.len()
    }

    /// The number of a commit, 0 being the newest.
    #[must_use]
    pub fn number(&self, commit: usize) -> Option<u64> {
        self.head.commits.get(commit).map(|commit| commit.number)
    }

    /// Verifies every page of a commit, 0 being the newest. Of a store that is in use, what the
    /// engine keeps for itself is left out: it doesn't stay.
    ///
    /// # Errors
    /// When the disk fails, or there is no such commit.
    pub fn verify(&self, commit: usize, hear: Hear<'_>) -> Result<(), StoreError> {
        let commit = self.head.commits.get(commit).ok_or(StoreError::Damaged)?;
        let mut walk = Walk {
            pages: self,
            hear,
            count: 0,
            is_whole: true,
            tables: Vec::new(),
            rows: 0,
        };
        match walk.commit(commit) {
            Err(Broken::Disk(error)) => Err(StoreError::disk(error)),
            Err(Broken::Off) | Ok(()) => Ok(()),
        }
    }
}

/// What a tree holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tree {
    /// The tables there are.
    Tables,
    /// Rows of ours.
    Rows,
    /// Rows of the engine.
    Engine,
}

/// Why a walk ended early.
enum Broken {
    Off,
    Disk(io::Error),
}

struct Walk<'a> {
    pages: &'a Pages,
    hear: Hear<'a>,
    count: u64,
    is_whole: bool,
    tables: Vec<(Tree, TableRoot)>,
    rows: u64,
}

impl Walk<'_> {
    fn commit(&mut self, commit: &Commit) -> Result<(), Broken> {
        let [ours, engines] = commit.roots;
        self.tables_of(ours, true)?;
        if !self.pages.is_in_use {
            self.tables_of(engines, false)?;
        }
        self.say(Met::Pages(self.count))
    }

    fn tables_of(&mut self, root: Option<Link>, is_ours: bool) -> Result<(), Broken> {
        if let Some(root) = root {
            self.tree(Tree::Tables, root, Widths::default(), Between::default(), 0)?;
        }
        for (tree, table) in std::mem::take(&mut self.tables) {
            let tree = if is_ours { tree } else { Tree::Engine };
            self.rows = 0;
            if let Some(root) = table.root {
                self.tree(tree, root, table.widths, Between::default(), 0)?;
            }
            if self.rows != table.rows && self.is_whole {
                self.say(Met::Rows {
                    found: self.rows,
                    expected: table.rows,
                })?;
            }
        }
        Ok(())
    }

    fn say(&mut self, met: Met) -> Result<(), Broken> {
        match (self.hear)(met) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Broken::Off),
        }
    }

    /// Verifies a page and those below it.
    fn tree(
        &mut self,
        tree: Tree,
        link: Link,
        widths: Widths,
        between: Between,
        depth: usize,
    ) -> Result<(), Broken> {
        self.count += 1;
        if self.count.is_multiple_of(PAGES) {
            self.say(Met::Pages(self.count))?;
        }
        let place = self.pages.head.place(link.page);
        let within = place.filter(|(at, length)| {
            // Pages that name one another in a circle would be met for ever.
            at + *length as u64 <= self.pages.size
                && depth < DEEPEST
                && self.count <= self.pages.size / PAGE
        });
        let Some((at, length)) = within else {
            return self.damaged(place.map_or(0, |(at, _)| at), tree, between);
        };
        let mut page = vec![0; length];
        let read = self.pages.bytes.read(at, &mut page);
        read.map_err(Broken::Disk)?;
        match Node::verified(&page, link.checksum, widths) {
            None => self.damaged(at, tree, between),
            Some(Node::Leaf(leaf)) => {
                self.rows += leaf.entries as u64;
                if tree == Tree::Tables && !self.tables_in(&leaf) {
                    return self.damaged(at, tree, between);
                }
                Ok(())
            }
            Some(Node::Branch(branch)) => {
                let mut after = between.after;
                for (number, child) in branch.children().enumerate() {
                    let last = branch.key(number).map(<[u8]>::to_vec);
                    let last = last.or_else(|| between.last.clone());
                    let within = Between {
                        after: std::mem::replace(&mut after, last.clone().unwrap_or_default()),
                        last,
                    };
                    match child {
                        Some(child) => self.tree(tree, child, widths, within, depth + 1)?,
                        None => self.damaged(at, tree, within)?,
                    }
                }
                Ok(())
            }
        }
    }

    fn damaged(&mut self, at: u64, tree: Tree, between: Between) -> Result<(), Broken> {
        self.is_whole = false;
        self.say(Met::Damaged {
            at,
            rows: (tree == Tree::Rows).then_some(between),
        })
    }

    /// Notes the tables that a page names; false when one can't be read.
    fn tables_in(&mut self, leaf: &Leaf<'_>) -> bool {
        for entry in 0..leaf.entries {
            let name = leaf.key(entry);
            let Some(table) = leaf.value(entry).and_then(TableRoot::read) else {
                return false;
            };
            let tree = if name == Some(ROWS) {
                Tree::Rows
            } else {
                Tree::Engine
            };
            self.tables.push((tree, table));
        }
        true
    }
}
