//! Room on the disk of the data folder. While less than `server.keep_free` is left, nothing new is
//! begun, so that what was begun can be paid for, called back and refunded.

use crate::app::{App, AppError};
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

    /// Whether the disk gets short of room: less than twice what is to stay free is left.
    pub(in crate::app) fn is_room_low(&self) -> bool {
        let server = &self.config.server;
        let least = server.keep_free.saturating_mul(2);
        store::free_bytes(&server.data).is_ok_and(|free| free < least)
    }

    /// Whether the disk has room for something new. A disk that doesn't say how much is free has room.
    pub fn has_room(&self) -> bool {
        let server = &self.config.server;
        !self.disk_room.is_short(&server.data, server.keep_free)
    }
}
