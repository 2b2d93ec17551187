//! The room for bodies that are being read. Where it is full, those that have been coming for long
//! give way: a client that lets its bodies wait keeps nobody else from calling.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::metrics;

/// One client has at most one part in so many of the room.
const PARTS: usize = 8;

/// How long a body may come before it may have to give way to another.
const SLOW: Duration = Duration::from_secs(1);

/// The room.
pub struct BodyRoom {
    size: usize,
    /// How long a body may come before it may have to give way.
    slow: Duration,
    taken: Mutex<Taken>,
}

#[derive(Default)]
struct Taken {
    in_all: usize,
    by_client: HashMap<IpAddr, usize>,
    /// Each share by its number, so the oldest first.
    shares: BTreeMap<u64, Held>,
    numbers: u64,
}

struct Held {
    client: IpAddr,
    bytes: usize,
    since: Instant,
    body: Arc<Coming>,
}

/// A body that comes.
#[derive(Default)]
pub struct Coming {
    is_whole: AtomicBool,
    gives_way: Notify,
}

impl Coming {
    /// Comes back when the body has to give way.
    pub async fn gives_way(&self) {
        self.gives_way.notified().await;
    }
}

/// There is no room.
#[derive(Debug)]
pub struct NoRoom;

/// What a body takes of the room; given back when it is dropped.
pub struct Share {
    room: Arc<BodyRoom>,
    client: IpAddr,
    number: u64,
    bytes: usize,
    body: Arc<Coming>,
}

impl BodyRoom {
    /// A room of so many bytes.
    pub fn new(size: usize) -> Self {
        Self {
            size,
            slow: SLOW,
            taken: Mutex::default(),
        }
    }

    /// A share of a client's, of nothing as yet.
    pub fn share(self: &Arc<Self>, client: IpAddr) -> Share {
        Share {
            room: self.clone(),
            client,
            number: 0,
            bytes: 0,
            body: Arc::default(),
        }
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Share {
    /// The body that the share is for.
    pub fn body(&self) -> Arc<Coming> {
        self.body.clone()
    }

    /// Makes it as large as that. Slow bodies may have to give way, of the same client if its part of
    /// the room is full, of any if all of it is.
    ///
    /// # Errors
    /// When there isn't as much room.
    pub fn grow_to(&mut self, bytes: usize) -> Result<(), NoRoom> {
        let more = bytes.saturating_sub(self.bytes);
        let mut taken = self.room.taken();
        let of_one = self.room.size / PARTS;
        if !taken.make_room(Some(self.client), more, of_one, self.room.slow)
            || !taken.make_room(None, more, self.room.size, self.room.slow)
        {
            return Err(NoRoom);
        }
        if self.number == 0 {
            taken.numbers += 1;
            self.number = taken.numbers;
            let held = Held {
                client: self.client,
                bytes: 0,
                since: Instant::now(),
                body: self.body.clone(),
            };
            taken.shares.insert(self.number, held);
        }
        // One that just had to give way ends, and has no share to grow.
        let held = taken.shares.get_mut(&self.number).ok_or(NoRoom)?;
        held.bytes += more;
        taken.in_all += more;
        *taken.by_client.entry(self.client).or_default() += more;
        self.bytes = bytes;
        metrics::bodies(taken.in_all);
        Ok(())
    }

    /// The body is here: it doesn't give way any more.
    pub fn is_whole(&self) {
        self.body.is_whole.store(true, Ordering::Relaxed);
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        if self.number > 0 {
            let mut taken = self.room.taken();
            taken.give_back(self.number);
            metrics::bodies(taken.in_all);
        }
    }
}

impl Taken {
    fn held_by(&self, client: Option<IpAddr>) -> usize {
        match client {
            Some(client) => self.by_client.get(&client).copied().unwrap_or_default(),
            None => self.in_all,
        }
    }

    /// Has the slow bodies of a client, or of all, give way, the oldest first, until `more` fits into
    /// `size`; answers whether it does.
    fn make_room(
        &mut self,
        client: Option<IpAddr>,
        more: usize,
        size: usize,
        slow: Duration,
    ) -> bool {
        let wanted = (self.held_by(client) + more).saturating_sub(size);
        if wanted == 0 {
            return true;
        }
        let mut found = 0;
        let mut slowest = Vec::new();
        for (number, held) in &self.shares {
            if found >= wanted || held.since.elapsed() < slow {
                break;
            }
            let counts = client.is_none_or(|client| client == held.client);
            if counts && !held.body.is_whole.load(Ordering::Relaxed) {
                found += held.bytes;
                slowest.push(*number);
            }
        }
        if found < wanted {
            return false;
        }
        for number in slowest {
            if let Some(held) = self.shares.get(&number) {
                held.body.gives_way.notify_one();
            }
            self.give_back(number);
        }
        true
    }

    fn give_back(&mut self, number: u64) {
        let Some(held) = self.shares.remove(&number) else {
            return;
        };
        self.in_all = self.in_all.saturating_sub(held.bytes);
        if let Some(by_client) = self.by_client.get_mut(&held.client) {
            *by_client = by_client.saturating_sub(held.bytes);
            if *by_client == 0 {
                self.by_client.remove(&held.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(slow: Duration) -> Arc<BodyRoom> {
        let room = BodyRoom::new(800);
        Arc::new(BodyRoom { slow, ..room })
    }

    fn share(room: &Arc<BodyRoom>, last: u8, bytes: usize) -> Result<Share, NoRoom> {
        let mut share = room.share([10, 0, 0, last].into());
        share.grow_to(bytes).map(|()| share)
    }

    #[test]
    fn one_client_has_an_eighth_of_the_room_and_all_together_have_all_of_it() {
        let room = room(SLOW);
        let mut first = share(&room, 1, 60).unwrap();
        let second = share(&room, 1, 40).unwrap();
        assert!(first.grow_to(61).is_err() && share(&room, 1, 1).is_err());
        let others: Vec<_> = (2..=8).map(|client| share(&room, client, 100)).collect();
        assert!(others.iter().all(Result::is_ok));
        assert!(share(&room, 9, 1).is_err(), "all of it is taken");
        drop(second);
        let ninth = share(&room, 9, 40).unwrap();
        assert!(share(&room, 9, 1).is_err());
        drop((first, others, ninth));
        let taken = room.taken();
        assert_eq!((taken.in_all, taken.by_client.len()), (0, 0));
        assert!(taken.shares.is_empty());
    }

    #[tokio::test]
    async fn slow_bodies_give_way_the_oldest_first_and_whole_ones_do_not() {
        let room = room(Duration::ZERO);
        let whole = share(&room, 1, 30).unwrap();
        whole.is_whole();
        let mut oldest = share(&room, 1, 40).unwrap();
        let next = share(&room, 1, 30).unwrap();
        // A client's part is full: its own give way, though there is room.
        let _newest = share(&room, 1, 35).unwrap();
        oldest.body().gives_way().await;
        assert!(oldest.grow_to(41).is_err(), "it ended");
        drop(oldest);
        assert_eq!(room.taken().in_all, 95);
        // What is whole stays, and is not asked for more than all others have.
        assert!(share(&room, 1, 71).is_err());
        assert_eq!(room.taken().in_all, 95);
        drop(next);
        drop(whole);
        // All of it is full: anybody's give way.
        let others: Vec<_> = (2..=8).map(|client| share(&room, client, 100)).collect();
        let _ninth = share(&room, 9, 70).unwrap();
        assert!(others.iter().all(Result::is_ok));
        assert_eq!(room.taken().in_all, 770);
    }
}
