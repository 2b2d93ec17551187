//! Room on the disk of the data folder. While less than `server.keep_free` is left, nothing new is
//! begun, so that what was begun can be paid for, called back and refunded.

use std::sync::atomic::Ordering;

use crate::app::{App, AppError};
use crate::metrics;
use crate::store;

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
        let server = &self.config.server;
        let Ok(free) = store::free_bytes(&server.data) else {
            return true;
        };
        metrics::free(free);
        let is_short = free < server.keep_free;
        if self.was_short.swap(is_short, Ordering::Relaxed) != is_short {
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
        !is_short
    }
}
