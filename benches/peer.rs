//! Compares prices of layby and of an ordinary server, in one run.
//!
//! ```text
//! npm --prefix benches/peer ci
//! cargo bench --bench peer -- target/release/layby
//! ```
//!
//! The ordinary server is Fastify with two workers (`benches/peer/server.mjs`). It parses the same body
//! and returns the same bytes. The same load goes to one and then to the other, in rounds that begin
//! with each alternately. It ends with status 1 if the median of the ratios is below 1.1, at 16 or at 64
//! connections.

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
use serde_json::json;
use server::{Ratios, Server, median, sides};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

/// Rounds, and the length of each server's turn in a round, seconds.
const ROUNDS: usize = 8;
const TURN: u64 = 3;
/// Connections that send at once.
const CONNECTIONS: [usize; 2] = [16, 64];
/// Least ratio of layby's prices to the ordinary server's.
const TIMES: f64 = 1.1;

fn layby(binary: &Path, data: &Path) -> Server {
    let server = Server::start(
        Command::new(binary)
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(data)
            .current_dir(data)
            .env("LAYBY_CLOCK", "2026-11-21T12:00:00Z")
            .env("LAYBY_LIMITS__PRICES_PER_MINUTE", "0")
            .stderr(Stdio::null()),
    );
    server.expect("layby ended before it listened")
}

fn peer(body: &Path) -> Server {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peer");
    let is_there = folder.join("node_modules").exists();
    assert!(is_there, "first: npm --prefix benches/peer ci");
    let server = Server::start(
        Command::new("node")
            .arg(folder.join("server.mjs"))
            .arg(body),
    );
    server.expect("the ordinary server ended before it listened")
}

/// Returns the body of the response to `request`.
async fn body_of(server: &Server, request: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(&server.address).await.unwrap();
    stream.write_all(request).await.unwrap();
    let mut buffer = Vec::new();
    let (status, body) = answer(&mut stream, &mut buffer).await;
    assert_eq!(status, 200, "{}", String::from_utf8_lossy(&buffer[body..]));
    buffer.split_off(body)
}

#[tokio::main]
async fn main() -> ExitCode {
    let mut paths = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with("--"));
    let Some(binary) = paths.next() else {
        println!("peer: cargo bench --bench peer -- target/release/layby");
        return ExitCode::SUCCESS;
    };
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let layby = layby(&std::path::absolute(binary).unwrap(), folder.path());
    let body = json!({
        "product_identifier": "breakdown", "quote_ready": true, "product": product(),
    });
    let request = request("POST", "/api/v1/price", "", Some(&body));
    let answered = body_of(&layby, &request).await;
    let file = folder.path().join("answer.json");
    std::fs::write(&file, &answered).unwrap();
    let peer = peer(&file);
    assert_eq!(body_of(&peer, &request).await, answered);
    println!("connections | layby, a second | ordinary | median ratio | lowest and highest");
    let mut is_slower = false;
    for connections in CONNECTIONS {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        // A first turn, not measured, warms each server up.
        for server in [&layby, &peer] {
            load(&server.address, connections, request.clone(), 200, TURN).await;
        }
        for is_ours in (0..ROUNDS).flat_map(sides) {
            let (server, rates) = match is_ours {
                true => (&layby, &mut ours),
                false => (&peer, &mut theirs),
            };
            let turn = load(&server.address, connections, request.clone(), 200, TURN).await;
            rates.push(turn.a_second());
        }
        let ratios = Ratios::new(&ours, &theirs);
        is_slower |= ratios.median() < TIMES;
        println!(
            "{connections} | {:.0} | {:.0} | {:.2} | {:.2} to {:.2}",
            median(ours),
            median(theirs),
            ratios.median(),
            ratios.lowest(),
            ratios.highest(),
        );
    }
    if is_slower {
        println!("layby answers less than {TIMES} times as many prices");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
