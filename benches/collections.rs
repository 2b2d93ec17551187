//! Measures a day on which many monthly payments are due: `cargo bench --bench collections -- [COUNT [MS]]`.
//! COUNT payments (100,000) are charged by a shop of its own process to a provider that answers in MS
//! milliseconds (500). The shop is killed half way and started again. Checkouts run before and meanwhile.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod support {
    pub mod load;
    pub mod server;
    pub mod shop;
}

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use chrono::{DateTime, Days, NaiveDate, Utc};
use layby::app::{App, seed};
use layby::domain::money::Pence;
use layby::domain::payment::Instrument;
use layby::domain::policy::Policy;
use layby::domain::policy::plan::{PaymentPlan, PlanStatus, instalment_days};
use layby::domain::quote::{Quote, QuoteStatus};
use layby::store::{Direction, StoreError, WriteTx, tables};
use poem::listener::{Acceptor, Listener, TcpListener};
use poem::web::{Data, Form, Json, Path as Segment};
use poem::{EndpointExt, Route, Server as HttpServer, get, handler};
use serde_json::{Value, json};
use support::load::product;
use support::server::{Server, median};
use support::shop::app;
use uuid::Uuid;

/// The binary's own allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Policies written in one transaction.
const BATCH: usize = 1_000;
/// The day of purchase. The second payments are due a month later.
const BOUGHT: &str = "2026-10-21";
/// The clock of the shop at its start: the collection begins at 06:00.
const START: &str = "2026-11-21T05:58:00Z";
/// Checkouts at each gateway whose duration is measured, before the collection and during it.
const CHECKOUTS: usize = 100;
/// The gateways of the checkouts: one that collects nothing, and the one that collects.
const GATEWAYS: [&str; 2] = ["sandbox", "stripe"];

/// The provider: how often it made the charge of each attempt.
struct Provider {
    delay: Duration,
    made: Mutex<HashMap<String, u32>>,
    /// The payment pages, by their id.
    pages: Mutex<HashMap<String, Value>>,
}

impl Provider {
    fn total(&self) -> usize {
        self.made.lock().unwrap().len()
    }
}

#[handler]
async fn list(provider: Data<&Arc<Provider>>) -> Json<Value> {
    tokio::time::sleep(provider.delay).await;
    Json(json!({ "object": "list", "data": [], "has_more": false }))
}

#[handler]
async fn charge(
    provider: Data<&Arc<Provider>>,
    request: &poem::Request,
    form: Form<HashMap<String, String>>,
) -> Json<Value> {
    tokio::time::sleep(provider.delay).await;
    let payment = &form["metadata[layby_payment]"];
    let key = request.header("Idempotency-Key").unwrap();
    assert!(key.ends_with(payment.as_str()));
    let mut made = provider.made.lock().unwrap();
    *made.entry(payment.clone()).or_default() += 1;
    let amount: i64 = form["amount"].parse().unwrap();
    Json(json!({
        "id": format!("pi_{payment}"), "object": "payment_intent", "status": "succeeded",
        "amount": amount, "amount_received": amount, "currency": "gbp",
        "metadata": { "layby_payment": payment },
    }))
}

/// Makes the payment page of a checkout.
#[handler]
async fn page(provider: Data<&Arc<Provider>>, form: Form<HashMap<String, String>>) -> Json<Value> {
    tokio::time::sleep(provider.delay).await;
    let reference = form["client_reference_id"].clone();
    let amount = &form["line_items[0][price_data][unit_amount]"];
    let session = json!({
        "id": format!("cs_{reference}"), "object": "checkout.session", "status": "open",
        "payment_status": "unpaid", "amount_total": amount.parse::<i64>().unwrap(),
        "currency": "gbp", "client_reference_id": reference,
        "url": format!("https://checkout.stripe.com/c/pay/{reference}"),
    });
    let id = format!("cs_{reference}");
    let mut pages = provider.pages.lock().unwrap();
    pages.insert(id, session.clone());
    Json(session)
}

/// Tells how a payment page stands: nobody pays on it.
#[handler]
async fn page_status(provider: Data<&Arc<Provider>>, id: Segment<String>) -> Json<Value> {
    tokio::time::sleep(provider.delay).await;
    Json(provider.pages.lock().unwrap()[&id.0].clone())
}

/// Starts the provider. Returns its address.
async fn begin(provider: &Arc<Provider>) -> String {
    let acceptor = TcpListener::bind("127.0.0.1:0").into_acceptor().await;
    let acceptor = acceptor.unwrap();
    let address = *acceptor.local_addr()[0].as_socket_addr().unwrap();
    let routes = Route::new()
        .at("/v1/payment_intents", get(list).post(charge))
        .at("/v1/checkout/sessions", get(list).post(page))
        .at("/v1/checkout/sessions/:id", get(page_status))
        .data(provider.clone());
    tokio::spawn(HttpServer::new_with_acceptor(acceptor).run(routes));
    address.to_string()
}

/// A live policy, its quote and its card.
type Pattern = (Quote, Policy, Instrument);

/// Copies live policies that are paid monthly until there are enough. All copies are due today.
async fn fill(app: &App, count: usize) {
    let plan = seed::Plan {
        customers: 1_000,
        policies: 400,
        seed_number: 1,
    };
    seed::fill(app, &plan, &mut |_, _| {}).await.unwrap();
    let mut patterns: Vec<Pattern> = Vec::new();
    let tx = app.store.read(|tx| Ok::<_, StoreError>(tx.clone())).await;
    let tx = tx.unwrap();
    tables::PLANS
        .scan(&tx, &(), Direction::Forward, |uuid, plan| {
            let quote = tables::QUOTES.get(&tx, &uuid).unwrap().unwrap();
            let policy = tables::POLICIES.get(&tx, &uuid).unwrap().unwrap();
            let card = policy.instrument;
            let card = card.and_then(|card| tables::INSTRUMENTS.get(&tx, &card).unwrap());
            if plan.status == PlanStatus::Active
                && quote.status == QuoteStatus::Live
                && let Some(card) = card
            {
                patterns.push((quote, policy, card));
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    drop(tx);
    let numbers: Vec<usize> = (0..count).collect();
    for numbers in numbers.chunks(BATCH) {
        let copies: Vec<_> = numbers
            .iter()
            .map(|number| copy(&patterns[number % patterns.len()], *number))
            .collect();
        let write = move |tx: &mut WriteTx<'_>| {
            for (quote, policy, card, plan) in &copies {
                tables::QUOTES.put(tx, &quote.uuid, quote)?;
                tables::POLICIES.put(tx, &quote.uuid, policy)?;
                tables::INSTRUMENTS.put(tx, &card.id, card)?;
                tables::PLANS.put(tx, &quote.uuid, plan)?;
            }
            Ok::<_, StoreError>(())
        };
        app.store.write(write).await.unwrap();
    }
}

fn copy(
    (quote, policy, card): &Pattern,
    number: usize,
) -> (Quote, Policy, Instrument, PaymentPlan) {
    // The order of the ids differs from the order of sale.
    let uuid = Uuid::from_u128((number as u128 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let bought: NaiveDate = BOUGHT.parse().unwrap();
    let expiry = bought + Days::new(364);
    let quote = Quote {
        uuid,
        reference: format!("BENCH{number}"),
        ..quote.clone()
    };
    let mut card = Instrument {
        id: Instrument::id_of(uuid),
        gateway: "stripe".to_string(),
        ..card.clone()
    };
    let token = |name: &str| (name.to_string(), format!("{name}_{number}"));
    card.card.tokens.0 = [token("customer"), token("payment_method")].into();
    let policy = Policy {
        uuid,
        inception: bought,
        expiry,
        instrument: Some(card.id),
        scheduled_end: None,
        scheduled_change: None,
        ..policy.clone()
    };
    let days = instalment_days(bought, expiry, 12);
    let plan = PaymentPlan::new(Pence(4816), &days).unwrap();
    (quote, policy, card, plan)
}

fn now() -> DateTime<Utc> {
    START.parse().unwrap()
}

/// Starts a shop whose clock begins at `time`.
fn shop(folder: &Path, address: &str, time: DateTime<Utc>) -> Server {
    let mut command = Command::new(env!("CARGO_BIN_EXE_layby"));
    command
        .args(["serve", "--listen", "127.0.0.1:0"])
        .env("LAYBY_SERVER__DATA", folder)
        .env("LAYBY_CLOCK", time.to_rfc3339())
        .env("LAYBY_PAYMENTS__GATEWAYS", "[\"sandbox\", \"stripe\"]")
        .env("LAYBY_PAYMENTS__STRIPE__TEST", "true")
        .env("LAYBY_PAYMENTS__STRIPE__SECRET_KEY", "sk_test_bench")
        .env(
            "LAYBY_PAYMENTS__STRIPE__WEBHOOK_SECRETS",
            "[\"whsec_bench\"]",
        )
        .env(
            "LAYBY_PAYMENTS__STRIPE__API_URL",
            format!("http://{address}"),
        );
    for limit in [
        "SAVES_PER_MINUTE",
        "TOTAL_SAVES_PER_HOUR",
        "PRICES_PER_MINUTE",
        "PAYMENT_PAGES_PER_HOUR",
        "PAYMENT_PAGES_PER_CLIENT",
        "QUOTE_LETTERS_PER_HOUR",
        "QUOTE_LETTERS_PER_CLIENT_PER_HOUR",
    ] {
        command.env(format!("LAYBY_LIMITS__{limit}"), "0");
    }
    Server::start(&mut command).unwrap()
}

/// Returns the memory of a process, in megabytes.
fn memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let words = line.unwrap_or_default().trim().trim_end_matches(" kB");
    words.parse::<u64>().unwrap() / 1024
}

/// Makes a quote, accepts it and opens the payment page of a gateway. Returns how long that took, in
/// milliseconds.
async fn checkout(http: &reqwest::Client, shop: &str, gateway: &str) -> f64 {
    let begun = Instant::now();
    let call = async |path: &str, body: Value, token: &str| -> Value {
        let url = format!("http://{shop}{path}");
        let call = http.post(&url).bearer_auth(token).json(&body);
        let answer = call.send().await.unwrap();
        assert!(answer.status().is_success(), "{path}: {}", answer.status());
        answer.json().await.unwrap()
    };
    let product = json!({ "product": product() });
    let made = call("/api/v2/public/quote/breakdown", product, "").await;
    let uuid = made["data"]["uuid"].as_str().unwrap();
    let token = made["data"]["consumer_token"].as_str().unwrap();
    let agreed = json!({
        "payment_frequency": "annual", "terms_and_conditions": true, "auto_renew": false,
    });
    call(
        &format!("/api/v1/quote/update-accept/{uuid}"),
        agreed,
        token,
    )
    .await;
    call(
        &format!("/api/v1/gateway/{gateway}/initiate"),
        json!({ "uuid": uuid }),
        token,
    )
    .await;
    begun.elapsed().as_secs_f64() * 1000.0
}

/// Returns the median time of checkouts at each of [`GATEWAYS`], in milliseconds.
async fn checkouts(shop: &str) -> [f64; 2] {
    let http = reqwest::Client::new();
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..CHECKOUTS {
        for (times, gateway) in times.iter_mut().zip(GATEWAYS) {
            times.push(checkout(&http, shop, gateway).await);
        }
    }
    times.map(median)
}

/// Waits until the provider has made `count` charges. Returns the greatest memory of the shop, in megabytes.
async fn charged(provider: &Provider, process: u32, count: usize) -> u64 {
    let (mut most, mut last, mut since) = (0, 0, Instant::now());
    while provider.total() < count {
        tokio::time::sleep(Duration::from_millis(200)).await;
        most = most.max(memory(process));
        if provider.total() != last {
            (last, since) = (provider.total(), Instant::now());
        }
        assert!(
            since.elapsed() < Duration::from_secs(180),
            "only {last} of {count} charges were made"
        );
    }
    most
}

#[tokio::main]
async fn main() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let given: Vec<u64> = std::env::args()
        .filter_map(|one| one.parse().ok())
        .collect();
    let count = given.first().map_or(100_000, |count| *count as usize);
    let delay = Duration::from_millis(given.get(1).copied().unwrap_or(500));
    let provider = Arc::new(Provider {
        delay,
        made: Mutex::default(),
        pages: Mutex::default(),
    });
    let address = begin(&provider).await;
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let begun = Instant::now();
    fill(&app(folder.path(), now()).await, count).await;
    println!("{count} payments due, written in {:.0?}", begun.elapsed());

    let opened = Instant::now();
    let first = shop(folder.path(), &address, now());
    tokio::time::sleep(Duration::from_secs(5)).await;
    let rest = memory(first.process.id());
    let quiet = checkouts(&first.address).await;
    assert_eq!(provider.total(), 0, "the collection begins at 06:00");
    let half = count / 2;
    charged(&provider, first.process.id(), 1).await;
    let begun = Instant::now();
    let busy = checkouts(&first.address).await;
    let mut most = charged(&provider, first.process.id(), half).await;
    drop(first);
    println!(
        "killed after {} charges, {:.0?}",
        provider.total(),
        begun.elapsed()
    );
    let second = shop(folder.path(), &address, now() + opened.elapsed());
    most = most
        .max(rest)
        .max(charged(&provider, second.process.id(), count).await);
    println!("all {count} charges in {:.0?}", begun.elapsed());
    println!("memory after the start {rest} MB, at most {most} MB");
    for ((gateway, quiet), busy) in GATEWAYS.iter().zip(quiet).zip(busy) {
        println!(
            "a checkout at {gateway} took {quiet:.1} ms before and {busy:.1} ms meanwhile: {:.2}",
            busy / quiet
        );
    }
    // The provider's answers to the last charges are recorded.
    tokio::time::sleep(Duration::from_secs(5)).await;
    drop(second);
    let store = app(folder.path(), now()).await.store;
    let tx = store
        .read(|tx| Ok::<_, StoreError>(tx.clone()))
        .await
        .unwrap();
    let mut paid = 0;
    tables::PLANS
        .scan(&tx, &(), Direction::Forward, |uuid, plan| {
            let quote = tables::QUOTES.get(&tx, &uuid).unwrap().unwrap();
            if quote.reference.starts_with("BENCH") {
                paid += usize::from(plan.instalments[1].is_collected);
                assert!(!plan.instalments[2].is_collected);
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!((paid, provider.total()), (count, count));
    println!("each of {count} payments is collected once");
}
