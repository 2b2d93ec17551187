//! The mailboxes to which a letter about a quote is being sent.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::app::AppError;

/// The mailboxes to which a letter about a quote is being sent. Each mailbox gets one letter at a
/// time: the next letter must read the previous one's row. Otherwise the daily limit would fail.
/// The set is in memory: after a restart no letter is being sent.
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

/// Removes the mailbox from the set on drop.
pub(in crate::app) struct InFlightGuard<'a> {
    in_flight: &'a InFlight,
    name: String,
}

impl Drop for InFlightGuard<'_> {
    fn drop(&mut self) {
        self.in_flight.names().remove(&self.name);
    }
}
