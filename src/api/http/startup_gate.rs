//! What is answered before the shop is open: its store may have to be put in order first, which can
//! take minutes. That the process lives is said at once, and how far the store has come.

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
use crate::config::Config;

/// Percent of the store that are in order; none while it needs no repair.
type Percent = dyn Fn() -> Option<u8> + Send + Sync;

/// The routes from the first moment on: those of the shop once it is open. Clones are of the same one.
#[derive(Clone)]
pub struct Entrance(Arc<Inside>);

struct Inside {
    shop: OnceLock<BoxEndpoint<'static, Response>>,
    until_then: BoxEndpoint<'static, Response>,
}

impl Entrance {
    /// A shop that isn't open yet; `percent` says how far its store has been put in order.
    pub fn new(config: &Config, percent: impl Fn() -> Option<u8> + Send + Sync + 'static) -> Self {
        let closed = Closed(Box::new(percent));
        let until_then = closed.with(ResponseHeaders::new(config));
        Self(Arc::new(Inside {
            shop: OnceLock::new(),
            until_then: until_then.boxed(),
        }))
    }

    /// From now on the shop answers, with these routes.
    pub fn open(&self, shop: impl Endpoint<Output = Response> + 'static) {
        self.0.shop.get_or_init(|| shop.boxed());
    }
}

impl Endpoint for Entrance {
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

/// Answers for a shop that isn't open.
struct Closed(Box<Percent>);

impl Endpoint for Closed {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        let path = request.uri().path();
        Ok(match path {
            "/health/live" => "ok".into_response(),
            "/health/ready" => health::not_ready((self.0)()),
            _ if path == "/api" || path.starts_with("/api/") => {
                ApiError::from(AppError::Unavailable).into_response()
            }
            _ => soon(),
        })
    }
}

/// A page that a browser asks for again by itself.
fn soon() -> Response {
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
