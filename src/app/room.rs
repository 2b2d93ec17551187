//! Room on the disk of the data folder. While less than `server.keep_free` is left, nothing new is
//! begun, so that what was begun can be paid for, called back and refunded.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use crate::app::{App, AppError};
use crate::metrics;
use crate::store;

/// The disk is not asked again for this long.
const LOOK: Duration = Duration::from_millis(50);

/// What was seen of the disk last.
#[derive(Default)]
pub(in crate::app) struct DiskRoom {
    looked: Option<Instant>,
    is_short: bool,
}

impl App {
    /// Refuses to begin something new while the disk is short of room.
    ///
    /// # Errors
    /// [`AppError::NoRoom`].
    pub(in crate::app) fn require_room(&self) -> Result<(), AppError> {
        if self.has_room() {
            Ok(())
        } else {
            Err(AppError::NoRoom)
        }
    }

    /// Whether the disk has room for something new; a change is logged. A disk that doesn't say
    /// how much is free has room.
    pub fn has_room(&self) -> bool {
        let mut seen = self
            .disk_room
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if seen.looked.is_none_or(|at| at.elapsed() >= LOOK) {
            self.look_at_disk(&mut seen);
        }
        !seen.is_short
    }

    fn look_at_disk(&self, seen: &mut DiskRoom) {
        let server = &self.config.server;
        seen.looked = Some(Instant::now());
        let Ok(free) = store::free_bytes(&server.data) else {
            seen.is_short = false;
            return;
        };
        metrics::free(free);
        let is_short = free < server.keep_free;
        if is_short == seen.is_short {
            return;
        }
        seen.is_short = is_short;
        let (free_mib, keep_free_mib) = (free >> 20, server.keep_free >> 20);
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
