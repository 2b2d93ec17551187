//! The HTML page of the website, and the responses that are cached for everybody.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::GzDecoder;
use layby::api;
use poem::http::{Method, StatusCode};
use poem::test::TestClient;
use poem::{EndpointExt, Route};
use serde_json::{Value, json};

use crate::support::Shop;

/// A page as the website's build writes it.
const PAGE: &str = "<!doctype html><html><head><title>x</title>\
    <meta name=\"description\" content=\"x\" />\
    <script type=\"module\" src=\"/assets/start.js\"></script></head>\
    <body><div id=\"root\"></div><noscript>x</noscript></body></html>";

const PARTS: &str = r#"{
    "src/pages/Home.tsx": { "file": "assets/Home.js" },
    "src/pages/account/Dashboard.tsx": { "file": "assets/Dashboard.js" }
}"#;

/// A response of the website.
struct Page {
    status: StatusCode,
    headers: poem::http::HeaderMap,
    bytes: Vec<u8>,
}

impl Page {
    fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.map_or("", |value| value.to_str().unwrap())
    }

    fn text(&self) -> String {
        String::from_utf8(self.bytes.clone()).unwrap()
    }

    /// Returns the data of the page for the website's script.
    fn data(&self) -> Value {
        let page = self.text();
        let (_, data) = page
            .split_once("<script type=\"application/json\" id=\"beginning\">")
            .unwrap();
        serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap()
    }

    /// Returns the text for a reader without a script: the page without its elements.
    fn words(&self) -> String {
        let page = self.text();
        let (_, body) = page.split_once("<body>").unwrap();
        let (body, _) = body.split_once("<script").unwrap();
        let mut words = String::new();
        let mut inside = false;
        for letter in body.chars() {
            match letter {
                '<' => inside = true,
                '>' => inside = false,
                letter if !inside => words.push(letter),
                _ => {}
            }
        }
        words
    }
}

async fn ask(shop: &Shop, method: Method, path: &str, headers: &[(&str, &str)]) -> Page {
    let files = [("index.html", PAGE), ("parts.json", PARTS)];
    let owned =
        |(name, text): (&str, &'static str)| (name.to_owned(), Cow::Borrowed(text.as_bytes()));
    let website = api::website(&shop.app, files.into_iter().map(owned));
    let client = TestClient::new(Route::new().nest("/", website).boxed());
    let mut request = client.request(method, path.to_string());
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let (parts, body) = request.send().await.0.into_parts();
    Page {
        status: parts.status,
        headers: parts.headers,
        bytes: body.into_vec().await.unwrap(),
    }
}

async fn get(shop: &Shop, path: &str) -> Page {
    ask(shop, Method::GET, path, &[]).await
}

fn unzipped(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    GzDecoder::new(bytes).read_to_end(&mut plain).unwrap();
    plain
}

/// Returns the API's figures for the initial answers of a page.
async fn asked_price(shop: &Shop, product: &str, values: &Value, tracking: &Value) -> Value {
    let request = json!({
        "product_identifier": product,
        "product": { "product_identifier": product, "values": values, "multi": {} },
        "quote_ready": true,
        "source_tracking": tracking,
    });
    let answer = shop.post("/api/v1/price", &request).send().await;
    answer.expect(StatusCode::OK).body["data"]["figures"].clone()
}

#[tokio::test]
async fn the_first_page_is_there_without_a_script() {
    let shop = Shop::new().await;
    let page = get(&shop, "/").await;
    assert_eq!(page.status, StatusCode::OK);
    let (words, text) = (page.words(), page.text());
    for said in [
        "Breakdown cover that gets you moving again",
        "From £",
        "Prices are for one new car, until you tell us about yours.",
        "National and home",
        "please turn on JavaScript",
        "01632 960 123",
    ] {
        assert!(words.contains(said), "{said} in {words}");
    }
    assert!(text.contains("href=\"tel:01632960123\""), "{text}");
    assert!(text.contains("<title>Vehicle breakdown cover | "), "{text}");
    assert!(
        text.contains("modulepreload\" crossorigin href=\"/assets/Home.js\""),
        "{text}"
    );
    // The content security policy allows only script files of the website. This element holds data.
    assert_eq!(text.matches("<script").count(), 2, "{text}");
    let other = get(&shop, "/dashboard").await;
    assert!(other.text().contains("href=\"/assets/Dashboard.js\""));
    let called = "or call us on <a href=\"tel:01632960123\">01632 960 123</a>";
    assert!(other.text().contains("This page needs JavaScript. "));
    assert!(other.text().contains(called), "{}", other.text());
}

#[tokio::test]
async fn the_answers_in_the_page_are_those_of_the_api() {
    let shop = Shop::new().await;
    for (path, product) in [
        ("/", "breakdown"),
        ("/breakdown/european", "breakdown"),
        ("/cover/gadget", "gadget"),
    ] {
        let data = get(&shop, path).await.data();
        let answers = data["answers"].as_object().unwrap();
        let read = format!("/api/v2/openapi/product/{product}");
        let wanted = [
            "/api/v1/site".to_string(),
            read.clone(),
            format!("{read}/stepper"),
            "/api/v2/products/enabled".to_string(),
        ];
        assert_eq!(answers.len(), wanted.len(), "{path}");
        for address in wanted {
            let asked = shop.get(&address).succeeds().await.body;
            // The website stores a response without its envelope.
            let asked = asked.get("data").cloned().unwrap_or(asked);
            assert_eq!(answers[&address], asked, "{path}: {address}");
        }
    }
    let data = get(&shop, "/policy/view").await.data();
    assert_eq!(data["answers"].as_object().unwrap().len(), 1);
    assert!(data.get("prices").is_none());
}

#[tokio::test]
async fn the_prices_in_the_page_are_those_of_the_moment() {
    let shop = Shop::new().await;
    for (path, tracking) in [
        ("/", json!({})),
        ("/breakdown/european", json!({})),
        ("/breakdown/personal", json!({})),
        (
            "/?utm_campaign=fkc&utm_medium=Affiliate&utm_source=bnp",
            json!({ "utm_campaign": "fkc", "utm_medium": "affiliate", "utm_source": "bnp" }),
        ),
        ("/", json!({})),
    ] {
        let page = get(&shop, path).await;
        let prices = &page.data()["prices"];
        let choices = prices["choices"].as_array().unwrap();
        assert_eq!(choices.len(), 5, "{path}");
        for choice in choices {
            let mut values = prices["assumed"].clone();
            values["cover_level"] = choice["value"].clone();
            let asked = asked_price(&shop, "breakdown", &values, &tracking).await;
            assert_eq!(choice["figures"], asked, "{path}: {values}");
            let written = format!("£{:.2}/year", asked["amount_total"].as_f64().unwrap());
            assert!(
                page.words().contains(&written),
                "{path}: {written} in {}",
                page.words()
            );
        }
    }
}

#[tokio::test]
async fn a_product_without_compared_prices_says_what_it_can() {
    let shop = Shop::new().await;
    let page = get(&shop, "/cover/gadget").await;
    let words = page.words();
    assert!(words.contains("Cover for the gadgets you carry"), "{words}");
    assert!(
        words.contains("for one pair of headphones worth £100"),
        "{words}"
    );
    assert!(!words.contains("Your registration number"), "{words}");
}

#[tokio::test]
async fn settings_that_would_end_the_data_stay_data() {
    let brand = "A & B </script><script>alert(1)</script>";
    let shop = Shop::configured(&format!("[site]\nbrand = '{brand}'\n")).await;
    let page = get(&shop, "/").await;
    assert_eq!(page.data()["answers"]["/api/v1/site"]["brand"], brand);
    assert_eq!(
        page.text().matches("<script>").count(),
        0,
        "{}",
        page.text()
    );
    assert!(
        page.text().contains("A &amp; B &lt;/script&gt;"),
        "{}",
        page.text()
    );
}

#[tokio::test]
async fn a_page_is_known_by_its_settings_and_its_day() {
    let shop = Shop::new().await;
    let first = get(&shop, "/").await;
    let etag = first.header("ETag").to_string();
    assert!(etag.starts_with('"'), "{etag}");
    let known = ask(&shop, Method::GET, "/", &[("If-None-Match", &etag)]).await;
    assert_eq!(known.status, StatusCode::NOT_MODIFIED);
    assert_eq!(
        (known.bytes.len(), known.header("ETag")),
        (0, etag.as_str())
    );
    let head = ask(&shop, Method::HEAD, "/", &[]).await;
    assert_eq!((head.status, head.bytes.len()), (StatusCode::OK, 0));
    assert_eq!(head.header("Content-Length"), first.bytes.len().to_string());
    let zipped = ask(&shop, Method::GET, "/", &[("Accept-Encoding", "br, gzip")]).await;
    assert_eq!(zipped.header("Content-Encoding"), "gzip");
    assert_eq!(zipped.header("Vary"), "Accept-Encoding");
    assert_eq!(zipped.header("Cache-Control"), "no-cache");
    assert_eq!(unzipped(&zipped.bytes), first.bytes);

    let renamed = Shop::configured("[site]\nbrand = 'Hardshoulder'\n").await;
    let renamed = ask(&renamed, Method::GET, "/", &[("If-None-Match", &etag)]).await;
    assert_eq!(renamed.status, StatusCode::OK);
    assert!(renamed.words().contains("Hardshoulder"));

    // Midnight in London: the first possible day of cover changes.
    shop.clock.set("2026-11-21T23:59:59Z".parse().unwrap());
    let today = ask(&shop, Method::GET, "/", &[("If-None-Match", &etag)]).await;
    assert_eq!(today.status, StatusCode::NOT_MODIFIED);
    shop.clock.advance(chrono::TimeDelta::seconds(1));
    let tomorrow = ask(&shop, Method::GET, "/", &[("If-None-Match", &etag)]).await;
    assert_eq!(tomorrow.status, StatusCode::OK);
    let inception =
        |page: &Page| page.data()["prices"]["choices"][0]["figures"]["inception"].clone();
    assert_ne!(inception(&tomorrow), inception(&first));
}

#[tokio::test]
async fn one_website_begins_anew_each_day() {
    let shop = Shop::new().await;
    let owned =
        |(name, text): (&str, &'static str)| (name.to_owned(), Cow::Borrowed(text.as_bytes()));
    let website = api::website(&shop.app, [("index.html", PAGE)].into_iter().map(owned));
    let client = TestClient::new(Route::new().nest("/", website).boxed());
    let etag = async || {
        let response = client.get("/").send().await;
        response.0.headers()["ETag"].to_str().unwrap().to_owned()
    };
    let first = etag().await;
    assert_eq!(etag().await, first);
    shop.clock.advance(chrono::TimeDelta::days(1));
    assert_ne!(etag().await, first);
}

#[tokio::test]
async fn an_unknown_address_has_the_shops_settings_and_no_etag() {
    let shop = Shop::new().await;
    for path in ["/nowhere", "/cover/nothing", "/breakdown/nothing"] {
        let page = get(&shop, path).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(page.header("ETag"), "", "{path}");
        assert!(page.data()["answers"]["/api/v1/site"].is_object(), "{path}");
    }
    let parts = get(&shop, "/parts.json").await;
    assert_eq!(parts.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn answers_for_everybody_are_sent_once_and_compressed() {
    let shop = Shop::new().await;
    let client = TestClient::new(api::routes(shop.app.clone()).boxed());
    for path in [
        "/api/v1/site",
        "/api/v2/openapi/product/breakdown",
        "/api/v2/openapi/product/gadget/stepper",
        "/api/v2/products/enabled",
    ] {
        let plain = shop.get(path).succeeds().await;
        let etag = plain.headers["ETag"].to_str().unwrap().to_owned();
        assert_eq!(plain.headers["Cache-Control"], "no-cache", "{path}");
        assert_eq!(plain.headers["Vary"], "Accept-Encoding", "{path}");
        let known = shop
            .get(path)
            .header("If-None-Match", &etag)
            .answers(StatusCode::NOT_MODIFIED)
            .await;
        assert!(known.bytes.is_empty(), "{path}");
        let request = client.get(path).header("Accept-Encoding", "gzip, br");
        let response = request.send().await.0;
        let zipped = response.headers().get("Content-Encoding").cloned();
        let bytes = response.into_body().into_vec().await.unwrap();
        match zipped {
            Some(zipped) => {
                assert_eq!(
                    (zipped.to_str().unwrap(), unzipped(&bytes)),
                    ("gzip", plain.bytes),
                    "{path}"
                );
            }
            None => assert!(plain.bytes.len() < 1024, "{path}"),
        }
        shop.clock.advance(chrono::TimeDelta::days(1));
        shop.get(path).succeeds().await;
    }
    shop.get("/api/v2/openapi/product/nothing")
        .answers(StatusCode::NOT_FOUND)
        .await;
}

#[tokio::test]
async fn an_address_in_escaped_letters_takes_no_memory_of_its_own() {
    let shop = Shop::new().await;
    let client = TestClient::new(api::routes(shop.app.clone()).boxed());
    let answer = async |path: &str| {
        let response = client.get(path).send().await.0;
        (
            response.status(),
            response.into_body().into_bytes().await.unwrap(),
        )
    };
    for (plain, escaped) in [
        (
            "/api/v2/openapi/product/breakdown",
            "/api/v2/openapi/product/%62reakdown",
        ),
        (
            "/api/v2/openapi/product/breakdown/stepper",
            "/api/v2/openapi/product/b%72eakdown/stepper",
        ),
        (
            "/api/v2/openapi/product/breakdown",
            "/api/v2/openapi/product/1",
        ),
        ("/nowhere", "/b%72eakdown"),
        ("/nowhere", "/cover/%67adget"),
    ] {
        let (plain, other) = (answer(plain).await, answer(escaped).await);
        assert_eq!(plain.0, other.0, "{escaped}");
        assert_eq!(plain.1.as_ptr(), other.1.as_ptr(), "{escaped}");
    }
}
