//! Ensures that this process sends one letter about a quote at a time to a mailbox.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::app::AppError;

/// The mailboxes to which this process is sending a letter about a quote. A second letter to a
/// mailbox waits until the first is recorded, so that the daily limit counts both. The set is in
/// memory, because no delivery survives a restart.
#[derive(Default)]
pub(in crate::app) struct InFlight(Mutex<HashSet<String>>);

impl InFlight {
    pub(in crate::app) fn begin(&self, name: &str) -> Result<InFlightGuard<'_>, AppError> {
        let name = name.to_string();
        if !self.names().insert(name.clone()) {
            let why = "another letter is on its way to this mailbox";
            return Err(AppError::ServiceUnavailable(why.to_string()));
        }
        let in_flight = self;
        Ok(InFlightGuard { in_flight, name })
    }

    fn names(&self) -> MutexGuard<'_, HashSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A guard that removes the mailbox from the set on drop.
pub(in crate::app) struct InFlightGuard<'a> {
    in_flight: &'a InFlight,
    name: String,
}

impl Drop for InFlightGuard<'_> {
    fn drop(&mut self) {
        self.in_flight.names().remove(&self.name);
    }
}
