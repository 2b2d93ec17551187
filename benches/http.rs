//! Compares routes of one server in one run: prices, durable creation of quotes and reads of quotes.
//! Each is compared with a route of constant JSON. `cargo bench --bench http`.
//!
//! This process sends the load and shares the server's cores. So only the ratios count, not the figures.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

#[path = "support/load.rs"]
mod load;

use std::future::pending;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use layby::api;
use layby::api::http::server::{self, Limits};
use layby::app::App;
use layby::clock::Clock;
use layby::config::{Config, Layers, Partner};
use layby::integrations::blobs::BlobStore;
use layby::products::Catalogue;
use layby::store::{Repair, Store};
use load::{Measured, answer, load, product, request};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};

/// The binary's own allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Each route runs for this many seconds, alternating with the route of constant JSON. The speed of a
/// shared machine changes from one second to the next.
const TURNS: u64 = 6;

/// Size of the store's cache in a shop, bytes.
const CACHE_BYTES: usize = 128 << 20;
/// A partner's key.
const KEY: &str = "the-key-of-the-bench";

/// Returns how long the disk takes to sync 4 kB: the median of a hundred.
fn sync_time(folder: &std::path::Path) -> Duration {
    let mut file = std::fs::File::create(folder.join("sync")).unwrap();
    let mut times: Vec<Duration> = (0..100)
        .map(|_| {
            file.write_all(&[7; 4096]).unwrap();
            let begun = Instant::now();
            file.sync_data().unwrap();
            begun.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[50]
}

/// Returns the default settings for `folder`, without rate limits and with one partner.
fn config(folder: &std::path::Path) -> Config {
    let mut config = Config::load(&Layers::default()).unwrap();
    config.limits.saves_per_minute = 0;
    config.limits.total_saves_per_hour = 0;
    config.limits.prices_per_minute = 0;
    config.limits.quote_letters_per_client_per_hour = 0;
    config.limits.quote_letters_per_hour = 0;
    config.partners.push(Partner {
        id: 1,
        name: "Bench".to_string(),
        identifier: "bench".to_string(),
        logo_url: "/badge.svg".to_string(),
        key_hash: layby::secret::hash_token(KEY),
        services: vec!["breakdown-uk".to_string()],
        requests_per_minute: u32::MAX,
    });
    config.server.data = folder.to_owned();
    config
}

#[tokio::main]
async fn main() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let bound = listener.local_addr().unwrap();
    let url = format!("http://{bound}");
    let contents = BlobStore::from_settings(&config(folder.path())).unwrap();
    let app = App::new(
        config(folder.path()),
        Store::open_watched(
            &folder.path().join("layby.redb"),
            CACHE_BYTES,
            Repair::default(),
        )
        .unwrap(),
        contents,
        // The clock runs, as in a shop. Ids sort by time, so new rows are next to one another. With a
        // fixed clock they would be scattered over every table.
        Clock::starting_at("2026-11-21T12:00:00Z".parse().unwrap()),
        Catalogue::load(None).unwrap(),
        url.clone(),
        url,
    )
    .await
    .unwrap();
    let limits = Limits::from_settings(&app.config.server);
    let routes = api::served(Arc::new(app));
    tokio::spawn(server::serve(listener, limits, routes, pending()));
    let address = bound.to_string();

    let create = request(
        "POST",
        "/api/v2/public/quote/breakdown",
        "",
        Some(&json!({ "product": product() })),
    );
    let mut stream = TcpStream::connect(&address).await.unwrap();
    stream.write_all(&create).await.unwrap();
    let mut buffer = Vec::new();
    let (status, body) = answer(&mut stream, &mut buffer).await;
    assert_eq!(status, 201, "{}", String::from_utf8_lossy(&buffer[body..]));
    let made: Value = serde_json::from_slice(&buffer[body..]).unwrap();
    let token = made["data"]["consumer_token"].as_str().unwrap();
    let read = format!(
        "/api/v2/public/quote/read/{}",
        made["data"]["uuid"].as_str().unwrap()
    );
    let price = json!({
        "product_identifier": "breakdown", "quote_ready": true, "product": product(),
    });

    println!(
        "disk sync {:?} (4 kB, middle of 100)",
        sync_time(folder.path())
    );
    println!("connections | route | a second | 99th percentile | the constant one | of it");
    let risk = json!({
        "product": product(), "reference_uuid": "r-@@@@@@@@", "service_uuid": "breakdown-uk",
    });
    let risk = String::from_utf8(request("POST", "/api/v2/aggregator", "", Some(&risk))).unwrap();
    let risk = risk.replace(
        "Host: bench",
        &format!("Host: bench\r\nX-Partner-Key: {KEY}"),
    );
    // `cargo bench --bench http -- read` measures only the routes with that word in their name.
    let mut named = std::env::args().filter(|arg| !arg.starts_with("--"));
    let wanted = named.nth(1);
    for connections in [16, 32, 64] {
        let constant = request("GET", "/api/v1/quote/statuses", "", None);
        let runs = [
            (
                "price",
                request("POST", "/api/v1/price", "", Some(&price)),
                200,
            ),
            ("quote read", request("GET", &read, token, None), 200),
            ("quote create", create.clone(), 201),
            ("aggregator", risk.clone().into_bytes(), 200),
        ];
        let runs = runs.into_iter().filter(|(name, ..)| {
            wanted
                .as_ref()
                .is_none_or(|wanted| name.contains(wanted.as_str()))
        });
        for (name, request, status) in runs {
            let (mut route, mut beside) = (Measured::default(), Measured::default());
            for _ in 0..TURNS {
                beside.add(load(&address, connections, constant.clone(), 200, 1).await);
                route.add(load(&address, connections, request.clone(), status, 1).await);
            }
            println!(
                "{connections} | {name} | {:.0} | {:?} | {:.0} | {:.0}%",
                route.a_second(),
                route.p99(),
                beside.a_second(),
                100.0 * route.a_second() / beside.a_second()
            );
        }
    }
}
