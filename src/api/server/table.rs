//! The table of open connections: who gets a place, and who has to leave for it.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::Limits;
use super::connection::{Connection, Order};
use crate::config::client_network;
use crate::metrics;

/// How often is logged that connections run out.
const LOGGED_EVERY: Duration = Duration::from_secs(60);

/// One connection in so many is closed at once where there are too many, so that looking for them
/// costs little for each.
const PART_CLOSED: usize = 64;

/// How long a connection may do nothing when the server stops.
const IDLE_WHILE_STOPPING: Duration = Duration::from_secs(1);

/// The open connections.
pub(super) struct Table {
    limits: Limits,
    open: Mutex<Open>,
    emptied: Notify,
}

/// A connection's client and number.
type Key = (IpAddr, u64);

#[derive(Default)]
struct Open {
    connections: BTreeMap<Key, Arc<Connection>>,
    /// How many of them were told to close.
    closing: usize,
    numbers: u64,
    is_stopping: bool,
    shortage: Shortage,
}

/// What became of connections for which there was no room, since it was last logged.
#[derive(Default)]
struct Shortage {
    closed: usize,
    refused: usize,
    failed: usize,
    logged: Option<Instant>,
}

/// A connection's place in the table; free again when it is dropped.
pub(super) struct Place {
    table: Arc<Table>,
    key: Key,
    pub(super) connection: Arc<Connection>,
    /// Whether others were closed for it.
    pub(super) made_room: bool,
}

impl Table {
    pub(super) fn new(limits: Limits) -> Arc<Self> {
        Arc::new(Self {
            limits,
            open: Mutex::default(),
            emptied: Notify::new(),
        })
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a connection from `peer`, perhaps that of one that does nothing; none where each
    /// that could be closed is at work.
    pub(super) fn admit(self: &Arc<Self>, peer: IpAddr) -> Option<Place> {
        let client = client_network(peer);
        let mut open = self.open();
        let closed = open.room_for(client, self.limits.is_trusted(peer), &self.limits)?;
        open.numbers += 1;
        let (key, connection) = ((client, open.numbers), Arc::new(Connection::new()));
        open.connections.insert(key, connection.clone());
        Some(Place {
            table: self.clone(),
            key,
            connection,
            made_room: closed > 0,
        })
    }

    /// No file is left for another connection: some that do nothing are closed.
    pub(super) fn no_file_left(&self) {
        let mut open = self.open();
        let wanted = open.connections.len() / PART_CLOSED + 1;
        open.shortage.failed += 1;
        open.close(None, wanted);
    }

    /// Closes the connections whose clients keep us waiting too long, and logs a shortage.
    pub(super) fn sweep(&self) {
        let mut patience = self.limits.patience;
        let mut open = self.open();
        if open.is_stopping {
            patience.head = patience.head.min(IDLE_WHILE_STOPPING);
            patience.idle = patience.head;
        }
        let mut closing = 0;
        let mut stalled = Vec::new();
        let mut unread = 0;
        for connection in open.connections.values() {
            if connection.is_overdue(&patience) {
                closing += usize::from(connection.tell(Order::Close));
            } else if let Some((size, lasted)) = connection.unread() {
                unread += size;
                if size > 0 && Connection::is_stalled(lasted) {
                    stalled.push((lasted, size, connection));
                }
            }
        }
        // Answers are held until they are read. Of those that nobody reads the oldest are given up.
        if unread > self.limits.unread {
            stalled.sort_unstable_by_key(|(lasted, ..)| std::cmp::Reverse(*lasted));
            for (_, size, connection) in stalled {
                if unread <= self.limits.unread {
                    break;
                }
                unread -= size;
                closing += usize::from(connection.tell(Order::Close));
            }
        }
        open.closing += closing;
        metrics::connections(open.connections.len());
        let number = open.connections.len();
        open.shortage.log(number);
    }

    /// Has every connection end: idle ones now, the others with their answer.
    pub(super) fn stop(&self) {
        let mut open = self.open();
        open.is_stopping = true;
        for connection in open.connections.values() {
            connection.tell(Order::Finish);
        }
    }

    /// Has every connection end now.
    pub(super) fn close_all(&self) {
        for connection in self.open().connections.values() {
            connection.tell(Order::Close);
        }
    }

    /// Waits a moment at the most; answers whether no connection is open.
    pub(super) async fn is_empty_soon(&self, moment: Duration) -> bool {
        if self.open().connections.is_empty() {
            return true;
        }
        let _ = tokio::time::timeout(moment, self.emptied.notified()).await;
        self.open().connections.is_empty()
    }
}

impl Open {
    /// The connections of a client that weren't told to close.
    fn of(&self, client: IpAddr) -> impl Iterator<Item = &Arc<Connection>> {
        let own = self.connections.range((client, 0)..=(client, u64::MAX));
        own.map(|(_, connection)| connection)
            .filter(|connection| !connection.is_closing())
    }

    /// Sees to room for one more connection; answers how many were closed for it, and none when no
    /// room can be made.
    fn room_for(&mut self, client: IpAddr, is_trusted: bool, limits: &Limits) -> Option<usize> {
        let has_all = !is_trusted && self.of(client).count() >= limits.of_one;
        let is_full = self.connections.len() - self.closing >= limits.in_all;
        let closed = match (has_all, is_full) {
            (false, false) => return Some(0),
            (true, _) => self.close(Some(client), 1),
            (false, true) => self.close(None, limits.in_all / PART_CLOSED + 1),
        };
        if closed == 0 {
            self.shortage.refused += 1;
            metrics::turned_away("refused", 1);
            return None;
        }
        Some(closed)
    }

    /// Closes so many connections, of a client or of all, that do nothing; answers how many.
    fn close(&mut self, of: Option<IpAddr>, wanted: usize) -> usize {
        let ranked = |connection: &Arc<Connection>| Some((connection.rank()?, connection.clone()));
        let mut ranked: Vec<_> = match of {
            Some(client) => self.of(client).filter_map(ranked).collect(),
            None => {
                let all = self.connections.values();
                let all = all.filter(|connection| !connection.is_closing());
                all.filter_map(ranked).collect()
            }
        };
        if wanted < ranked.len() {
            ranked.select_nth_unstable_by_key(wanted, |(rank, _)| *rank);
            ranked.truncate(wanted);
        }
        let closed = ranked.iter();
        let closed = closed.filter(|(_, connection)| connection.tell(Order::Close));
        let closed = closed.count();
        self.closing += closed;
        self.shortage.closed += closed;
        metrics::turned_away("closed", closed);
        closed
    }
}

impl Shortage {
    /// Says once a minute that connections ran out, and for how many.
    fn log(&mut self, open: usize) {
        let is_time = self
            .logged
            .is_none_or(|logged| logged.elapsed() >= LOGGED_EVERY);
        if !is_time || self.closed + self.refused + self.failed == 0 {
            return;
        }
        tracing::warn!(
            open,
            closed = self.closed,
            refused = self.refused,
            failed = self.failed,
            "connections run out: idle ones were closed, others refused, or no file was left for them"
        );
        *self = Self {
            logged: Some(Instant::now()),
            ..Self::default()
        };
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.table.open();
        open.connections.remove(&self.key);
        if self.connection.is_closing() {
            open.closing = open.closing.saturating_sub(1);
        }
        if open.connections.is_empty() {
            self.table.emptied.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortage_is_logged_once_a_minute_with_all_that_came_of_it() {
        let mut shortage = Shortage::default();
        shortage.log(7);
        assert!(shortage.logged.is_none(), "nothing ran out");
        shortage.failed = 1;
        shortage.log(7);
        assert_eq!(shortage.failed, 0, "it is said at once");
        for (seconds, is_logged) in [(1, false), (59, false), (61, true)] {
            shortage.failed += 1;
            shortage.logged = Instant::now().checked_sub(Duration::from_secs(seconds));
            shortage.log(7);
            assert_eq!(shortage.failed == 0, is_logged, "{seconds} s");
        }
    }
}
