//! How redb lays out its file, format 3, as far as every page can be found and verified: see its
//! `docs/design.md`. Numbers are little-endian. Nothing here trusts what it reads: what doesn't fit
//! is none.

use xxhash_rust::xxh3::xxh3_128;

/// Bytes of the smallest page; larger ones are twice that, four times, and so on.
pub(super) const PAGE: u64 = 4096;
/// Bytes of the head of the file that are looked at.
pub(super) const HEAD: usize = 320;

const MAGIC: &[u8] = b"redb\x1A\x0A\xA9\x0D\x0A";
const FORMAT: u8 = 3;
const SLOTS: [usize; 2] = [64, 192];
const SLOT: usize = 128;
const SLOT_CHECKSUM: usize = 112;

/// Where a page is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PageNumber(u64);

/// A page, and the checksum that its bytes must have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) page: PageNumber,
    pub(super) checksum: u128,
}

/// A commit, as the head of the file has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Commit {
    /// Commits are numbered; a newer one has a higher number.
    pub(super) number: u64,
    /// The tables of rows, and those of what the engine keeps for itself.
    pub(super) roots: [Option<Link>; 2],
}

/// The head of a file.
#[derive(Clone, Debug)]
pub(super) struct Head {
    /// Whether it was closed properly.
    pub(super) is_clean: bool,
    /// The newest commit, and the one that an engine falls back to when that one is damaged.
    pub(super) commits: Vec<Commit>,
    /// Whether the commit that must be there can't be read.
    pub(super) has_damage: bool,
    region_header_pages: u64,
    region_pages: u64,
}

impl Head {
    /// Reads the head; none where it is no head of this format.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        if !bytes.starts_with(MAGIC) || u64::from(u32_at(bytes, 12)?) != PAGE {
            return None;
        }
        let flags = *bytes.get(9)?;
        let (primary, is_clean, two_phase) = (flags & 1, flags & 2 == 0, flags & 4 != 0);
        let slot = |at: usize| Commit::read(bytes.get(at..at + SLOT)?);
        let [first, second] = SLOTS.map(slot);
        let (primary, other) = if primary == 0 {
            (first, second)
        } else {
            (second, first)
        };
        // Closed properly, or written in two steps, the primary one is the newest and whole. Else the
        // other may be the newer one, or be half written.
        let is_primary = is_clean || two_phase;
        let has_damage = primary.is_none() && (is_primary || other.is_none());
        let mut commits: Vec<Commit> = if is_primary {
            primary.into_iter().collect()
        } else {
            primary.into_iter().chain(other).collect()
        };
        commits.sort_by_key(|commit| std::cmp::Reverse(commit.number));
        Some(Self {
            is_clean,
            commits,
            has_damage,
            region_header_pages: u32_at(bytes, 16)?.into(),
            region_pages: u32_at(bytes, 20)?.into(),
        })
    }

    /// Where a page begins in the file, and its length; none where no page is there.
    pub(super) fn place(&self, PageNumber(number): PageNumber) -> Option<(u64, usize)> {
        let order = number >> 59;
        if order > 20 {
            return None;
        }
        let index = number & (0xF_FFFF >> order);
        let region = (number >> 20) & 0xF_FFFF;
        let length = PAGE << order;
        let region_size = (self.region_header_pages + self.region_pages) * PAGE;
        let in_region = self.region_header_pages * PAGE + index * length;
        if in_region + length > region_size {
            return None;
        }
        Some((PAGE + region * region_size + in_region, length as usize))
    }
}

impl Commit {
    fn read(slot: &[u8]) -> Option<Self> {
        let checked = slot.get(..SLOT_CHECKSUM)?;
        if xxh3_128(checked) != u128_at(slot, SLOT_CHECKSUM)? || slot.first() != Some(&FORMAT) {
            return None;
        }
        let root = |flag: usize, at: usize| match slot.get(flag) {
            Some(0) => None,
            _ => Link::read(slot, at),
        };
        Some(Self {
            number: u64_at(slot, 104)?,
            roots: [root(1, 8), root(2, 40)],
        })
    }
}

impl Link {
    fn read(bytes: &[u8], at: usize) -> Option<Self> {
        Some(Self {
            page: PageNumber(u64_at(bytes, at)?),
            checksum: u128_at(bytes, at + 8)?,
        })
    }
}

/// How long the keys and values of a table are; none where each has its own length.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Widths {
    pub(super) key: Option<usize>,
    pub(super) value: Option<usize>,
}

/// One of the engine's tables.
#[derive(Debug)]
pub(super) struct TableRoot {
    pub(super) rows: u64,
    pub(super) root: Option<Link>,
    pub(super) widths: Widths,
}

impl TableRoot {
    /// Reads what the table of tables says of a table; none for a kind that we don't use.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        const NORMAL: u8 = 3;
        let width = |flag: usize| match bytes.get(flag) {
            Some(0) => Some(None),
            _ => u32_at(bytes, flag + 1).map(|width| Some(width as usize)),
        };
        if bytes.first() != Some(&NORMAL) {
            return None;
        }
        Some(Self {
            rows: u64_at(bytes, 1)?,
            root: match bytes.get(9) {
                Some(0) => None,
                _ => Some(Link::read(bytes, 10)?),
            },
            widths: Widths {
                key: width(42)?,
                value: width(47)?,
            },
        })
    }
}

/// A page of a table's tree, its checksum verified.
pub(super) enum Node<'a> {
    Leaf(Leaf<'a>),
    Branch(Branch<'a>),
}

impl<'a> Node<'a> {
    /// The page; none where its bytes aren't those that were written.
    pub(super) fn verified(page: &'a [u8], checksum: u128, widths: Widths) -> Option<Self> {
        let entries = usize::from(u16::from_le_bytes([*page.get(2)?, *page.get(3)?]));
        let (node, end) = match page.first()? {
            1 => {
                let leaf = Leaf {
                    page,
                    entries,
                    widths,
                };
                let end = leaf.value_end(entries.checked_sub(1)?)?;
                (Self::Leaf(leaf), end)
            }
            2 => {
                let branch = Branch {
                    page,
                    entries,
                    key: widths.key,
                };
                let end = branch.key_end(entries.checked_sub(1)?)?;
                (Self::Branch(branch), end)
            }
            _ => return None,
        };
        (xxh3_128(page.get(..end)?) == checksum).then_some(node)
    }
}

/// Rows, in the order of their keys.
pub(super) struct Leaf<'a> {
    page: &'a [u8],
    pub(super) entries: usize,
    widths: Widths,
}

impl<'a> Leaf<'a> {
    fn keys_begin(&self) -> usize {
        let columns = [self.widths.key, self.widths.value];
        4 + 4 * self.entries * columns.iter().filter(|width| width.is_none()).count()
    }

    fn key_end(&self, entry: usize) -> Option<usize> {
        match self.widths.key {
            Some(width) => Some(self.keys_begin() + width * (entry + 1)),
            None => u32_at(self.page, 4 + 4 * entry).map(|end| end as usize),
        }
    }

    fn value_end(&self, entry: usize) -> Option<usize> {
        match (self.widths.key, self.widths.value) {
            (_, Some(width)) => {
                Some(self.key_end(self.entries.checked_sub(1)?)? + width * (entry + 1))
            }
            (key, None) => {
                let before = if key.is_none() { 4 * self.entries } else { 0 };
                u32_at(self.page, 4 + before + 4 * entry).map(|end| end as usize)
            }
        }
    }

    /// The key of an entry.
    pub(super) fn key(&self, entry: usize) -> Option<&'a [u8]> {
        if entry >= self.entries {
            return None;
        }
        let begin = match entry.checked_sub(1) {
            Some(before) => self.key_end(before)?,
            None => self.keys_begin(),
        };
        self.page.get(begin..self.key_end(entry)?)
    }

    /// The value of an entry.
    pub(super) fn value(&self, entry: usize) -> Option<&'a [u8]> {
        let begin = match entry.checked_sub(1) {
            Some(before) => self.value_end(before)?,
            None => self.key_end(self.entries.checked_sub(1)?)?,
        };
        self.page.get(begin..self.value_end(entry)?)
    }
}

/// Pages, and the keys between them.
pub(super) struct Branch<'a> {
    page: &'a [u8],
    entries: usize,
    /// How long each key is; none where each has its own length.
    key: Option<usize>,
}

impl<'a> Branch<'a> {
    fn keys_begin(&self) -> usize {
        let lengths = if self.key.is_none() {
            4 * self.entries
        } else {
            0
        };
        8 + 24 * (self.entries + 1) + lengths
    }

    fn key_end(&self, entry: usize) -> Option<usize> {
        match self.key {
            Some(width) => Some(self.keys_begin() + width * (entry + 1)),
            None => {
                u32_at(self.page, 8 + 24 * (self.entries + 1) + 4 * entry).map(|end| end as usize)
            }
        }
    }

    /// The key after a child: those of the child are not greater.
    pub(super) fn key(&self, entry: usize) -> Option<&'a [u8]> {
        if entry >= self.entries {
            return None;
        }
        let begin = match entry.checked_sub(1) {
            Some(before) => self.key_end(before)?,
            None => self.keys_begin(),
        };
        self.page.get(begin..self.key_end(entry)?)
    }

    /// The pages below, in order.
    pub(super) fn children(&self) -> impl Iterator<Item = Option<Link>> + 'a {
        let (page, count) = (self.page, self.entries + 1);
        (0..count).map(move |child| {
            Some(Link {
                checksum: u128_at(page, 8 + 16 * child)?,
                page: PageNumber(u64_at(page, 8 + 16 * count + 8 * child)?),
            })
        })
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

fn u128_at(bytes: &[u8], at: usize) -> Option<u128> {
    Some(u128::from_le_bytes(
        bytes.get(at..at + 16)?.try_into().ok()?,
    ))
}
