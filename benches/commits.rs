//! Measures the cost of commits that let a store open at once after a kill: `cargo bench --bench
//! commits`. 64 writers in a closed loop share commits, as the shop's writers do
//! (docs/decisions/0017-opening-after-a-kill.md). They use redb directly.
//!
//! Plain commits alternate with quick commits, which also write redb's allocator state. A second run
//! alternates plain commits with commits that are quick only while the load is low. After each run the
//! process is killed, and the store opened again. `-- POLICIES` sets another size of store.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use redb::{Database, TableDefinition};

/// The binary's own allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROWS: TableDefinition<'static, &'static [u8], &'static [u8]> = TableDefinition::new("rows");
const POLICIES: u64 = 300_000;
const ROUNDS: usize = 8;
const TURN: Duration = Duration::from_millis(1500);
/// How long a writer computes before it writes.
const WORK: Duration = Duration::from_micros(100);
/// Rows that one create writes, and the most rows of two successive commits under a low load.
const EACH: usize = 3;
const CALM: usize = 32;
/// The variables of the process that is killed: the store, and the limit of rows for quick commits.
const STORE: &str = "LAYBY_BENCH_STORE";
const QUICK: &str = "LAYBY_BENCH_QUICK";

/// Returns the key of an index row, at a random position in its table.
fn index(table: u8, number: u64) -> Vec<u8> {
    let place = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    [&[table][..], &place.to_be_bytes(), &number.to_be_bytes()].concat()
}

/// Returns the key of a row after all others of its table.
fn row(table: u8, number: u64) -> Vec<u8> {
    [&[table][..], &number.to_be_bytes(), &[0; 8]].concat()
}

/// Fills a store with about as many rows as `policies` policies have.
fn fill(path: &Path, policies: u64) {
    let db = Database::create(path).unwrap();
    let value = [7; 1500];
    for from in (0..policies).step_by(20_000) {
        let write = db.begin_write().unwrap();
        let mut rows = write.open_table(ROWS).unwrap();
        for number in from..policies.min(from + 20_000) {
            for (table, size) in [(10, 1500), (20, 500), (30, 500), (32, 300), (33, 300)] {
                rows.insert(&row(table, number)[..], &value[..size])
                    .unwrap();
            }
            for table in [13, 21, 24, 31] {
                rows.insert(&index(table, number)[..], &value[..20])
                    .unwrap();
            }
        }
        drop(rows);
        write.commit().unwrap();
    }
}

type Create = (u64, mpsc::SyncSender<()>);

/// Commits the waiting creates and replies to each. `is_quick` decides whether a commit is quick, by its
/// rows and those of the commit before.
fn write_all(db: &Database, waiting: &mpsc::Receiver<Create>, is_quick: impl Fn(usize) -> bool) {
    let value = [7; 2000];
    let mut before = 0;
    while let Ok(first) = waiting.recv() {
        let batch: Vec<Create> = std::iter::once(first).chain(waiting.try_iter()).collect();
        let mut write = db.begin_write().unwrap();
        let mut rows = write.open_table(ROWS).unwrap();
        for (number, _) in &batch {
            rows.insert(&row(10, *number)[..], &value[..]).unwrap();
            for table in [14, 18] {
                rows.insert(&index(table, *number)[..], &value[..1])
                    .unwrap();
            }
        }
        drop(rows);
        let count = batch.len() * EACH;
        write.set_quick_repair(is_quick(count + before));
        before = count;
        write.commit().unwrap();
        for (_, answer) in batch {
            let _ = answer.send(());
        }
    }
}

/// Measures both kinds of commit alternately. It exits without closing the store, like a kill.
fn measure(path: &Path, most: usize) {
    let is_turn = Arc::new(AtomicBool::new(false));
    let done = Arc::new(AtomicU64::new(0));
    // The numbers are above those of all earlier processes.
    let numbers = Arc::new(AtomicU64::new(u64::from(std::process::id()) << 32));
    let (queue, waiting) = mpsc::channel::<Create>();
    for _ in 0..64 {
        let (queue, done, numbers) = (queue.clone(), done.clone(), numbers.clone());
        thread::spawn(move || {
            let (answer, answered) = mpsc::sync_channel(1);
            loop {
                let began = Instant::now();
                while began.elapsed() < WORK {
                    std::hint::spin_loop();
                }
                let number = numbers.fetch_add(1, Relaxed);
                queue.send((number, answer.clone())).unwrap();
                answered.recv().unwrap();
                done.fetch_add(1, Relaxed);
            }
        });
    }
    let (db, turn) = (Database::open(path).unwrap(), is_turn.clone());
    thread::spawn(move || {
        write_all(&db, &waiting, |rows| turn.load(Relaxed) && rows <= most);
    });
    let rate = |quick: bool| {
        is_turn.store(quick, Relaxed);
        thread::sleep(TURN / 10);
        let (before, began) = (done.load(Relaxed), Instant::now());
        thread::sleep(TURN);
        (done.load(Relaxed) - before) as f64 / began.elapsed().as_secs_f64()
    };
    let mut rounds: Vec<(f64, f64)> = (0..ROUNDS).map(|_| (rate(false), rate(true))).collect();
    let ratio = |round: &(f64, f64)| round.1 / round.0;
    rounds.sort_by(|one, other| ratio(one).total_cmp(&ratio(other)));
    let middle = rounds[ROUNDS / 2];
    println!(
        "plain {:.0} a second, these {:.0}: {:.2} of it, {:.2} to {:.2}",
        middle.0,
        middle.1,
        ratio(&middle),
        ratio(&rounds[0]),
        ratio(&rounds[ROUNDS - 1]),
    );
    std::process::exit(0);
}

fn main() {
    if let Some(store) = std::env::var_os(STORE) {
        let most = std::env::var(QUICK).unwrap().parse().unwrap();
        measure(Path::new(&store), most);
    }
    let mut sizes = std::env::args().filter_map(|argument| argument.parse().ok());
    let policies = sizes.next().unwrap_or(POLICIES);
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    fill(&store, policies);
    let megabytes = std::fs::metadata(&store).unwrap().len() >> 20;
    println!("{policies} policies, {megabytes} MB");
    for (name, most) in [("all quick", usize::MAX), ("quick while calm", CALM)] {
        println!("{name}:");
        let mut measured = Command::new(std::env::current_exe().unwrap());
        measured.env(STORE, &store).env(QUICK, most.to_string());
        assert!(measured.status().unwrap().success());
        let began = Instant::now();
        drop(Database::open(&store).unwrap());
        println!("opened after it in {:.0?}", began.elapsed());
    }
}
