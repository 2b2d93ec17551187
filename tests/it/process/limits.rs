//! Timeouts of the real binary's clients, and the number of connections.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use super::Running;
use crate::support::{NOW, two_vehicles};

async fn connect(shop: &Running, from: [u8; 4]) -> TcpStream {
    let at = shop.url.strip_prefix("http://").unwrap().parse().unwrap();
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((from, 0).into()).unwrap();
    socket.connect(at).await.unwrap()
}

/// Sends one byte every half second until the connection closes. Returns the response and the time.
async fn drip(shop: &Running, begins: &str) -> (String, Duration) {
    let (mut from, mut to) = connect(shop, [127, 0, 0, 1]).await.into_split();
    to.write_all(begins.as_bytes()).await.unwrap();
    let began = Instant::now();
    let drips = async {
        loop {
            tokio::time::sleep(Duration::from_millis(500)).await;
            if to.write_all(b"a").await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    };
    let mut heard = Vec::new();
    tokio::select! {
        _ = from.read_to_end(&mut heard) => {}
        () = drips => {}
    }
    let heard = String::from_utf8_lossy(&heard).into_owned();
    (heard, began.elapsed())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_has_ten_seconds_and_a_body_thirty_however_they_drip() {
    let data = tempfile::tempdir().unwrap();
    let shop = Running::start(data.path(), &[]);
    let call = "POST /api/v2/public/quote/breakdown HTTP/1.1\r\nHost: a\r\n\
                Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{\"a\":\"";
    let (head, body) = tokio::join!(drip(&shop, "GET / HTTP/1.1\r\nX-A: "), drip(&shop, call));
    assert_eq!(head.0, "");
    assert!((9..14).contains(&head.1.as_secs()), "{:?}", head.1);
    assert!(body.0.starts_with("HTTP/1.1 408"), "{}", body.0);
    assert!(body.0.contains("\"code\":\"too_slow\""), "{}", body.0);
    assert!((29..34).contains(&body.1.as_secs()), "{:?}", body.1);
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_connections_lock_nobody_out_where_few_files_may_be_open() {
    let data = tempfile::tempdir().unwrap();
    let mut few = Command::new("sh");
    few.args([
        "-c",
        "ulimit -n 96; exec \"$0\" \"$@\"",
        env!("CARGO_BIN_EXE_layby"),
        "serve",
        "--listen",
        "127.0.0.1:0",
    ]);
    few.env("LAYBY_CLOCK", NOW)
        .env("LAYBY_SERVER__DATA", data.path())
        .stderr(Stdio::null());
    let shop = Running::of(few);
    let mut idle = Vec::new();
    for number in 0..200_u8 {
        idle.push(connect(&shop, [127, 1, 0, number]).await);
    }
    let create = json!({ "product": two_vehicles() });
    let (status, made) = shop
        .call("POST", "/api/v2/public/quote/breakdown", "", Some(create))
        .await;
    assert_eq!(status, 201, "{made}");
    let uuid = made["data"]["uuid"].as_str().unwrap();
    let token = made["data"]["consumer_token"].as_str().unwrap();
    let path = format!("/api/v1/quote/update-accept/{uuid}");
    let terms = json!({ "payment_frequency": "annual", "terms_and_conditions": true });
    let (status, answer) = shop.call("POST", &path, token, Some(terms)).await;
    assert_eq!(status, 200, "{answer}");
    // Three quarters of 96 are 72. Stalled connections were evicted after 2 s.
    let mut open = 0;
    for mut idle in idle {
        let mut buffer = [0; 8];
        let read = tokio::time::timeout(Duration::from_millis(5), idle.read(&mut buffer)).await;
        open += usize::from(read.is_err());
    }
    assert!(open <= 72, "{open} are open");
}
