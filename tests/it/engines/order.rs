//! Random writes of three shops on one store, at the same time and over few keys. The results must equal a
//! serial run in the order of the commits.

mod closure;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::time::Duration;

use layby::store::{ReadTx, Store};

use crate::support::database::{self, Server, client, join};
use closure::{Ended, Model, Seen, all, order, run, steps};

/// Total number of writes and reads. LAYBY_TEST_CLOSURES overrides it.
const CLOSURES: u32 = 3_000;
const SHOPS: usize = 3;
/// Concurrent visitors of each shop.
const VISITORS: usize = 4;

/// The results that visitors received.
#[derive(Default)]
struct Told {
    kept: HashMap<u32, Seen>,
    refused: Vec<(u32, Seen)>,
    /// Complete reads of the table, each in one closure.
    read: Vec<Seen>,
    not_kept: Vec<u32>,
    /// Writes that the store failed. The outcome of some may be unknown.
    failed: usize,
}

/// Runs one visitor of a shop, who writes and reads until all closures are done. `newest` is the highest
/// number of writes that any visitor of any shop has seen acknowledged.
async fn visit(
    store: Store,
    seed: u64,
    closures: u32,
    next: Arc<AtomicU32>,
    newest: Arc<AtomicU32>,
) -> Told {
    let mut told = Told::default();
    loop {
        let id = next.fetch_add(1, SeqCst);
        if id >= closures {
            return told;
        }
        let known = newest.load(SeqCst);
        let seen = if id.is_multiple_of(8) {
            let Ok(seen) = store.read(|tx: &ReadTx| all(tx)).await else {
                continue;
            };
            told.read.push(seen.clone());
            seen
        } else {
            let steps = steps(seed, id);
            match store.write(move |tx| run(tx, id, &steps)).await {
                Ok(seen) => {
                    newest.fetch_max(seen.turn + 1, SeqCst);
                    told.kept.insert(id, seen.clone());
                    seen
                }
                Err(Ended::Refused(seen)) => {
                    told.refused.push((id, seen.clone()));
                    seen
                }
                Err(why) => {
                    told.failed += 1;
                    if why == Ended::NotKept {
                        told.not_kept.push(id);
                    }
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    continue;
                }
            }
        };
        // A read at any shop sees every write that was acknowledged before the read.
        assert!(
            seen.turn >= known,
            "{} after {known} were acknowledged",
            seen.turn
        );
    }
}

/// Replays the kept writes in the order of their commits, and compares every result.
fn replay(seed: u64, order: &[u32], told: Told, there: &Seen) {
    let distinct = HashSet::<u32>::from_iter(order.iter().copied());
    assert_eq!(distinct.len(), order.len(), "a write was done twice");
    let lost = told.kept.keys().filter(|id| !distinct.contains(id)).count();
    assert_eq!(lost, 0, "writes were acknowledged and are gone");
    let done = told.not_kept.iter().filter(|id| distinct.contains(id));
    assert_eq!(done.count(), 0, "writes were refused and are there");
    let mut between: HashMap<u32, Vec<(Option<u32>, Seen)>> = HashMap::new();
    // A refused closure does not wait for the commit, so it may have seen writes that were not kept.
    let refused = told.refused.into_iter().filter(|_| told.failed == 0);
    for (id, seen) in refused {
        between.entry(seen.turn).or_default().push((Some(id), seen));
    }
    for seen in told.read {
        between.entry(seen.turn).or_default().push((None, seen));
    }
    let mut model = Model::default();
    for turn in 0..=order.len() {
        for (id, seen) in between.remove(&(turn as u32)).unwrap_or_default() {
            match id {
                Some(id) => {
                    let mut own = model.clone();
                    let again = run(&mut own, id, &steps(seed, id));
                    assert_eq!(again, Err(Ended::Refused(seen)), "closure {id}, refused");
                }
                None => assert_eq!(all(&model).unwrap(), seen, "read at turn {turn}"),
            }
        }
        let Some(&id) = order.get(turn) else {
            break;
        };
        let again = run(&mut model, id, &steps(seed, id)).unwrap();
        if let Some(seen) = told.kept.get(&id) {
            assert_eq!(&again, seen, "closure {id} at turn {turn}");
        }
    }
    assert!(between.is_empty(), "somebody saw writes that are gone");
    assert_eq!(&all(&model).unwrap(), there, "in the end");
}

#[tokio::test(flavor = "multi_thread")]
async fn writes_of_three_shops_at_once_are_answered_as_if_they_came_one_after_the_other() {
    let Some(server) = Server::run() else { return };
    let closures = std::env::var("LAYBY_TEST_CLOSURES");
    let closures = closures.map_or(CLOSURES, |closures| closures.parse().unwrap());
    let schema = server.schema().await;
    let seed = uuid::Uuid::new_v4().as_u64_pair().0;
    println!("seed {seed}");
    let mut shops = Vec::new();
    for _ in 0..SHOPS {
        let url = schema.clone();
        let join = tokio::task::spawn_blocking(move || join(&url, &[("breakdown 3", "a")]));
        shops.push(join.await.unwrap().unwrap());
    }
    let (next, newest) = (Arc::default(), Arc::default());
    let visitors = shops.iter().flat_map(|store| vec![store.clone(); VISITORS]);
    let visits = visitors.map(|store| {
        tokio::spawn(visit(
            store,
            seed,
            closures,
            Arc::clone(&next),
            Arc::clone(&newest),
        ))
    });
    let mut told = Told::default();
    for visit in futures_util::future::join_all(visits.collect::<Vec<_>>()).await {
        let of_one = visit.unwrap();
        told.kept.extend(of_one.kept);
        told.refused.extend(of_one.refused);
        told.read.extend(of_one.read);
        told.not_kept.extend(of_one.not_kept);
        told.failed += of_one.failed;
    }
    drop(shops);
    // This read bypasses the three shops and their caches.
    let batches = "SELECT count(*) FROM layby_nodes";
    let left: i64 = client(&schema)
        .await
        .query_one(batches, &[])
        .await
        .unwrap()
        .get(0);
    assert_eq!(left, 0, "all have left");
    let store = database::open(&schema).unwrap();
    let order = store.read(|tx: &ReadTx| order(tx)).await.unwrap();
    let there = store.read(|tx: &ReadTx| all(tx)).await.unwrap();
    let (kept, refused, read) = (told.kept.len(), told.refused.len(), told.read.len());
    println!(
        "{kept} kept, {refused} refused, {read} read, {} failed",
        told.failed
    );
    assert!(kept * 2 > closures as usize, "most were refused or failed");
    assert!(refused > 0 && read > 0);
    replay(seed, &order, told, &there);
}
