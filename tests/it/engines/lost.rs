//! Broken connections: during a commit, at random points, or without notice.

use std::time::{Duration, Instant};

use layby::store::{DatabaseError, Direction, Read, Store, StoreError};

use crate::support::database::{self, Server};
use crate::support::proxy::{Fate, Proxy};

const TABLE: u8 = 200;
const COUNTER: [u8; 2] = [TABLE, 0];
/// Number of writes while commits are lost in turn. Each write adds one to a counter.
const WRITES: u32 = 400;
/// Number of commits around which connections are cut. LAYBY_TEST_COMMITS overrides it; 1000 commits take
/// three minutes.
const COMMITS: u32 = 200;
/// Number of concurrent visitors who write.
const VISITORS: u32 = 3;

fn number(value: &[u8]) -> u32 {
    u32::from_be_bytes(value.try_into().unwrap())
}

fn counted(tx: &impl Read) -> Result<u32, StoreError> {
    let mut count = 0;
    tx.get(&COUNTER, &mut |value| count = number(value))?;
    Ok(count)
}

/// Returns the stored writes. Each was done once.
fn found(tx: &impl Read) -> Result<Vec<u32>, StoreError> {
    let mut found = Vec::new();
    let mut twice = Vec::new();
    let ends: [&[u8]; 2] = [&[TABLE, 1], &[TABLE, 2]];
    tx.scan(ends[0], ends[1], Direction::Forward, &mut |key, times| {
        found.push(number(&key[2..]));
        if times != [1] {
            twice.push(number(&key[2..]));
        }
        std::ops::ControlFlow::Continue(())
    })?;
    assert!(twice.is_empty(), "done twice: {twice:?}");
    assert_eq!(
        counted(tx)? as usize,
        found.len(),
        "a write was done in part, or its count twice"
    );
    Ok(found)
}

/// The results that the callers of writes received.
#[derive(Default)]
struct Told {
    kept: Vec<u32>,
    not_kept: Vec<u32>,
    unknown: Vec<u32>,
}

impl Told {
    /// Does a write, and records its result.
    async fn by(&mut self, store: &Store, write: u32) {
        let key = [&[TABLE, 1], write.to_be_bytes().as_slice()].concat();
        let done = store.write(move |tx| {
            let (count, mut times) = (counted(tx)?, 0);
            tx.get(&key, &mut |value| times = value[0])?;
            tx.put(COUNTER.to_vec(), (count + 1).to_be_bytes().to_vec());
            tx.put(key.clone(), vec![times + 1]);
            Ok::<_, StoreError>(())
        });
        let began = Instant::now();
        match done.await {
            Ok(()) => self.kept.push(write),
            Err(StoreError::Database(DatabaseError::Unknown)) => self.unknown.push(write),
            Err(StoreError::Database(_) | StoreError::Closed) => {
                self.not_kept.push(write);
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            Err(other) => panic!("{other}"),
        }
        let took = began.elapsed();
        assert!(took < Duration::from_secs(10), "{took:?}");
    }

    /// Checks that the stored writes agree with the results.
    fn agrees(&self, found: &[u32]) {
        let found = std::collections::HashSet::<u32>::from_iter(found.iter().copied());
        let is_there = |write: &u32| found.contains(write);
        assert!(
            self.kept.iter().all(is_there),
            "an acknowledged write is gone"
        );
        assert!(
            !self.not_kept.iter().any(is_there),
            "a write that was refused is there"
        );
        let (kept, not_kept) = (self.kept.len(), self.not_kept.len());
        println!(
            "{kept} kept, {not_kept} not kept, {} not known",
            self.unknown.len()
        );
    }
}

/// Returns the proxy's treatment of a commit. In turn, one commit loses its response and one never arrives.
fn fate(commit: u32) -> Fate {
    match commit % 6 {
        2 => Fate::Unanswered,
        5 => Fate::Lost,
        _ => Fate::Answered,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_whose_answer_is_lost_is_done_once_or_not_at_all_and_its_caller_knows_which() {
    let Some(server) = Server::run() else { return };
    let schema = server.schema().await;
    let proxy = Proxy::before(&schema, fate);
    let store = database::open(&proxy.url(&schema)).unwrap();
    let mut told = Told::default();
    for write in 1..=WRITES {
        told.by(&store, write).await;
    }
    drop(store);
    let store = database::open(&schema).unwrap();
    told.agrees(&store.read(found).await.unwrap());
    let (kept, not_kept) = (told.kept.len(), told.not_kept.len());
    assert!(kept > WRITES as usize / 3, "{kept} of {WRITES}");
    assert!(not_kept > 0);
    assert!(told.unknown.len() < WRITES as usize / 20);
}

#[tokio::test(flavor = "multi_thread")]
async fn around_hundreds_of_commits_connections_are_cut_anywhere_and_what_was_told_is_so() {
    let Some(server) = Server::run() else { return };
    let commits = std::env::var("LAYBY_TEST_COMMITS");
    let commits = commits.map_or(COMMITS, |commits| commits.parse().unwrap());
    let schema = server.schema().await;
    let proxy = Proxy::before(&schema, |_| Fate::Answered);
    let store = database::open(&proxy.url(&schema)).unwrap();
    let seed = uuid::Uuid::new_v4().as_u64_pair().0;
    println!("seed {seed}");
    proxy.cut(60, seed);
    let visitors = (0..VISITORS).map(|visitor| {
        let (store, proxy) = (store.clone(), proxy.clone());
        tokio::spawn(async move {
            let mut told = Told::default();
            for write in 0.. {
                if proxy.commits() >= commits {
                    break;
                }
                told.by(&store, write * VISITORS + visitor).await;
                // Concurrent reads see whole commits only.
                let seen = match write % 8 {
                    0 => store.read(found).await,
                    _ => Ok(Vec::new()),
                };
                if let Err(why) = seen {
                    let is_known = matches!(why, StoreError::Database(_) | StoreError::Closed);
                    assert!(is_known, "{why}");
                }
            }
            told
        })
    });
    let mut told = Told::default();
    for visitor in futures_util::future::join_all(visitors).await {
        let of_one = visitor.unwrap();
        told.kept.extend(of_one.kept);
        told.not_kept.extend(of_one.not_kept);
        told.unknown.extend(of_one.unknown);
    }
    proxy.cut(0, 0);
    drop(store);
    let store = database::open(&schema).unwrap();
    told.agrees(&store.read(found).await.unwrap());
    assert!(!told.not_kept.is_empty(), "nothing was cut");
    let (kept, unknown) = (told.kept.len(), told.unknown.len());
    assert!(unknown < kept / 20, "{unknown} of {kept} not known");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_that_falls_silent_in_the_middle_of_a_batch_keeps_the_lock_for_seconds_only() {
    let Some(server) = Server::run() else { return };
    let schema = server.schema().await;
    let proxy = Proxy::before(&schema, |commit| match commit {
        3 => Fate::Silent,
        _ => Fate::Answered,
    });
    let store = database::open(&proxy.url(&schema)).unwrap();
    let mut told = Told::default();
    let began = Instant::now();
    for write in 0.. {
        told.by(&store, write).await;
        let is_over = !told.unknown.is_empty() && told.kept.last() == Some(&write);
        if is_over {
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(15), "it stays locked");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(told.unknown.len(), 1);
    let found = store.read(found).await.unwrap();
    told.agrees(&found);
    assert!(
        !found.contains(&told.unknown[0]),
        "its commit never arrived"
    );
}
