//! A disk in memory that fails on demand, and computes what a power cut would leave.

use std::io;
use std::sync::Mutex;

use layby::store::Disk;

/// The kind of fault.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// This number of writes, syncs and resizes fail, from the n-th on.
    Fails(u32),
    /// They fail as on a full disk.
    Full(u32),
    /// Power cut at the n-th write or sync: all of them fail from then on.
    PowerCut,
    /// Kill after n syncs: all writes and syncs fail from then on.
    Killed,
}

#[derive(Debug, Default)]
struct Bytes {
    /// The bytes that the operating system reads.
    seen: Vec<u8>,
    /// The bytes that a power cut would leave, without the pending writes.
    synced: Vec<u8>,
    /// Writes since the last sync: offset and bytes.
    pending: Vec<(usize, Vec<u8>)>,
    /// Number of requested writes, syncs and resizes.
    asked: u32,
    /// Number of completed syncs.
    synced_times: u32,
    /// Whether a write or sync has failed.
    failed: bool,
    /// The fault, and the number of the operation that fails.
    fault: Option<(u32, Fault)>,
}

impl Bytes {
    fn ask(&mut self) -> io::Result<()> {
        self.asked += 1;
        let fails = self.fault.is_some_and(|(at, fault)| match fault {
            Fault::Fails(times) | Fault::Full(times) => (at..at + times).contains(&self.asked),
            Fault::PowerCut => self.asked >= at,
            Fault::Killed => self.synced_times >= at,
        });
        self.failed |= fails;
        if fails {
            let is_full = matches!(self.fault, Some((_, Fault::Full(_))));
            return Err(io::Error::from_raw_os_error(if is_full { 28 } else { 5 }));
        }
        Ok(())
    }
}

#[derive(Debug, Default)]
pub struct Faulty(Mutex<Bytes>);

impl Faulty {
    /// Returns a disk with these bytes.
    pub fn of(bytes: Vec<u8>) -> Self {
        Self(Mutex::new(Bytes {
            seen: bytes.clone(),
            synced: bytes,
            ..Bytes::default()
        }))
    }

    /// Makes the `n`-th write or sync from now on fail, counted from 1.
    pub fn fault(&self, n: u32, fault: Fault) {
        let mut bytes = self.0.lock().unwrap();
        bytes.asked = 0;
        bytes.synced_times = 0;
        bytes.failed = false;
        bytes.fault = Some((n, fault));
    }

    /// Returns the number of writes and syncs since the fault was set.
    pub fn asked(&self) -> u32 {
        self.0.lock().unwrap().asked
    }

    /// Returns the number of completed syncs since the fault was set.
    pub fn synced(&self) -> u32 {
        self.0.lock().unwrap().synced_times
    }

    /// Checks whether a write or sync has failed since the fault was set.
    pub fn has_failed(&self) -> bool {
        self.0.lock().unwrap().failed
    }

    /// Returns the bytes on the disk.
    pub fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap().seen.clone()
    }

    /// Returns what a power cut leaves: all synced bytes, and some of the 512-byte sectors written since, in
    /// any order. `chance` decides which.
    pub fn after_power_cut(&self, mut chance: u64) -> Vec<u8> {
        let bytes = self.0.lock().unwrap();
        let mut left = bytes.synced.clone();
        left.resize(bytes.seen.len(), 0);
        for (offset, written) in &bytes.pending {
            for (number, sector) in written.chunks(512).enumerate() {
                chance ^= chance << 13;
                chance ^= chance >> 7;
                chance ^= chance << 17;
                let from = offset + number * 512;
                if chance.is_multiple_of(2) && from + sector.len() <= left.len() {
                    left[from..from + sector.len()].copy_from_slice(sector);
                }
            }
        }
        left
    }
}

impl Disk for Faulty {
    fn size(&self) -> io::Result<u64> {
        Ok(self.0.lock().unwrap().seen.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let bytes = self.0.lock().unwrap();
        let from = offset as usize;
        let stored = bytes.seen.get(from..from + out.len());
        out.copy_from_slice(stored.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn resize(&self, size: u64) -> io::Result<()> {
        let mut bytes = self.0.lock().unwrap();
        bytes.ask()?;
        bytes.seen.resize(size as usize, 0);
        Ok(())
    }

    fn write(&self, offset: u64, written: &[u8]) -> io::Result<()> {
        let mut bytes = self.0.lock().unwrap();
        bytes.ask()?;
        let from = offset as usize;
        bytes.seen[from..from + written.len()].copy_from_slice(written);
        bytes.pending.push((from, written.to_vec()));
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        let mut bytes = self.0.lock().unwrap();
        bytes.ask()?;
        bytes.synced = bytes.seen.clone();
        bytes.pending.clear();
        bytes.synced_times += 1;
        Ok(())
    }
}
