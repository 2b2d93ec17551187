//! Measures a day on which 100,000 renewals are due: `cargo bench --bench renewals`. The first run does
//! the day's work in one process, and reports its memory. The second run kills the process half way, and
//! another process continues. The letters that follow are queued, not sent.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod support {
    pub mod shop;
}

use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use chrono::{DateTime, Days, Utc};
use layby::app::{App, jobs, seed};
use layby::domain::policy::Policy;
use layby::domain::policy::renewal::RenewalStatus;
use layby::domain::quote::{Quote, QuoteStatus};
use layby::store::{Direction, StoreError, WriteTx, tables};
use support::shop::app;
use uuid::Uuid;

/// The binary's own allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Policies due on the one day.
const DUE: u32 = 100_000;
const CUSTOMERS: u32 = 5_000;
/// Policies written in one transaction.
const BATCH: usize = 1_000;
/// The variable that makes a process do the day's work of the store in this folder.
const WORK_IN: &str = "LAYBY_BENCH_FOLDER";

fn now() -> DateTime<Utc> {
    "2026-11-21T06:00:00Z".parse().unwrap()
}

/// Copies live policies of demonstration customers until there are enough. All copies are due.
async fn fill(app: &App) {
    let plan = seed::Plan {
        customers: CUSTOMERS,
        policies: 400,
        seed_number: 1,
    };
    seed::fill(app, &plan, &mut |_, _| {}).await.unwrap();
    let today = app.clock.today();
    let (mut patterns, mut owners) = (Vec::new(), Vec::new());
    {
        let tx = app.store.read(|tx| Ok::<_, StoreError>(tx.clone())).await;
        let tx = tx.unwrap();
        tables::POLICIES
            .scan(&tx, &(), Direction::Forward, |uuid, policy| {
                let quote = tables::QUOTES.get(&tx, &uuid).unwrap().unwrap();
                if quote.status == QuoteStatus::Live && policy.renewal.quote().is_none() {
                    patterns.push((quote, policy));
                }
                ControlFlow::Continue(())
            })
            .unwrap();
        tables::USERS
            .scan(&tx, &(), Direction::Forward, |uuid, _| {
                owners.push(uuid);
                ControlFlow::Continue(())
            })
            .unwrap();
    }
    // Only the copies are due.
    let originals: Vec<_> = patterns.iter().map(|(_, policy)| policy.clone()).collect();
    let forget = move |tx: &mut WriteTx<'_>| {
        for policy in &originals {
            let day = policy.renewal.due().unwrap();
            tables::POLICY_BY_RENEWAL.remove_stray(tx, &(day, policy.uuid));
        }
        Ok::<_, StoreError>(())
    };
    app.store.write(forget).await.unwrap();
    let copies: Vec<u32> = (0..DUE).collect();
    for numbers in copies.chunks(BATCH) {
        let mut batch = Vec::new();
        for number in numbers {
            let number = *number as usize;
            let (quote, policy) = patterns[number % patterns.len()].clone();
            // The order of the ids differs from the order of this loop, which is the order of sale.
            let uuid = Uuid::from_u128((number as u128 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
            let quote = Quote {
                uuid,
                reference: format!("BENCH{number}"),
                owner: Some(owners[number % owners.len()]),
                ..quote
            };
            let expiry = today + Days::new(28);
            let policy = Policy {
                uuid,
                expiry,
                inception: expiry - Days::new(364),
                renewal: RenewalStatus::Due { on: today },
                ..policy
            };
            batch.push((quote, policy));
        }
        let write = move |tx: &mut WriteTx<'_>| {
            for (quote, policy) in &batch {
                let uuid = quote.uuid;
                tables::QUOTES.put(tx, &uuid, quote)?;
                tables::POLICIES.put(tx, &uuid, policy)?;
            }
            Ok::<_, StoreError>(())
        };
        app.store.write(write).await.unwrap();
    }
}

/// Counts the policies with a renewal quote that names them. Checks that each policy has one renewal of
/// its own.
async fn renewed(app: &App) -> u32 {
    let tx = app.store.read(|tx| Ok::<_, StoreError>(tx.clone())).await;
    let tx = tx.unwrap();
    let (mut quotes, mut named) = (0, 0);
    tables::QUOTES
        .scan(&tx, &(), Direction::Forward, |uuid, quote| {
            if let Some(before) = quote.renews
                && let Some(policy) = tables::POLICIES.get(&tx, &before).unwrap()
                && tables::QUOTES
                    .get(&tx, &before)
                    .unwrap()
                    .unwrap()
                    .reference
                    .starts_with("BENCH")
            {
                quotes += 1;
                named += u32::from(policy.renewal.quote() == Some(uuid));
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(quotes, named, "a policy has one renewal");
    named
}

/// Returns the memory of this process, kilobytes. `what` names a line of `/proc/self/status`.
fn memory(what: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(what));
    let words = line.unwrap_or_default().trim_start_matches(':');
    words.trim().trim_end_matches(" kB").parse().unwrap_or(0)
}

/// Does the day's work, in a process of its own.
async fn work(folder: &Path) {
    let app = app(folder, now()).await;
    let idle = memory("VmRSS");
    let begun = Instant::now();
    jobs::daily(&app).await.unwrap();
    println!(
        "the day's work took {:.1?}; memory at the start {} MB, at most {} MB",
        begun.elapsed(),
        idle / 1024,
        memory("VmHWM") / 1024,
    );
}

fn begin(folder: &Path) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.env(WORK_IN, folder).spawn().unwrap()
}

#[tokio::main]
async fn main() {
    if let Some(folder) = std::env::var_os(WORK_IN) {
        return work(Path::new(&folder)).await;
    }
    let [whole, broken] =
        [(); 2].map(|()| tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap());
    let begun = Instant::now();
    fill(&app(whole.path(), now()).await).await;
    println!(
        "{DUE} policies due on one day, written in {:.0?}",
        begun.elapsed()
    );
    let copy = broken.path().join("layby.redb");
    std::fs::copy(whole.path().join("layby.redb"), copy).unwrap();

    let begun = Instant::now();
    assert!(begin(whole.path()).wait().unwrap().success());
    let took = begun.elapsed();
    assert_eq!(renewed(&app(whole.path(), now()).await).await, DUE);
    println!(
        "as a whole: {:.0} renewals a second",
        f64::from(DUE) / took.as_secs_f64()
    );

    let mut child = begin(broken.path());
    std::thread::sleep(took / 2);
    child.kill().unwrap();
    child.wait().unwrap();
    let half = renewed(&app(broken.path(), now()).await).await;
    println!("killed half way, after {half} renewals");
    let begun = Instant::now();
    assert!(begin(broken.path()).wait().unwrap().success());
    println!("went on for {:.1?}", begun.elapsed());
    assert!(begun.elapsed() < took + Duration::from_secs(60));
    assert_eq!(renewed(&app(broken.path(), now()).await).await, DUE);
    println!("exactly {DUE} renewals, one for each policy");
}
