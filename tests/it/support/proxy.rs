//! A proxy between a shop and its database that breaks connections when a test asks for it. It runs on its
//! own threads, because a shop waits for the database on the test's thread.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What the proxy does with sent data.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Road {
    /// Data arrives.
    Open,
    /// Connections are cut and refused.
    Cut,
    /// Connections stay open, but no data arrives.
    Stuck,
}

/// Returns the fate of each commit.
type OnCommit = Arc<dyn Fn(u32) -> Fate + Send + Sync>;

/// The fate of a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The commit and its response arrive.
    Answered,
    /// The commit arrives. The connection is cut before the response.
    Unanswered,
    /// The connection is cut before the commit arrives.
    Lost,
    /// The commit never arrives, and both ends believe that they are connected.
    Silent,
}

/// Random cuts: one chunk in `one_in`, in either direction, arrives in part. Then the connection is cut.
struct Cuts {
    /// No cuts if it is 0.
    one_in: AtomicU32,
    /// State of the pseudo-random numbers.
    next: AtomicU64,
}

/// A proxy between a shop and its database.
#[derive(Clone)]
pub struct Proxy {
    /// Port at which the proxy accepts connections.
    pub port: u16,
    road: Arc<Mutex<Road>>,
    open: Arc<Mutex<Vec<TcpStream>>>,
    commits: Arc<AtomicU32>,
    on_commit: OnCommit,
    cuts: Arc<Cuts>,
}

impl Proxy {
    /// Starts a proxy before `url`. `on_commit` returns the treatment of a commit by its number, from 0.
    pub fn before(url: &str, on_commit: impl Fn(u32) -> Fate + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let proxy = Self {
            port: listener.local_addr().unwrap().port(),
            road: Arc::new(Mutex::new(Road::Open)),
            open: Arc::default(),
            commits: Arc::default(),
            on_commit: Arc::new(on_commit),
            cuts: Arc::new(Cuts {
                one_in: AtomicU32::new(0),
                next: AtomicU64::new(0),
            }),
        };
        let (taking, to) = (proxy.clone(), address(url).to_string());
        thread::spawn(move || {
            for from in listener.incoming() {
                let from = from.unwrap();
                if *taking.road.lock().unwrap() != Road::Cut {
                    taking.join(from, TcpStream::connect(&to).unwrap());
                }
            }
        });
        proxy
    }

    /// Returns the address of the same database through the proxy.
    pub fn url(&self, url: &str) -> String {
        let here = format!("127.0.0.1:{}", self.port);
        url.replace(address(url), &here)
    }

    /// Makes the proxy cut one chunk in `one_in`. `seed` determines which chunks, and where.
    pub fn cut(&self, one_in: u32, seed: u64) {
        self.cuts.next.store(seed, Ordering::Relaxed);
        self.cuts.one_in.store(one_in, Ordering::Relaxed);
    }

    /// Returns the number of commits so far.
    pub fn commits(&self) -> u32 {
        self.commits.load(Ordering::Relaxed)
    }

    pub fn set(&self, road: Road) {
        *self.road.lock().unwrap() = road;
        if road == Road::Cut {
            for stream in self.open.lock().unwrap().drain(..) {
                let _ = stream.shutdown(Shutdown::Both);
            }
        }
    }

    fn join(&self, shop: TcpStream, database: TcpStream) {
        let ends = [shop.try_clone().unwrap(), database.try_clone().unwrap()];
        self.open.lock().unwrap().extend(ends);
        for (from, to, of_shop) in [
            (
                shop.try_clone().unwrap(),
                database.try_clone().unwrap(),
                true,
            ),
            (database, shop, false),
        ] {
            let proxy = self.clone();
            thread::spawn(move || {
                proxy.pass(from.try_clone().unwrap(), to.try_clone().unwrap(), of_shop);
                let _ = from.shutdown(Shutdown::Both);
                let _ = to.shutdown(Shutdown::Both);
            });
        }
    }

    fn pass(&self, mut from: TcpStream, mut to: TcpStream, of_shop: bool) {
        let mut some = [0; 65536];
        loop {
            let Ok(count @ 1..) = from.read(&mut some) else {
                return;
            };
            while *self.road.lock().unwrap() == Road::Stuck {
                thread::sleep(Duration::from_millis(5));
            }
            let sent = &some[..count];
            let mut fate = Fate::Answered;
            // Only a batch with changes sends its commit after other statements.
            if of_shop && sent[0] != b'Q' && sent.windows(7).any(|text| text == b"COMMIT\0") {
                fate = (self.on_commit)(self.commits.fetch_add(1, Ordering::Relaxed));
            }
            if fate == Fate::Silent {
                loop {
                    thread::park();
                }
            }
            if let Some(part) = self.cuts.part_of(count) {
                let _ = to.write_all(&sent[..part]);
                return;
            }
            if fate == Fate::Lost || to.write_all(sent).is_err() || fate == Fate::Unanswered {
                return;
            }
        }
    }
}

impl Cuts {
    /// Returns the number of bytes that arrive before the cut, or `None` if the chunk is not cut.
    fn part_of(&self, count: usize) -> Option<usize> {
        let one_in = u64::from(self.one_in.load(Ordering::Relaxed));
        if one_in == 0 || !self.draw().is_multiple_of(one_in) {
            return None;
        }
        Some(self.draw() as usize % (count + 1))
    }

    /// Draws the next number by SplitMix64.
    fn draw(&self) -> u64 {
        let step = 0x9e37_79b9_7f4a_7c15;
        let mut drawn = self.next.fetch_add(step, Ordering::Relaxed);
        drawn = (drawn ^ (drawn >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        drawn = (drawn ^ (drawn >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        drawn ^ (drawn >> 31)
    }
}

/// Returns the host and port of a database's address.
fn address(url: &str) -> &str {
    let (_, after) = url.split_once('@').unwrap();
    after.split_once('/').unwrap().0
}
