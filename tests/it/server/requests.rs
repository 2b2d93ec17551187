//! Required parts of a request, and the responses to invalid ones.

use poem::http::Method;

use super::{Served, limits};
use crate::support::Shop;

#[tokio::test]
async fn a_request_names_the_one_host_it_means() {
    let shop = Shop::new().await;
    let served = Served::start(limits(), layby::api::served(shop.app.clone())).await;
    for (head, status) in [
        ("GET /health/live HTTP/1.1\r\n\r\n", 400),
        ("GET http://shop.test/health/live HTTP/1.1\r\n\r\n", 400),
        (
            "GET /health/live HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            400,
        ),
        ("GET /health/live HTTP/1.0\r\n\r\n", 200),
        ("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n", 200),
    ] {
        let mut line = served.connect().await;
        let heard = line.send(head).await.hear().await;
        let said = heard.split(' ').nth(1);
        assert_eq!(said, Some(status.to_string().as_str()), "{head}");
        assert!(heard.contains("x-request-id: "), "{heard}");
        if status == 400 {
            assert!(heard.contains("\"code\":\"malformed\""), "{heard}");
        }
    }
}

#[tokio::test]
async fn requests_that_are_sent_ahead_are_answered_in_order() {
    let shop = Shop::new().await;
    let served = Served::start(limits(), layby::api::served(shop.app.clone())).await;
    let mut line = served.connect().await;
    let paths = ["/health/live", "/nothing.js", "/health/ready"];
    let ahead = paths.map(|path| format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n"));
    line.send(ahead.concat() + "GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        .await;
    let mut heard = String::new();
    while let more = line.hear().await
        && !more.is_empty()
    {
        heard += &more;
    }
    let statuses = heard.lines().filter_map(|line| {
        let (_, status) = line.split_once("HTTP/1.1 ")?;
        status.get(..3)
    });
    let statuses: Vec<_> = statuses.collect();
    assert_eq!(statuses, ["200", "404", "200", "200"]);
}

#[tokio::test]
async fn where_a_request_says_twice_how_long_it_is_its_chunks_count_and_nothing_after_them() {
    let shop = Shop::new().await;
    let served = Served::start(limits(), layby::api::served(shop.app.clone())).await;
    let post = "POST /api/v1/price HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";
    let next = "GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    for both in [
        "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n",
        "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
        // A proxy that uses the length would forward the rest as another request.
        "Content-Length: 400\r\nTransfer-Encoding: chunked\r\n",
    ] {
        let mut line = served.connect().await;
        line.send(&format!("{post}{both}\r\n2\r\n{{}}\r\n0\r\n\r\n{next}"))
            .await;
        let mut heard = String::new();
        while let more = line.hear().await
            && !more.is_empty()
        {
            heard += &more;
        }
        let statuses = heard.lines().filter_map(|line| {
            let (_, status) = line.split_once("HTTP/1.1 ")?;
            status.get(..3)
        });
        let statuses: Vec<_> = statuses.collect();
        // The chunks were read, but nothing after them, because another party may have sent the rest.
        assert_eq!(statuses, ["400"], "{both}: {heard}");
        assert!(heard.contains("`product` is missing"), "{both}: {heard}");
        assert!(heard.contains("connection: close"), "{both}: {heard}");
    }
    // Two different lengths, or chunks inside another coding, are invalid.
    for wrong in [
        "Content-Length: 2\r\nContent-Length: 3\r\n",
        "Transfer-Encoding: chunked, gzip\r\n",
        "Content-Length: +2\r\n",
    ] {
        let mut line = served.connect().await;
        let heard = line
            .send(&format!("{post}{wrong}\r\n{{}}"))
            .await
            .hear()
            .await;
        assert_eq!(heard.split(' ').nth(1), Some("400"), "{wrong}: {heard}");
    }
}

#[tokio::test]
async fn what_an_address_can_do_is_said_where_it_cannot_do_something() {
    let shop = Shop::new().await;
    for (method, path, allowed) in [
        (Method::DELETE, "/api/v1/profile", "GET, HEAD, PUT"),
        (Method::TRACE, "/api/v1/profile", "GET, HEAD, PUT"),
        (Method::OPTIONS, "/api/v1/price", "POST"),
        (Method::PATCH, "/api/v1/quote/1", "PUT"),
        (Method::GET, "/api/v1/gateway/sandbox/callback", "POST"),
        (Method::POST, "/health/live", "GET, HEAD"),
        (Method::POST, "/health/ready", "GET, HEAD"),
        (Method::POST, "/metrics", "GET, HEAD"),
        (Method::PUT, "/gateway/sandbox/pay/x", "GET, HEAD, POST"),
        (Method::POST, "/gateway/sandbox/frame.js", "GET, HEAD"),
        (Method::PUT, "/gateway/sandbox/return/x", "GET, HEAD, POST"),
        (Method::PUT, "/gateway/other/cancelled/x", "GET, HEAD, POST"),
        (Method::POST, "/gateway/return.js", "GET, HEAD"),
        (Method::POST, "/breakdown", "GET, HEAD"),
    ] {
        let answer = shop.call(method.clone(), path).send().await;
        assert_eq!(answer.status, 405, "{method} {path}");
        assert_eq!(answer.headers["allow"], allowed, "{method} {path}");
    }
    let missing = shop.call(Method::DELETE, "/api/v1/nothing").send().await;
    assert_eq!(
        (missing.status.as_u16(), missing.headers.get("allow")),
        (404, None)
    );
}

#[tokio::test]
async fn a_head_has_16_kib() {
    let shop = Shop::new().await;
    let served = Served::start(limits(), layby::api::served(shop.app.clone())).await;
    for (size, status) in [(15_000, 200), (17_000, 431)] {
        let mut line = served.connect().await;
        let long = "x".repeat(size);
        line.send(format!(
            "GET /health/live HTTP/1.1\r\nHost: a\r\nX-Long: {long}\r\n\r\n"
        ))
        .await;
        assert_eq!(line.status().await, status, "{size}");
    }
}
