//! Compares two release binaries: is the second no slower than the first?
//!
//! `cargo bench --bench compare -- OLD NEW`, each the path of a `layby` binary. Each serves a shop on a
//! folder of its own. This process sends the same load to one and then to the other. The rounds begin
//! with each binary alternately, so that a slow minute of the machine affects both.
//!
//! For each route, at 16 and at 64 connections, it prints the median of the rounds' ratios, new to old.
//! It ends with status 1 if a median is below 0.97. `-- OLD OLD` shows the noise: the difference of equal
//! binaries.
//!
//! It also prints the processor time of a request over all rounds, as Linux counts it. Other work on the
//! machine hardly affects that time, and it excludes all waiting.

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

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use load::{answer, load, product, request};
use serde_json::{Value, json};
use server::{Ratios, Server, median, sides};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

/// Rounds of each route.
const ROUNDS: usize = 20;
/// Length of one binary's turn within a round, seconds.
const TURN: u64 = 1;
/// Connections that send at once.
const CONNECTIONS: [usize; 2] = [16, 64];
/// Smallest median ratio that counts as no slower.
const NO_SLOWER: f64 = 0.97;

/// Turns the rate limits off, because one client sends everything here.
const NO_LIMITS: [(&str, &str); 5] = [
    ("LAYBY_LIMITS__SAVES_PER_MINUTE", "0"),
    ("LAYBY_LIMITS__QUOTE_LETTERS_PER_HOUR", "0"),
    ("LAYBY_LIMITS__QUOTE_LETTERS_PER_CLIENT_PER_HOUR", "0"),
    ("LAYBY_LIMITS__PRICES_PER_MINUTE", "0"),
    ("LAYBY_LIMITS__TOTAL_SAVES_PER_HOUR", "0"),
];

/// A running binary with one quote.
struct Shop {
    server: Server,
    quote: String,
    token: String,
    _data: tempfile::TempDir,
}

impl Shop {
    async fn start(binary: &Path) -> Self {
        let data = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        // An older binary may not know the last of these settings.
        let server = [5, 4].into_iter().find_map(|known| {
            Server::start(
                Command::new(binary)
                    .args(["serve", "--listen", "127.0.0.1:0", "--data"])
                    .arg(data.path())
                    .current_dir(data.path())
                    .env("LAYBY_CLOCK", "2026-11-21T12:00:00Z")
                    .envs(NO_LIMITS.iter().take(known).copied())
                    .stderr(Stdio::null()),
            )
        });
        let server = server.expect("the binary ended before it listened");
        let create = json!({ "product": product() });
        let create = request("POST", "/api/v2/public/quote/breakdown", "", Some(&create));
        let mut stream = TcpStream::connect(&server.address).await.unwrap();
        stream.write_all(&create).await.unwrap();
        let mut buffer = Vec::new();
        let (status, body) = answer(&mut stream, &mut buffer).await;
        assert_eq!(status, 201, "{}", String::from_utf8_lossy(&buffer[body..]));
        let made: Value = serde_json::from_slice(&buffer[body..]).unwrap();
        let text = |pointer| made.pointer(pointer).unwrap().as_str().unwrap().to_owned();
        Self {
            quote: text("/data/uuid"),
            token: text("/data/consumer_token"),
            server,
            _data: data,
        }
    }

    /// Returns a request of the route `name`, and the expected status.
    fn request(&self, name: &str) -> (Vec<u8>, u16) {
        match name {
            "quote create" => {
                let body = json!({ "product": product() });
                let path = "/api/v2/public/quote/breakdown";
                (request("POST", path, "", Some(&body)), 201)
            }
            "quote read" => {
                let path = format!("/api/v2/public/quote/read/{}", self.quote);
                (request("GET", &path, &self.token, None), 200)
            }
            _ => {
                let body = json!({
                    "product_identifier": "breakdown", "quote_ready": true, "product": product(),
                });
                (request("POST", "/api/v1/price", "", Some(&body)), 200)
            }
        }
    }

    /// Sends one turn's load.
    async fn turn(&self, name: &str, connections: usize, sum: &mut Sum) {
        let (request, status) = self.request(name);
        let before = self.processor_ticks();
        let measured = load(&self.server.address, connections, request, status, TURN).await;
        let after = self.processor_ticks();
        sum.rates.push(measured.a_second());
        sum.requests += measured.requests();
        sum.ticks = after
            .zip(before)
            .and_then(|(after, before)| Some(sum.ticks? + after - before));
    }

    /// Returns the processor time of the whole process so far, in hundredths of a second. Returns `None`
    /// if the system does not report it.
    fn processor_ticks(&self) -> Option<u64> {
        let stat =
            std::fs::read_to_string(format!("/proc/{}/stat", self.server.process.id())).ok()?;
        // The process name is in brackets and may contain spaces. The times are the 12th and 13th field
        // after it.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
        let mut time = || fields.next()?.parse::<u64>().ok();
        Some(time()? + time()?)
    }
}

/// The results of one binary for a route.
struct Sum {
    /// Requests answered a second, in each turn.
    rates: Vec<f64>,
    requests: usize,
    ticks: Option<u64>,
}

impl Sum {
    const NONE: Self = Self {
        rates: Vec::new(),
        requests: 0,
        ticks: Some(0),
    };

    /// Returns the processor time of a request, microseconds.
    fn processor(&self) -> Option<f64> {
        let ticks = self.ticks.filter(|ticks| *ticks > 0)?;
        Some(ticks as f64 * 10_000.0 / self.requests as f64)
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    let paths: Vec<_> = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with("--"))
        .collect();
    let [old, new] = paths.as_slice() else {
        println!("compare: name two binaries: cargo bench --bench compare -- OLD NEW");
        return ExitCode::SUCCESS;
    };
    let old = Shop::start(&std::path::absolute(old).unwrap()).await;
    let new = Shop::start(&std::path::absolute(new).unwrap()).await;
    let mut slower = false;
    println!(
        "route | old, a second | new, a second | median ratio | lowest and highest | \
         processor time of a request, old and new"
    );
    for (name, connections) in ["quote create", "quote read", "price"]
        .into_iter()
        .flat_map(|name| CONNECTIONS.map(|connections| (name, connections)))
    {
        let (mut olds, mut news) = (Sum::NONE, Sum::NONE);
        for is_old in (0..ROUNDS).flat_map(sides) {
            let (shop, sum) = match is_old {
                true => (&old, &mut olds),
                false => (&new, &mut news),
            };
            shop.turn(name, connections, sum).await;
        }
        let processor = olds.processor().zip(news.processor());
        let processor = processor.map_or("not known".to_owned(), |(old, new)| {
            format!("{old:.1} µs, {new:.1} µs ({:.3})", new / old)
        });
        let ratios = Ratios::new(&news.rates, &olds.rates);
        slower |= ratios.median() < NO_SLOWER;
        println!(
            "{name}, {connections} connections | {:.0} | {:.0} | {:.3} | {:.3} to {:.3} | {processor}",
            median(olds.rates),
            median(news.rates),
            ratios.median(),
            ratios.lowest(),
            ratios.highest(),
        );
    }
    if slower {
        println!("slower: a median ratio is below {NO_SLOWER}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
