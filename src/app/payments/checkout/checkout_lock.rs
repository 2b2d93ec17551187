//! Who may ask a gateway for the page of an attempt.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use uuid::Uuid;

/// A turn for each attempt whose page is being asked for, so that a gateway hears of it from one call at a
/// time. Kept in memory: after a restart nobody is asking.
#[derive(Default)]
pub(in crate::app) struct PageTurns(Mutex<HashMap<Uuid, Weak<tokio::sync::Mutex<()>>>>);

impl PageTurns {
    /// The turn of an attempt.
    pub(in crate::app::payments) fn of(&self, attempt: Uuid) -> Arc<tokio::sync::Mutex<()>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turn) = all.get(&attempt).and_then(Weak::upgrade) {
            return turn;
        }
        all.retain(|_, turn| turn.strong_count() > 0);
        let turn = Arc::default();
        all.insert(attempt, Arc::downgrade(&turn));
        turn
    }
}
