//! What every answer carries: a request id, and the headers that keep a browser on its guard.

use std::time::Instant;

use poem::http::HeaderValue;
use poem::http::Method;
use poem::http::header::{CACHE_CONTROL, CONTENT_TYPE, COOKIE, HeaderMap, HeaderName, VARY};
use poem::{Endpoint, Middleware, PathPattern, Request, Response, Result};
use tracing::{Instrument, error_span, info, warn};
use uuid::Uuid;

use crate::config::{Config, Gateway, Origin, TagManager};
use crate::metrics;

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Gives each request an id, which is in `X-Request-Id` of the answer and on every line that is
/// logged meanwhile, and logs one line when it is answered: method, path template, status and
/// duration. The path and the query are not logged: they may identify a person.
///
/// It must wrap all other middleware, so that it sees errors as answers.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestLog;

impl<E: Endpoint> Middleware<E> for RequestLog {
    type Output = RequestLogEndpoint<E>;

    fn transform(&self, inner: E) -> Self::Output {
        RequestLogEndpoint { inner }
    }
}

/// An endpoint that [`RequestLog`] watches.
#[derive(Debug)]
pub struct RequestLogEndpoint<E> {
    inner: E,
}

impl<E: Endpoint> Endpoint for RequestLogEndpoint<E> {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        let id = incoming_id(request.headers()).unwrap_or_else(|| Uuid::now_v7().to_string());
        let method = request.method().clone();
        // At the error level, so that the id is on every logged line whatever the log level.
        let span = error_span!("request", %id, %method);
        let answered = async move {
            let started = Instant::now();
            let response = self.inner.get_response(request).await;
            log_answer(&method, &response, started);
            response
        };
        let mut response = answered.instrument(span).await;
        if let Ok(value) = HeaderValue::from_str(&id) {
            response.headers_mut().insert(X_REQUEST_ID, value);
        }
        Ok(response)
    }
}

/// The id that a proxy before us chose, if it is safe to log.
fn incoming_id(headers: &HeaderMap) -> Option<String> {
    let id = headers.get(X_REQUEST_ID)?.to_str().ok()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    ((8..=64).contains(&id.len()) && id.chars().all(plain)).then(|| id.to_owned())
}

/// The method's label in the figures. Unknown methods share one label, so that a client can't make
/// new ones.
const fn kind_of(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        _ => "other",
    }
}

fn log_answer(method: &Method, response: &Response, started: Instant) {
    let pattern = response.data::<PathPattern>();
    let route = pattern.map_or("unmatched", |pattern| &pattern.0);
    let status = response.status().as_u16();
    let took = started.elapsed();
    metrics::answered(kind_of(method), route, status, took);
    let duration_ms = took.as_micros() as f64 / 1000.0;
    if status >= 500 {
        warn!(route, status, duration_ms, "answered");
    } else {
        info!(route, status, duration_ms, "answered");
    }
}

/// Adds the security headers. A header that the answer already has stays as it is.
#[derive(Clone, Debug)]
pub struct SecurityHeaders {
    website: HeaderValue,
    /// The website's policy for visitors who accepted cookies, and the name of the cookie that says so.
    website_with_tags: Option<(HeaderValue, String)>,
    gateway: HeaderValue,
    data: HeaderValue,
    docs: HeaderValue,
    /// None where the shop may be reached over plain http.
    https_only: Option<HeaderValue>,
}

/// What an answer is, which decides the policy that a browser is told.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Website,
    /// A page of the built-in gateway, shown in a frame of our website.
    Gateway,
    Data,
    /// The page that documents the API. It is made by a library, of inline script.
    Docs,
}

impl Kind {
    fn of(path: &str) -> Self {
        let within = |root: &str| {
            path.strip_prefix(root)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        if within("/api/docs") {
            Self::Docs
        } else if within("/api") || within("/health") || within("/metrics") {
            Self::Data
        } else if within("/gateway") {
            Self::Gateway
        } else {
            Self::Website
        }
    }
}

impl SecurityHeaders {
    /// The headers for a shop of these settings.
    #[must_use]
    pub fn new(config: &Config) -> Self {
        let policy = |tags| header(&website_policy(config, tags));
        let tags = config.tag_manager.as_ref();
        Self {
            website: policy(None),
            website_with_tags: tags.map(|tags| (policy(Some(tags)), config.cookies.name.clone())),
            gateway: HeaderValue::from_static(
                "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                 img-src 'self' data:; form-action 'self'; base-uri 'none'; \
                 frame-ancestors 'self'",
            ),
            data: HeaderValue::from_static(
                "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
            ),
            docs: HeaderValue::from_static(
                "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
                 img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; \
                 frame-ancestors 'none'",
            ),
            https_only: config.is_production().then(|| {
                HeaderValue::from_static(if config.server.hsts_subdomains {
                    "max-age=31536000; includeSubDomains"
                } else {
                    "max-age=31536000"
                })
            }),
        }
    }

    fn policy(&self, kind: Kind, accepted: bool) -> &HeaderValue {
        match (kind, &self.website_with_tags) {
            (Kind::Website, Some((policy, _))) if accepted => policy,
            (Kind::Website, _) => &self.website,
            (Kind::Gateway, _) => &self.gateway,
            (Kind::Data, _) => &self.data,
            (Kind::Docs, _) => &self.docs,
        }
    }

    fn add(&self, kind: Kind, accepted: bool, response: &mut Response) {
        let in_frame = kind == Kind::Gateway;
        let is_page = response
            .headers()
            .get(CONTENT_TYPE)
            .is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
        let headers = response.headers_mut();
        let mut set = |name: &'static str, value: HeaderValue| {
            headers.entry(name).or_insert(value);
        };
        let text = HeaderValue::from_static;
        set(
            "content-security-policy",
            self.policy(kind, accepted).clone(),
        );
        set("x-content-type-options", text("nosniff"));
        set(
            "x-frame-options",
            text(if in_frame { "SAMEORIGIN" } else { "DENY" }),
        );
        set(
            "referrer-policy",
            // The addresses of the gateway's pages hold secrets.
            text(if in_frame {
                "same-origin"
            } else {
                "strict-origin-when-cross-origin"
            }),
        );
        set(
            "permissions-policy",
            text("camera=(), geolocation=(), microphone=(), usb=()"),
        );
        set("cross-origin-opener-policy", text("same-origin"));
        if let Some(https_only) = &self.https_only {
            set("strict-transport-security", https_only.clone());
        }
        if kind != Kind::Website {
            set(CACHE_CONTROL.as_str(), text("no-store"));
        } else if is_page && self.website_with_tags.is_some() {
            headers.append(VARY, text("Cookie"));
        }
    }
}

fn website_policy(config: &Config, tags: Option<&TagManager>) -> String {
    let list = |hosts: &[&str]| {
        hosts
            .iter()
            .map(|host| format!(" {host}"))
            .collect::<String>()
    };
    let tags: Vec<&str> = tags.map_or_else(Vec::new, |tags| {
        tags.hosts.iter().map(Origin::as_str).collect()
    });
    let gateways: Vec<&str> = config
        .payments
        .gateways
        .iter()
        .flat_map(|gateway: &Gateway| gateway.page_hosts())
        .copied()
        .collect();
    let reviews = config.site.reviews_frame.as_deref().and_then(Origin::of);
    let reviews: Vec<&str> = reviews.iter().map(Origin::as_str).collect();
    let (tags, gateways, reviews) = (list(&tags), list(&gateways), list(&reviews));
    format!(
        "default-src 'none'; script-src 'self'{tags}; style-src 'self' 'unsafe-inline'; \
         img-src 'self' data:{tags}; font-src 'self'; connect-src 'self'{tags}; \
         frame-src 'self'{gateways}{reviews}{tags}; form-action 'self'{gateways}; \
         base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"
    )
}

/// The policy as a header. Its origins were checked, so it is valid; an invalid one would allow
/// nothing.
fn header(policy: &str) -> HeaderValue {
    HeaderValue::from_str(policy).unwrap_or_else(|_| HeaderValue::from_static("default-src 'none'"))
}

/// Whether the visitor accepted cookies, by the cookie in which the website keeps the answer.
fn has_accepted(headers: &HeaderMap, cookie: &str) -> bool {
    let cookies = headers.get_all(COOKIE).into_iter();
    cookies
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .any(|(name, value)| name == cookie && value == "accepted")
}

impl<E: Endpoint> Middleware<E> for SecurityHeaders {
    type Output = SecurityHeadersEndpoint<E>;

    fn transform(&self, inner: E) -> Self::Output {
        let rules = self.clone();
        SecurityHeadersEndpoint { inner, rules }
    }
}

/// An endpoint whose answers get the headers of [`SecurityHeaders`].
#[derive(Debug)]
pub struct SecurityHeadersEndpoint<E> {
    inner: E,
    rules: SecurityHeaders,
}

impl<E: Endpoint> Endpoint for SecurityHeadersEndpoint<E> {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        let kind = Kind::of(request.uri().path());
        let accepted = match &self.rules.website_with_tags {
            Some((_, cookie)) => has_accepted(request.headers(), cookie),
            None => false,
        };
        let mut response = self.inner.get_response(request).await;
        self.rules.add(kind, accepted, &mut response);
        Ok(response)
    }
}
