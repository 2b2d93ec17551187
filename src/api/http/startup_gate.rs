//! The responses before the shop is open. A repair of the store may take minutes. Meanwhile,
//! `/health/live` reports that the process runs, and `/health/ready` the progress of the repair. `/metrics`
//! has what is known without the store.

use std::sync::{Arc, OnceLock};

use maud::html;
use poem::endpoint::BoxEndpoint;
use poem::http::StatusCode;
use poem::http::header::{CACHE_CONTROL, RETRY_AFTER};
use poem::{Endpoint, EndpointExt, IntoResponse, Request, Response, Result};

use crate::api::http::error::ApiError;
use crate::api::http::headers::ResponseHeaders;
use crate::api::routes::health;
use crate::app::AppError;
use crate::config::{Config, ServerSettings};

/// Percent of the store that is repaired. `None` if no repair is in progress.
type Percent = dyn Fn() -> Option<u8> + Send + Sync;

/// The routes of the process: a placeholder until the shop is open, and then the shop's routes. Clones
/// share one state.
#[derive(Clone)]
pub struct StartupGate(Arc<Inside>);

struct Inside {
    shop: OnceLock<BoxEndpoint<'static, Response>>,
    until_then: BoxEndpoint<'static, Response>,
}

impl StartupGate {
    /// Creates a gate for a shop that is not open yet. `percent` returns the progress of the store's
    /// repair.
    pub fn new(config: &Config, percent: impl Fn() -> Option<u8> + Send + Sync + 'static) -> Self {
        let closed = Closed {
            percent: Box::new(percent),
            server: config.server.clone(),
        };
        let until_then = closed.with(ResponseHeaders::new(config));
        Self(Arc::new(Inside {
            shop: OnceLock::new(),
            until_then: until_then.boxed(),
        }))
    }

    /// Opens the shop: from now on, the routes of `shop` answer.
    pub fn open(&self, shop: impl Endpoint<Output = Response> + 'static) {
        self.0.shop.get_or_init(|| shop.boxed());
    }
}

impl Endpoint for StartupGate {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        let inside = &self.0;
        inside
            .shop
            .get()
            .unwrap_or(&inside.until_then)
            .call(request)
            .await
    }
}

/// The routes of a shop that is not open.
struct Closed {
    percent: Box<Percent>,
    server: ServerSettings,
}

impl Endpoint for Closed {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        let path = request.uri().path();
        Ok(match path {
            "/health/live" => "ok".into_response(),
            "/health/ready" => health::not_ready((self.percent)()),
            "/metrics" => health::recorded_metrics(&request, &self.server),
            _ if path == "/api" || path.starts_with("/api/") => {
                ApiError::from(AppError::Unavailable).into_response()
            }
            _ => starting_page(),
        })
    }
}

/// Returns a page that the browser reloads after five seconds.
fn starting_page() -> Response {
    let page = html! {
        (maud::DOCTYPE)
        html lang="en-GB" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width";
                title { "We will be back in a moment" }
            }
            body {
                h1 { "We will be back in a moment" }
                p { "The shop is starting, which can take some minutes. This page tries again by itself." }
            }
        }
    };
    page.into_string()
        .with_content_type("text/html; charset=utf-8")
        .with_status(StatusCode::SERVICE_UNAVAILABLE)
        .with_header(RETRY_AFTER, "5")
        .with_header("refresh", "5")
        .with_header(CACHE_CONTROL, "no-store")
        .into_response()
}
