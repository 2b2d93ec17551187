//! The binary stops at a signal, after the requests that it has accepted.

use std::io::{Read, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::json;

use super::{Running, layby};
use crate::support::two_vehicles;

#[tokio::test(flavor = "multi_thread")]
async fn it_stops_when_it_is_told_to() {
    for signal in ["-TERM", "-INT"] {
        let data = tempfile::tempdir().unwrap();
        let mut shop = Running::start(data.path(), &["--seed"]);
        let (status, _) = shop.call("GET", "/health/ready", "", None).await;
        assert_eq!(status, 200);
        shop.signal(signal);
        let ended = shop.child.wait().unwrap();
        assert_eq!(ended.code(), Some(0), "{signal}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn it_takes_requests_while_it_drains_until_it_is_told_again() {
    let data = tempfile::tempdir().unwrap();
    let mut command = layby(data.path());
    command
        .env("LAYBY_SERVER__DRAIN_SECONDS", "600")
        .args(["serve", "--listen", "127.0.0.1:0"])
        .stderr(Stdio::null());
    let mut shop = Running::of(command);
    shop.signal("-TERM");
    let began = Instant::now();
    while shop.call("GET", "/health/ready", "", None).await.0 != 503 {
        assert!(began.elapsed() < Duration::from_secs(60));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let create = Some(json!({ "product": two_vehicles() }));
    let path = "/api/v2/public/quote/breakdown";
    let (status, made) = shop.call("POST", path, "", create).await;
    assert_eq!(status, 201, "{made}");
    shop.signal("-TERM");
    assert_eq!(shop.child.wait().unwrap().code(), Some(0));
    assert!(began.elapsed() < Duration::from_secs(120));
}

/// A request sent before the stop signal is answered, even if its connection still waits in the accept queue.
#[tokio::test(flavor = "multi_thread")]
async fn connections_that_wait_to_be_accepted_are_answered_when_it_is_told_to_stop() {
    // The system's accept queue holds 128 connections. More would block this test's process.
    const CLIENTS: usize = 100;
    let data = tempfile::tempdir().unwrap();
    let mut shop = Running::start(data.path(), &[]);
    let address = shop.url.strip_prefix("http://").unwrap().to_string();
    // A stopped process accepts no connection.
    shop.signal("-STOP");
    let mut clients = Vec::new();
    for _ in 0..CLIENTS {
        let mut client = std::net::TcpStream::connect(&address).unwrap();
        let ask = "GET /health/live HTTP/1.1\r\nHost: shop.test\r\n\r\n";
        client.write_all(ask.as_bytes()).unwrap();
        clients.push(client);
    }
    shop.signal("-TERM");
    shop.signal("-CONT");
    let mut answered = 0;
    for mut client in clients {
        let mut answer = String::new();
        let read = client.read_to_string(&mut answer);
        if read.is_ok() && answer.starts_with("HTTP/1.1 200") {
            answered += 1;
        }
    }
    assert_eq!(answered, CLIENTS);
    assert_eq!(shop.child.wait().unwrap().code(), Some(0));
}
