//! The website's pages and files, as a browser gets them.

use std::collections::{BTreeMap, BTreeSet};

use layby::api::website::{PAGES, Website};
use poem::http::{Method, StatusCode};
use poem::listener::{Acceptor, Listener, TcpListener};
use poem::test::TestClient;
use poem::{Route, Server};
use serde::Deserialize;

use crate::front_door::{ask, header, on_sale, shop, website};

const SCRIPT: &str = "/assets/index-BxY3_k9Z.js";

/// Addresses that the website's own tests read too (`ui/src/lib/routes/paths.test.ts`).
#[derive(Deserialize)]
struct Addresses {
    pages: BTreeMap<String, Vec<String>>,
    not_sold: Vec<String>,
    malformed: Vec<String>,
    unknown: Vec<String>,
}

fn addresses() -> Addresses {
    serde_json::from_str(include_str!("../fixtures/pages.json")).unwrap()
}

#[test]
fn the_pages_are_those_of_the_websites_router() {
    let ours: BTreeSet<&str> = PAGES.into_iter().map(|(pattern, _)| pattern).collect();
    let pages = addresses().pages;
    assert_eq!(ours, pages.keys().map(String::as_str).collect());
}

#[tokio::test]
async fn every_route_of_the_website_answers_with_its_page() {
    for path in addresses().pages.values().flatten() {
        let response = ask(path, &[("Accept", "text/html")]).await;
        response.assert_status_is_ok();
        assert_eq!(
            header(&response, "Content-Type"),
            "text/html; charset=utf-8",
            "{path}"
        );
        assert_eq!(header(&response, "Cache-Control"), "no-cache", "{path}");
        response
            .assert_text("<!doctype html><title>layby</title>")
            .await;
    }
}

#[tokio::test]
async fn an_unknown_route_gets_the_same_page_and_says_not_found() {
    let Addresses {
        not_sold,
        malformed,
        unknown,
        ..
    } = addresses();
    let slashes = ["//", "/dashboard//"].map(str::to_owned);
    let missing = not_sold.iter().chain(&malformed).chain(&unknown);
    for path in missing.chain(&slashes) {
        for accept in ["text/html,application/xhtml+xml,*/*;q=0.8", "*/*"] {
            let response = ask(path, &[("Accept", accept)]).await;
            response.assert_status(StatusCode::NOT_FOUND);
            assert_eq!(header(&response, "ETag"), "", "{path}");
            response
                .assert_text("<!doctype html><title>layby</title>")
                .await;
        }
    }
    ask("/nowhere", &[])
        .await
        .assert_text("<!doctype html><title>layby</title>")
        .await;
}

#[tokio::test]
async fn what_is_not_a_page_is_plainly_not_found() {
    for (path, accept) in [
        ("/assets/index-AAAAAAAA.js", "*/*"),
        ("/favicon.ico", "text/html"),
        ("/index.html", "text/html"),
        ("/assets/index-BxY3_k9Z.js.br", "*/*"),
        ("/../Cargo.toml", "*/*"),
        ("/assets/../../config.toml", "*/*"),
        ("/nowhere", "application/json"),
        ("/nowhere", "image/avif,image/webp"),
    ] {
        let response = ask(path, &[("Accept", accept)]).await;
        response.assert_status(StatusCode::NOT_FOUND);
        assert_eq!(
            header(&response, "Content-Type"),
            "text/plain; charset=utf-8",
            "{path}"
        );
        response.assert_text("Not found").await;
    }
}

#[tokio::test]
async fn files_say_what_they_are_and_how_long_they_last() {
    let forever = "public, max-age=31536000, immutable";
    for (path, kind, cache) in [
        (SCRIPT, "text/javascript; charset=utf-8", forever),
        ("/assets/logo.png", "image/png", "no-cache"),
        ("/badge.svg", "image/svg+xml", "no-cache"),
    ] {
        let response = ask(path, &[]).await;
        response.assert_status_is_ok();
        assert_eq!(header(&response, "Content-Type"), kind, "{path}");
        assert_eq!(header(&response, "Cache-Control"), cache, "{path}");
        assert_eq!(header(&response, "Vary"), "Accept-Encoding", "{path}");
    }
}

#[tokio::test]
async fn the_best_encoding_that_both_know_is_sent() {
    for (accept, encoding, body) in [
        ("", "", "let plain;"),
        ("gzip, deflate, br, zstd", "br", "brotli"),
        ("gzip, deflate", "gzip", "gzip"),
        ("br;q=0.5, gzip;q=0.9", "gzip", "gzip"),
        ("br;q=0, gzip;q=0", "", "let plain;"),
        ("*", "br", "brotli"),
        ("*;q=0.2, br;q=0", "gzip", "gzip"),
        ("identity, br;q=0.5", "", "let plain;"),
        ("BR", "br", "brotli"),
        ("identity;q=0", "", "let plain;"),
        ("zstd", "", "let plain;"),
        ("br;q=nonsense", "", "let plain;"),
        ("gzip;q=0.0001, identity;q=0.5", "", "let plain;"),
    ] {
        let response = ask(SCRIPT, &[("Accept-Encoding", accept)]).await;
        assert_eq!(header(&response, "Content-Encoding"), encoding, "{accept}");
        assert_eq!(
            header(&response, "Content-Length"),
            body.len().to_string(),
            "{accept}"
        );
        response.assert_text(body).await;
    }
}

#[tokio::test]
async fn a_browser_that_has_the_file_is_not_sent_it_again() {
    let encoding = ("Accept-Encoding", "br");
    let etag = header(&ask(SCRIPT, &[encoding]).await, "ETag");
    let plain_etag = header(&ask(SCRIPT, &[]).await, "ETag");
    assert!(etag.starts_with('"') && etag.ends_with("-br\""), "{etag}");
    assert_ne!(etag, plain_etag);
    for known in [etag.clone(), format!("\"x\", W/{etag}"), "*".to_owned()] {
        let response = ask(SCRIPT, &[encoding, ("If-None-Match", &known)]).await;
        response.assert_status(StatusCode::NOT_MODIFIED);
        assert_eq!(header(&response, "ETag"), etag);
        response.assert_text("").await;
    }
    for other in [plain_etag.as_str(), "\"x\"", ""] {
        let response = ask(SCRIPT, &[encoding, ("If-None-Match", other)]).await;
        response.assert_status_is_ok();
    }
    let response = ask("/nowhere", &[("If-None-Match", "*")]).await;
    response.assert_status(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn head_answers_as_get_without_the_body_and_nothing_else_is_allowed() {
    let client = shop("");
    let response = client
        .head(SCRIPT)
        .header("Accept-Encoding", "gzip")
        .send()
        .await;
    response.assert_status_is_ok();
    assert_eq!(header(&response, "Content-Length"), "4");
    assert_eq!(header(&response, "Content-Encoding"), "gzip");
    response.assert_text("").await;
    client
        .head("/nowhere")
        .send()
        .await
        .assert_status(StatusCode::NOT_FOUND);
    for method in [
        Method::POST,
        Method::PUT,
        Method::DELETE,
        Method::OPTIONS,
        Method::TRACE,
    ] {
        let response = client.request(method, "/dashboard").send().await;
        response.assert_status(StatusCode::METHOD_NOT_ALLOWED);
        assert_eq!(header(&response, "Allow"), "GET, HEAD");
    }
}

/// Uses a real connection, because the HTTP server below poem removes the body of the response to HEAD.
#[tokio::test]
async fn head_keeps_the_length_over_a_real_connection() {
    let listener = TcpListener::bind("127.0.0.1:0")
        .into_acceptor()
        .await
        .unwrap();
    let address = listener.local_addr()[0].as_socket_addr().copied().unwrap();
    let server = tokio::spawn(Server::new_with_acceptor(listener).run(website()));
    let url = format!("http://{address}{SCRIPT}");
    let client = layby::integrations::http::client(None).unwrap();
    for (request, body) in [(client.head(&url), ""), (client.get(&url), "let plain;")] {
        let response = request.send().await.unwrap();
        assert_eq!(response.headers()["Content-Length"], "10");
        assert_eq!(response.text().await.unwrap(), body);
    }
    server.abort();
}

#[tokio::test]
async fn the_embedded_website_has_a_page() {
    let client = TestClient::new(Route::new().nest("/", Website::embedded(on_sale)));
    let response = client.get("/").send().await;
    response.assert_status_is_ok();
    let page = response.0.into_body().into_string().await.unwrap();
    assert!(page.to_lowercase().starts_with("<!doctype html>"), "{page}");
    client
        .get("/.built")
        .send()
        .await
        .assert_status(StatusCode::NOT_FOUND);
}
