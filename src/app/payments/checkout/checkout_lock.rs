//! Locks, so that one call at a time creates an attempt's payment page.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use uuid::Uuid;

/// One lock for each attempt whose page is being created. This process then sends a gateway one
/// call at a time for an attempt. The locks are in memory: after a restart, no call is in progress.
#[derive(Default)]
pub(in crate::app) struct PageTurns(Mutex<HashMap<Uuid, Weak<tokio::sync::Mutex<()>>>>);

impl PageTurns {
    pub(in crate::app::payments) fn lock_for(&self, attempt: Uuid) -> Arc<tokio::sync::Mutex<()>> {
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
