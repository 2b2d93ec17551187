//! A small shop for HTTP tests: the website, a few calls, and the headers of both.

use std::borrow::Cow;

use layby::api::http::headers::ResponseHeaders;
use layby::api::website::Website;
use layby::config::{Config, Layers};
use poem::endpoint::BoxEndpoint;
use poem::http::StatusCode;
use poem::test::{TestClient, TestRequestBuilder, TestResponse};
use poem::web::{Html, Json, Path};
use poem::{EndpointExt, Error, Route, get, handler};

const COVERS: [&str; 5] = ["personal", "vehicle", "local", "national", "european"];

/// Checks whether the small shop sells this product.
pub fn on_sale(product: &str, preset: Option<&str>) -> bool {
    match product {
        "breakdown" => preset.is_none_or(|preset| COVERS.contains(&preset)),
        "gadget" => preset.is_none_or(|preset| preset == "complete"),
        _ => false,
    }
}

pub fn website() -> Website {
    let files = [
        ("index.html", "<!doctype html><title>layby</title>"),
        ("badge.svg", "<svg/>"),
        (
            "rescue-card/index.html",
            "<!doctype html><title>card</title>",
        ),
        ("rescue-card/worker.js", "let worker;"),
        ("worker.js", "let worker;"),
        ("assets/index-BxY3_k9Z.js", "let plain;"),
        ("assets/index-BxY3_k9Z.js.br", "brotli"),
        ("assets/index-BxY3_k9Z.js.gz", "gzip"),
        ("assets/logo.png", "picture"),
    ];
    let owned =
        |(name, text): (&str, &'static str)| (name.to_owned(), Cow::Borrowed(text.as_bytes()));
    Website::from_files(files.into_iter().map(owned), on_sale)
}

pub type Client = TestClient<BoxEndpoint<'static, poem::Response>>;

#[handler]
fn quote(Path(_id): Path<String>) -> Json<u8> {
    tracing::info!(target: "layby", "looked up");
    Json(1)
}

#[handler]
fn broken() -> Result<Json<u8>, Error> {
    Err(Error::from_status(StatusCode::INTERNAL_SERVER_ERROR))
}

#[handler]
fn kept() -> poem::Response {
    poem::Response::builder()
        .header("Cache-Control", "public, max-age=60")
        .finish()
}

#[handler]
fn frame() -> Html<&'static str> {
    Html("<p>card")
}

pub fn shop(settings: &str) -> Client {
    let file = Some(("shop.toml".to_owned(), settings.to_owned()));
    let layers = Layers {
        file,
        ..Layers::default()
    };
    let config = Config::load(&layers).unwrap();
    let routes = Route::new()
        .at("/api/quote/:id", get(quote))
        .at("/api/broken", get(broken))
        .at("/api/kept", get(kept))
        .at("/api/docs", get(frame))
        .at("/gateway/sandbox/pay/:secret", get(frame))
        .nest("/", website())
        .with(ResponseHeaders::new(&config));
    TestClient::new(routes.boxed())
}

pub async fn ask(path: &str, headers: &[(&str, &str)]) -> TestResponse {
    with_headers(shop("").get(path), headers).send().await
}

fn with_headers<'a, E: poem::Endpoint>(
    request: TestRequestBuilder<'a, E>,
    headers: &[(&str, &str)],
) -> TestRequestBuilder<'a, E> {
    headers.iter().fold(request, |request, (name, value)| {
        request.header(*name, *value)
    })
}

pub fn header(response: &TestResponse, name: &str) -> String {
    let value = response.0.headers().get(name);
    value.map_or_else(String::new, |value| value.to_str().unwrap().to_owned())
}
