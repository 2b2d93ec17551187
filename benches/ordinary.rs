//! Compares durable quotes of layby and of an ordinary server on the same PostgreSQL, in one run.
//!
//! ```text
//! npm --prefix benches/ordinary ci
//! tests/postgres --durable cargo bench --bench ordinary -- target/release/layby
//! ```
//!
//! The ordinary server is Fastify with the `pg` client and a pool of 16 (`benches/ordinary/server.mjs`).
//! It runs a READ COMMITTED transaction for each quote, with the rows and bytes that layby writes for a
//! quote. The same load goes to one and then to the other, in rounds that begin with each alternately.
//!
//! Then both are measured again with 1 ms added to each packet between them and the database. The
//! benchmark ends with status 1 if layby makes less than three times as many quotes. With the delay, it
//! ends with status 1 if layby makes less than 1,000 quotes a second.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

#[path = "support/load.rs"]
mod load;
#[path = "support/server.rs"]
mod server;
#[path = "support/slow_road.rs"]
mod slow_road;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use load::{Measured, answer, load, product, request};
use serde_json::{Value, json};
use server::{Ratios, Server, median, sides};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_postgres::{Client, NoTls};

/// Rounds, and the length of each server's turn in a round, seconds.
const ROUNDS: usize = 8;
const TURN: u64 = 3;
/// Connections that send at once.
const CONNECTIONS: usize = 64;
/// Least ratio of layby's quotes to the ordinary server's, and least quotes a second with the delay.
const TIMES: f64 = 3.0;
const DELAYED: f64 = 1000.0;
/// The delay of each packet, in both directions.
const DELAY: Duration = Duration::from_millis(1);

/// A server that creates quotes.
struct Shop(Server);

impl Shop {
    fn start(command: &mut Command) -> Self {
        Self(Server::start(command).expect("the server ended before it listened"))
    }

    fn layby(binary: &Path, data: &Path, database: &str) -> Self {
        let mut command = Command::new(binary);
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(data)
            .current_dir(data)
            .env("LAYBY_CLOCK", "2026-11-21T12:00:00Z")
            .env("LAYBY_STORE__URL", database)
            .env(
                "LAYBY_DOCUMENTS__URL",
                format!("file://{}", data.join("documents").display()),
            )
            .env("LAYBY_LOG__LEVEL", "warn")
            .envs(LIMITS);
        Self::start(&mut command)
    }

    fn ordinary(database: &str, sample: &Path) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/ordinary");
        let is_there = folder.join("node_modules").exists();
        assert!(is_there, "first: npm --prefix benches/ordinary ci");
        let mut command = Command::new("node");
        command
            .arg(folder.join("server.mjs"))
            .arg(database)
            .arg(sample);
        Self::start(&mut command)
    }

    async fn turn(&self) -> Measured {
        load(
            &self.0.address,
            CONNECTIONS,
            create("a@@@@@@@@@example.org"),
            201,
            TURN,
        )
        .await
    }
}

/// Turns the rate limits off, because one client sends everything here. Only one letter about a quote is
/// allowed, which is used before the measurement. The ordinary server writes no letters.
const LIMITS: [(&str, &str); 5] = [
    ("LAYBY_LIMITS__SAVES_PER_MINUTE", "0"),
    ("LAYBY_LIMITS__TOTAL_SAVES_PER_HOUR", "0"),
    ("LAYBY_LIMITS__QUOTE_LETTERS_PER_HOUR", "0"),
    ("LAYBY_LIMITS__QUOTE_LETTERS_PER_CLIENT_PER_HOUR", "1"),
    ("LAYBY_LIMITS__PRICES_PER_MINUTE", "0"),
];

/// Returns the request for a quote with this e-mail address.
fn create(email: &str) -> Vec<u8> {
    let mut product = product();
    product["values"]["email_primary"] = json!(email);
    let body = json!({ "product": product });
    request("POST", "/api/v2/public/quote/breakdown", "", Some(&body))
}

async fn client(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// Creates a new database on the server of `url`. Returns its address.
async fn database(url: &str, name: &str) -> String {
    let made = format!("CREATE DATABASE {name}");
    client(url).await.batch_execute(&made).await.unwrap();
    let (server, _) = url.rsplit_once('/').unwrap();
    format!("{server}/{name}")
}

async fn rows(client: &Client) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let rows = client.query("SELECT key, value FROM layby_rows", &[]);
    let rows = rows.await.unwrap();
    rows.iter().map(|row| (row.get(0), row.get(1))).collect()
}

/// Returns the rows and the response of one quote, as `server.mjs` reads them.
async fn sample(shop: &Shop, database: &str) -> Value {
    let client = client(database).await;
    let mut seen = BTreeMap::new();
    let mut made = Value::Null;
    let mut text = String::new();
    // The first quote also creates the rows that exist only once.
    for email in ["a00000001@example.org", "a99999999@example.org"] {
        seen = rows(&client).await;
        let mut stream = TcpStream::connect(&shop.0.address).await.unwrap();
        stream.write_all(&create(email)).await.unwrap();
        let mut buffer = Vec::new();
        let (status, body) = answer(&mut stream, &mut buffer).await;
        text = String::from_utf8(buffer[body..].to_vec()).unwrap();
        assert_eq!(status, 201, "{text}");
        made = serde_json::from_str(&text).unwrap();
    }
    // A changed row is the number of the last reference. The ordinary server has a sequence instead.
    let new = rows(&client).await.into_iter();
    // Each row of the quote contains its uuid or its e-mail address. Other new rows do not belong to it.
    let uuid = made["data"]["uuid"].as_str().unwrap().replace('-', "");
    let uuid = data_encoding::HEXLOWER.decode(uuid.as_bytes()).unwrap();
    let email = b"a99999999@example.org".as_slice();
    let names = |bytes: &[u8]| {
        let mut parts = bytes.windows(uuid.len()).chain(bytes.windows(email.len()));
        parts.any(|part| part == uuid || part == email)
    };
    let new: Vec<_> = new
        .filter(|(key, value)| !seen.contains_key(key) && (names(key) || names(value)))
        .collect();
    let bytes: usize = new.iter().map(|(key, value)| key.len() + value.len()).sum();
    println!(
        "a quote is {} rows of {bytes} bytes in all, and its answer {} bytes",
        new.len(),
        text.len()
    );
    let hex = |bytes: &[u8]| data_encoding::HEXLOWER.encode(bytes);
    let rows: Vec<Value> = new
        .iter()
        .map(|(key, value)| json!({ "key": hex(key), "value": hex(value) }))
        .collect();
    json!({
        "uuid": made["data"]["uuid"], "email": "a99999999@example.org", "rows": rows,
        "reference": made["data"]["custom_id"], "answer": text,
    })
}

/// Returns layby's quotes a second (the median of the rounds), and the median of its ratios to the
/// ordinary server.
async fn measure(title: &str, layby: &Shop, ordinary: &Shop) -> (f64, f64) {
    let (mut all, mut others) = (Measured::default(), Measured::default());
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    // A first turn, not measured, does what each server does only once.
    for shop in [layby, ordinary] {
        shop.turn().await;
    }
    for is_ours in (0..ROUNDS).flat_map(sides) {
        let (shop, sum, rates) = match is_ours {
            true => (layby, &mut all, &mut ours),
            false => (ordinary, &mut others, &mut theirs),
        };
        let turn = shop.turn().await;
        rates.push(turn.a_second());
        sum.add(turn);
    }
    let ratios = Ratios::new(&ours, &theirs);
    let (ours, ratio) = (median(ours), ratios.median());
    println!(
        "{title} | {ours:.0} | {:?} | {:.0} | {:?} | {ratio:.2} | {:.2} to {:.2}",
        all.p99(),
        median(theirs),
        others.p99(),
        ratios.lowest(),
        ratios.highest(),
    );
    (ours, ratio)
}

#[tokio::main]
async fn main() -> ExitCode {
    let mut paths = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with("--"));
    let (Some(binary), Ok(server)) = (paths.next(), std::env::var("LAYBY_TEST_STORE")) else {
        println!(
            "ordinary: tests/postgres --durable cargo bench --bench ordinary -- target/release/layby"
        );
        return ExitCode::SUCCESS;
    };
    let binary = std::path::absolute(binary).unwrap();
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let (ours, theirs) = (
        database(&server, "ours").await,
        database(&server, "theirs").await,
    );
    let layby = Shop::layby(&binary, folder.path(), &ours);
    let file = folder.path().join("sample.json");
    std::fs::write(&file, sample(&layby, &ours).await.to_string()).unwrap();
    let ordinary = Shop::ordinary(&theirs, &file);
    println!(
        "{CONNECTIONS} connections | layby, a second | 99th percentile | ordinary | 99th percentile | ratio | lowest and highest"
    );
    let (_, ratio) = measure("as it is", &layby, &ordinary).await;
    drop((layby, ordinary));

    let (ours, theirs) = (
        database(&server, "slow_ours").await,
        database(&server, "slow_theirs").await,
    );
    let data = folder.path().join("slow");
    std::fs::create_dir(&data).unwrap();
    let layby = Shop::layby(&binary, &data, &slow_road::before(&ours, DELAY).await);
    let ordinary = Shop::ordinary(&slow_road::before(&theirs, DELAY).await, &file);
    let (delayed, _) = measure("1 ms added to each packet", &layby, &ordinary).await;
    let mut failed = false;
    if ratio < TIMES {
        println!("layby makes less than {TIMES} times as many quotes");
        failed = true;
    }
    if delayed < DELAYED {
        println!("with the delay layby makes less than {DELAYED} quotes a second");
        failed = true;
    }
    if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}
