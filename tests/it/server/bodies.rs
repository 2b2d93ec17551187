//! The maximum size of bodies, and the memory that they may use together.

use std::time::Duration;

use poem::http::Method;

use super::{Line, Served, limits};
use crate::support::{Shop, two_vehicles};

const CREATE: &str = "/api/v2/public/quote/breakdown";
const CALLBACK: &str = "/api/v1/gateway/sandbox/callback";

/// Returns a head that announces a body.
fn head(path: &str, more: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nHost: shop.test\r\nContent-Type: application/json\r\n{more}\r\n"
    )
}

async fn shop(settings: &str) -> (Shop, Served) {
    let shop = Shop::configured(settings).await;
    let limits = layby::api::http::server::Limits {
        per_client: 1000,
        ..limits()
    };
    let served = Served::start(limits, layby::api::served(shop.app.clone())).await;
    (shop, served)
}

/// Sends a body of 64 KiB that stalls just before its end.
async fn stalled(served: &Served, client: &str) -> Line {
    let mut line = served.connect().await;
    let says = format!("Content-Length: 65536\r\nX-Forwarded-For: {client}\r\n");
    line.send(head(CREATE, &says)).await;
    line.send([b' '; 65_535]).await;
    line
}

#[tokio::test]
async fn a_call_takes_64_kib_and_a_callback_256() {
    let shop = Shop::new().await;
    for (path, largest, within) in [(CREATE, 64 << 10, 400), (CALLBACK, 256 << 10, 400)] {
        let size = |size: usize| {
            let call = shop.call(Method::POST, path);
            let call = call.header("Content-Type", "application/json");
            call.body(vec![b' '; size]).send()
        };
        assert_eq!(size(largest).await.status, within, "{path}");
        let answer = size(largest + 1).await;
        assert_eq!(answer.status, 413, "{path}");
        let said = format!("The request is larger than {} KiB.", largest >> 10);
        assert_eq!(answer.body["message"], said.as_str());
    }
}

#[tokio::test]
async fn a_body_without_an_end_or_an_announced_giant_is_413_and_not_held() {
    let (_shop, served) = shop("").await;
    let mut endless = served.connect().await;
    endless
        .send(head(CREATE, "Transfer-Encoding: chunked\r\n"))
        .await;
    let piece = format!("4000\r\n{}\r\n", " ".repeat(0x4000));
    for _ in 0..10 {
        endless.send(&piece).await;
    }
    assert_eq!(endless.status().await, 413);
    // A client with `Expect: 100-continue` gets no permission to send.
    let mut polite = served.connect().await;
    let asks = "Content-Length: 65537\r\nExpect: 100-continue\r\n";
    let heard = polite.send(head(CREATE, asks)).await.hear().await;
    assert!(heard.starts_with("HTTP/1.1 413"), "{heard}");
    let asks = "Content-Length: 2\r\nExpect: 100-continue\r\n";
    let mut polite = served.connect().await;
    polite.send(head(CREATE, asks)).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    let heard = polite.send("{}").await.hear().await;
    assert!(heard.starts_with("HTTP/1.1 100"), "{heard}");
    assert!(heard.contains("HTTP/1.1 400"), "{heard}");
}

#[tokio::test]
async fn one_client_holds_an_eighth_of_the_room_and_the_others_buy() {
    let settings = "[server]\nmax_body_memory = \"8 MiB\"\ntrusted_proxies = [\"127.0.0.1\"]\n";
    let (shop, served) = shop(settings).await;
    let mut lines = Vec::new();
    for _ in 0..16 {
        lines.push(stalled(&served, "10.0.0.1").await);
    }
    // Together the 16 bodies use 1 MiB. One more body gets a 503 at once.
    let mut more = stalled(&served, "10.0.0.1").await;
    let heard = more.hear().await;
    assert!(heard.starts_with("HTTP/1.1 503"), "{heard}");
    assert!(heard.contains("retry-after: 2"), "{heard}");
    let body = serde_json::json!({ "product": two_vehicles() }).to_string();
    let larger = format!("{body}{}", " ".repeat(5000));
    let buys = async |client: &str, body: &str| {
        let mut line = served.connect().await;
        let length = body.len();
        let says = format!("Content-Length: {length}\r\nX-Forwarded-For: {client}\r\n");
        line.send(head(CREATE, &says) + body).await.status().await
    };
    assert_eq!(buys("10.0.0.2", &larger).await, 201);
    // An IPv6 client is identified by its network.
    assert_eq!(buys("2001:db8::1", &larger).await, 201);
    // A small body that comes with its head needs no reserved memory, even from the same address.
    assert_eq!(buys("10.0.0.1", &body).await, 201);
    assert_eq!(buys("10.0.0.1", &larger).await, 503);
    assert!(lines[0].is_open_and_silent(10).await);
    // Their memory is released when they disconnect.
    drop(lines);
    tokio::time::sleep(Duration::from_millis(300)).await;
    for _ in 0..16 {
        let mut line = stalled(&served, "10.0.0.1").await;
        assert!(line.is_open_and_silent(10).await);
    }
    drop(shop);
}

#[tokio::test]
async fn all_clients_together_hold_what_the_room_has() {
    let settings = "[server]\nmax_body_memory = \"8 MiB\"\ntrusted_proxies = [\"127.0.0.1\"]\n";
    let (_shop, served) = shop(settings).await;
    let mut lines = Vec::new();
    for client in 0..8 {
        for _ in 0..16 {
            lines.push(stalled(&served, &format!("10.0.0.{client}")).await);
        }
    }
    // The memory is full, and the earlier bodies keep their memory.
    let mut another = stalled(&served, "10.1.1.1").await;
    assert_eq!(another.status().await, 503);
    assert!(lines[0].is_open_and_silent(10).await);
    drop(lines);
    tokio::time::sleep(Duration::from_millis(300)).await;
    let mut another = stalled(&served, "10.1.1.1").await;
    assert!(another.is_open_and_silent(100).await);
}
