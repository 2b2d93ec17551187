//! A page of a customer's list in a store of a thousand policies and in one of a million, in
//! one run: `cargo bench --bench lists`. Each customer has twenty. It seeds both stores
//! first, which takes some minutes.

#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing)]

use std::time::{Duration, Instant};

use layby::app::lists::{ListQuery, SortBy};
use layby::app::{App, Caller, seed};
use layby::clock::Clock;
use layby::config::{Config, Sources};
use layby::products::Catalogue;
use layby::store::{Direction, Store, tables};
use uuid::Uuid;

/// The binary's own allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const EACH: u32 = 20;
const SECONDS: u64 = 5;

async fn shop(policies: u32) -> (tempfile::TempDir, App, Vec<Uuid>) {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mut config = Config::load(&Sources::default()).unwrap();
    config.server.data = folder.path().to_owned();
    let url = "http://bench".to_string();
    let app = App::new(
        config,
        Store::open(&folder.path().join("layby.redb")).unwrap(),
        Clock::fixed("2026-11-21T12:00:00Z".parse().unwrap()),
        Catalogue::load(None).unwrap(),
        url.clone(),
        url,
    )
    .await
    .unwrap();
    let plan = seed::Plan {
        customers: policies / EACH,
        policies,
        seed_number: 1,
    };
    let begun = Instant::now();
    seed::fill(&app, &plan, &mut |_, _| {}).await.unwrap();
    println!("seeded {policies} in {:.0?}", begun.elapsed());
    // Not in the order they were written: neighbours would share a page of the store.
    let mut users = Vec::new();
    let tx = app.store.read().unwrap();
    tables::USERS
        .scan(&tx, &(), Direction::Forward, |uuid, _| {
            users.push(uuid);
            std::ops::ControlFlow::Continue(())
        })
        .unwrap();
    drop(tx);
    (folder, app, users)
}

/// The middle time of a page, for one customer after another.
fn page(app: &App, users: &[Uuid]) -> Duration {
    let query = ListQuery {
        page: 1,
        limit: 10,
        sort_by: SortBy::Created,
        descending: true,
        statuses: [5, 8, 15, 16].into(),
        ..ListQuery::default()
    };
    let until = Instant::now() + Duration::from_secs(SECONDS);
    let mut times = Vec::new();
    for uuid in users.iter().cycle() {
        let caller = Caller::User {
            uuid: *uuid,
            session: [0; 32],
        };
        let begun = Instant::now();
        assert!(app.list(&caller, &query).unwrap().total > 0);
        times.push(begun.elapsed());
        if Instant::now() > until {
            break;
        }
    }
    times.sort_unstable();
    times[times.len() / 2]
}

#[tokio::main]
async fn main() {
    let (_few, few, few_users) = shop(1_000).await;
    let (_many, many, many_users) = shop(1_000_000).await;
    // Once around first, so that both are measured warm.
    page(&few, &few_users);
    page(&many, &many_users);
    let (small, large) = (page(&few, &few_users), page(&many, &many_users));
    println!("policies | a page of 10 of 20");
    println!("1,000 | {small:.1?}");
    println!(
        "1,000,000 | {large:.1?}, {:+.0} %",
        100.0 * (large.as_secs_f64() / small.as_secs_f64() - 1.0)
    );
}
