//! Free space on the disk of the data folder. While less than `server.min_free_disk` is left, the shop
//! refuses new quotes, changes and vehicle look-ups. The remaining space is for open payments, callbacks and
//! refunds. A reading of the disk is cached, because it costs as much as a small look-up.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::app::AppError;
use crate::config::ServerSettings;
use crate::metrics;
use crate::store;

/// How long a reading of the disk is used.
const CACHE_TIME: Duration = Duration::from_millis(50);

/// The free space of one disk, and the space that must stay free.
pub(crate) struct DiskSpace {
    folder: PathBuf,
    /// In bytes.
    min_free: u64,
    reading: Mutex<Reading>,
}

#[derive(Default)]
struct Reading {
    read_at: Option<Instant>,
    is_short: bool,
}

impl DiskSpace {
    pub(in crate::app) fn new(server: &ServerSettings) -> Self {
        Self {
            folder: server.data.clone(),
            min_free: server.min_free_disk,
            reading: Mutex::default(),
        }
    }

    /// Fails if the disk is short of space, so that the caller refuses new work.
    ///
    /// # Errors
    /// [`AppError::InsufficientStorage`] if the disk is short of space.
    pub(in crate::app) fn ensure(&self) -> Result<(), AppError> {
        if self.is_short() {
            return Err(AppError::InsufficientStorage);
        }
        Ok(())
    }

    /// Returns whether less than twice `min_free` is left, or false if the free space can't be read. Reads
    /// the disk at each call.
    pub(in crate::app) fn is_low(&self) -> bool {
        let least = self.min_free.saturating_mul(2);
        store::free_bytes(&self.folder).is_ok_and(|free| free < least)
    }

    /// Returns whether less than `min_free` is left, from a reading that is at most [`CACHE_TIME`] old. Logs
    /// a change. Returns false if the free space can't be read, and does not log the failure.
    pub(crate) fn is_short(&self) -> bool {
        let mut reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        if reading
            .read_at
            .is_none_or(|read_at| read_at.elapsed() >= CACHE_TIME)
        {
            reading.read_at = Some(Instant::now());
            self.read_disk(&mut reading);
        }
        reading.is_short
    }

    fn read_disk(&self, reading: &mut Reading) {
        let Ok(free) = store::free_bytes(&self.folder) else {
            reading.is_short = false;
            return;
        };
        metrics::set_free_bytes(free, self.min_free);
        let is_short = free < self.min_free;
        if is_short == reading.is_short {
            return;
        }
        reading.is_short = is_short;
        let (free_mib, min_free_mib) = (free >> 20, self.min_free >> 20);
        if is_short {
            tracing::warn!(
                free_mib,
                min_free_mib,
                "the disk is short of space: nothing new begins until more is free"
            );
        } else {
            tracing::info!(free_mib, min_free_mib, "the disk has space again");
        }
    }
}
