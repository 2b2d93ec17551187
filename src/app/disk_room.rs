//! What was seen of the disk last. It is not asked for every call: that costs as much as a small look-up.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::metrics;
use crate::store;

/// The disk is not asked again for this long.
const LOOK: Duration = Duration::from_millis(50);

/// Whether the disk of the data folder is short of room.
#[derive(Default)]
pub(in crate::app) struct DiskRoom(Mutex<Seen>);

#[derive(Default)]
struct Seen {
    at: Option<Instant>,
    is_short: bool,
}

impl DiskRoom {
    /// Whether less than `keep_free` bytes are free on the disk of the folder `data`; a change is logged.
    /// A disk that doesn't say how much is free isn't short.
    pub(in crate::app) fn is_short(&self, data: &Path, keep_free: u64) -> bool {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.at.is_none_or(|at| at.elapsed() >= LOOK) {
            seen.at = Some(Instant::now());
            seen.look(data, keep_free);
        }
        seen.is_short
    }
}

impl Seen {
    fn look(&mut self, data: &Path, keep_free: u64) {
        let Ok(free) = store::free_bytes(data) else {
            self.is_short = false;
            return;
        };
        metrics::free(free);
        let is_short = free < keep_free;
        if is_short == self.is_short {
            return;
        }
        self.is_short = is_short;
        let (free_mib, keep_free_mib) = (free >> 20, keep_free >> 20);
        if is_short {
            tracing::warn!(
                free_mib,
                keep_free_mib,
                "the disk is short of room: nothing new is begun until more is free"
            );
        } else {
            tracing::info!(free_mib, keep_free_mib, "the disk has room again");
        }
    }
}
