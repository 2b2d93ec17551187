//! Compares a page of a customer's list in two stores: one of a thousand policies and one of a million.
//! Both are measured in one run: `cargo bench --bench lists`. Each customer has twenty policies.
//!
//! It measures the call, from the session cookie to the response body, without a network. It also
//! measures the use case alone. It first seeds both stores, which takes some minutes.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use layby::api;
use layby::app::quotes::list::{ListQuery, SortBy};
use layby::app::{App, Caller, quotes, seed};
use layby::clock::Clock;
use layby::config::{Config, Layers};
use layby::domain::account::Session;
use layby::integrations::blobs::BlobStore;
use layby::products::Catalogue;
use layby::secret::hash_token;
use layby::store::{Direction, Repair, Store, StoreError, WriteTx, tables};
use poem::endpoint::BoxEndpoint;
use poem::{Endpoint, EndpointExt, Request, Response};
use uuid::Uuid;

/// The binary's own allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Size of the store's cache in a shop, bytes.
const CACHE_BYTES: usize = 128 << 20;
const EACH: u32 = 20;
const SECONDS: u64 = 5;

struct Shop {
    _folder: tempfile::TempDir,
    app: Arc<App>,
    routes: BoxEndpoint<'static, Response>,
    users: Vec<Uuid>,
}

async fn shop(policies: u32) -> Shop {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mut config = Config::load(&Layers::default()).unwrap();
    config.server.data = folder.path().to_owned();
    let url = "http://bench".to_string();
    let contents = BlobStore::from_settings(&config).unwrap();
    let app = App::new(
        config,
        Store::open_watched(
            &folder.path().join("layby.redb"),
            CACHE_BYTES,
            Repair::default(),
        )
        .unwrap(),
        contents,
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
    // The order of the users differs from the order of writing. Otherwise successive users would share a
    // page of the store.
    let mut users = Vec::new();
    app.store
        .read(|tx| {
            tables::USERS.scan(tx, &(), Direction::Forward, |uuid, _| {
                users.push(uuid);
                std::ops::ControlFlow::Continue(())
            })
        })
        .await
        .unwrap();
    log_in(&app, &users).await;
    let app = Arc::new(app);
    Shop {
        _folder: folder,
        routes: api::routes(app.clone()).boxed(),
        app,
        users,
    }
}

/// Creates a session for every customer. Its token is the customer's id, because nothing here is secret.
async fn log_in(app: &App, users: &[Uuid]) {
    let now = app.clock.now();
    for users in users.chunks(1_000) {
        let users = users.to_vec();
        let begun = move |tx: &mut WriteTx<'_>| {
            for user in &users {
                let session = Session {
                    user: *user,
                    created: now,
                    expires: now + chrono::TimeDelta::days(1),
                };
                tables::SESSIONS.put(tx, &hash_token(&user.to_string()), &session)?;
            }
            Ok::<_, StoreError>(())
        };
        app.store.write(begun).await.unwrap();
    }
}

/// Returns the median time of a page by the use case, for one customer after another.
async fn page(shop: &Shop) -> Duration {
    let query = ListQuery {
        page: 1,
        limit: 10,
        sort_by: SortBy::Created,
        descending: true,
        statuses: [5, 8, 15, 16].into(),
        ..ListQuery::default()
    };
    let mut times = Vec::new();
    let until = Instant::now() + Duration::from_secs(SECONDS);
    for user in shop.users.iter().cycle() {
        let caller = Caller::User {
            uuid: *user,
            session: [0; 32],
        };
        let begun = Instant::now();
        assert!(
            quotes::list(
                &shop.app.store,
                &shop.app.clock,
                &shop.app.products,
                &caller,
                &query
            )
            .await
            .unwrap()
            .total
                > 0
        );
        times.push(begun.elapsed());
        if Instant::now() > until {
            break;
        }
    }
    middle(times)
}

/// Returns the median time of a page by the call.
async fn call(shop: &Shop) -> Duration {
    let mut times = Vec::new();
    let until = Instant::now() + Duration::from_secs(SECONDS);
    for user in shop.users.iter().cycle() {
        let request = Request::builder()
            .uri_str(
                "/api/v2/policy/list?sortBy=date_created&desc=true&quoteStatus[]=5\
                 &quoteStatus[]=8&quoteStatus[]=15&quoteStatus[]=16",
            )
            .header("Cookie", format!("layby_session={user}"))
            .finish();
        let begun = Instant::now();
        let answer = shop.routes.get_response(request).await;
        assert!(answer.status().is_success());
        let body = answer.into_body().into_vec().await.unwrap();
        times.push(begun.elapsed());
        assert!(body.len() > 500);
        if Instant::now() > until {
            break;
        }
    }
    middle(times)
}

fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn tell(what: &str, few: Duration, many: Duration) {
    let more = 100.0 * (many.as_secs_f64() / few.as_secs_f64() - 1.0);
    println!("{what} | {few:.1?} | {many:.1?} | {more:+.0} %");
}

#[tokio::main]
async fn main() {
    let few = shop(1_000).await;
    let many = shop(1_000_000).await;
    // One unmeasured pass first, so that both are measured warm.
    for shop in [&few, &many] {
        page(shop).await;
        call(shop).await;
    }
    println!("a page of 10 of 20 | of 1,000 | of 1,000,000 | more");
    tell("the call", call(&few).await, call(&many).await);
    tell("the use case", page(&few).await, page(&many).await);
}
