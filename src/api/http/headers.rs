//! The headers of every response: a request id, and the security headers of browsers.

use std::sync::Arc;
use std::time::Instant;

use poem::http::HeaderValue;
use poem::http::Method;
use poem::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, COOKIE, HeaderMap, HeaderName,
    REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, VARY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use poem::{Endpoint, Middleware, PathPattern, Request, Response, Result};
use tracing::{Instrument, error_span, info, warn};
use uuid::Uuid;

use crate::api::website::pages::{BROKEN_DOWN, RESCUE_CARD};
use crate::config::{Config, GatewayName, TagManager, WebOrigin};
use crate::metrics;

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");
const CROSS_ORIGIN_OPENER_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-opener-policy");
const SERVICE_WORKER_ALLOWED: HeaderName = HeaderName::from_static("service-worker-allowed");

/// Returns the request's `X-Request-Id`, which a proxy may have set. Returns `None` unless the id has 8
/// to 64 letters, digits or `-_.`, and so is safe to log.
fn incoming_id(headers: &HeaderMap) -> Option<String> {
    let id = headers.get(X_REQUEST_ID)?.to_str().ok()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    ((8..=64).contains(&id.len()) && id.chars().all(plain)).then(|| id.to_owned())
}

/// Returns the method's label in the metrics. All other methods share one label, so that clients cannot
/// create new labels.
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
    metrics::count_request(kind_of(method), route, status, took);
    let duration_ms = took.as_micros() as f64 / 1000.0;
    if status >= 500 {
        warn!(route, status, duration_ms, "answered");
    } else {
        info!(route, status, duration_ms, "answered");
    }
}

/// Gives each request an id, or keeps a valid id that a proxy set. The response's `X-Request-Id` and every
/// line logged during the request contain the id. Logs one line with the response: method, route pattern,
/// status and duration. Does not log the path and the query, because they may identify a person.
///
/// Adds the security headers. Keeps a security header that the response already has.
///
/// This middleware must wrap all other middleware, so that it also adds the headers to their error
/// responses.
#[derive(Clone, Debug)]
pub struct ResponseHeaders(Arc<Prepared>);

/// The headers of each kind of response.
#[derive(Debug)]
struct Prepared {
    website: HeaderMap,
    /// For visitors who accepted cookies, with the name of the cookie that stores the decision. `None`
    /// without a tag manager.
    website_with_tags: Option<(HeaderMap, String)>,
    /// For payment pages whose address names no known gateway. The policy allows the hosts of the gateway
    /// if there is exactly one gateway. If not, the policy allows no other hosts.
    payment: HeaderMap,
    /// For payment pages, by the name of the gateway in the address.
    payment_at: Vec<(&'static str, HeaderMap)>,
    gateway: HeaderMap,
    broken_down: HeaderMap,
    rescue_card: HeaderMap,
    data: HeaderMap,
    docs: HeaderMap,
}

/// The kind of a response. It decides the content security policy.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Website,
    /// A page of the website with a payment. No script of another host may run there.
    Payment,
    /// A page of the built-in gateway, or the page to which a gateway sends the browser back. The browser
    /// shows the page in a frame of our website, or alone.
    Gateway,
    /// The page for a breakdown. It may ask for the browser's location, and has a service worker. So no
    /// script of another host may run there.
    BrokenDown,
    /// The rescue card and its service worker. It may ask for the browser's location. The card needs no
    /// other host.
    RescueCard,
    Data,
    /// The page that documents the API. A library builds it with inline scripts.
    Docs,
}

impl Kind {
    fn from_path(path: &str) -> Self {
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
        } else if within(BROKEN_DOWN) {
            Self::BrokenDown
        } else if within(RESCUE_CARD) {
            Self::RescueCard
        } else if within("/payment") {
            Self::Payment
        } else {
            Self::Website
        }
    }
}

impl ResponseHeaders {
    #[must_use]
    pub fn new(config: &Config) -> Self {
        let https_only = config.is_production().then(|| {
            HeaderValue::from_static(if config.server.hsts_subdomains {
                "max-age=31536000; includeSubDomains"
            } else {
                "max-age=31536000"
            })
        });
        let prepare = |kind: Kind, policy: &str| kind.headers(policy, https_only.clone());
        let website = |tags| prepare(Kind::Website, &website_policy(config, tags));
        let tags = config.tag_manager.as_ref();
        let gateways = &config.payments.gateways;
        let payment = |gateway: Option<&GatewayName>| {
            let hosts = gateway.map(|gateway| config.payments.page_hosts(*gateway));
            let hosts = hosts.unwrap_or_default();
            let hosts: Vec<&str> = hosts.iter().map(String::as_str).collect();
            prepare(Kind::Payment, &payment_policy(&hosts))
        };
        Self(Arc::new(Prepared {
            website: website(None),
            website_with_tags: tags.map(|tags| (website(Some(tags)), config.cookies.name.clone())),
            payment: match gateways.as_slice() {
                [only] => payment(Some(only)),
                _ => payment(None),
            },
            payment_at: gateways
                .iter()
                .map(|gateway| (gateway.name(), payment(Some(gateway))))
                .collect(),
            gateway: prepare(
                Kind::Gateway,
                "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                 img-src 'self' data:; font-src 'self'; form-action 'self'; base-uri 'none'; \
                 frame-ancestors 'self'",
            ),
            broken_down: prepare(
                Kind::BrokenDown,
                &website_policy(config, None).replace("worker-src 'none'", "worker-src 'self'"),
            ),
            rescue_card: prepare(
                Kind::RescueCard,
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                 font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
                 form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
            ),
            data: prepare(
                Kind::Data,
                "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
            ),
            docs: prepare(
                Kind::Docs,
                "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
                 img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; \
                 frame-ancestors 'none'",
            ),
        }))
    }
}

impl Kind {
    /// Returns the headers of this kind's responses.
    fn headers(self, policy: &str, https_only: Option<HeaderValue>) -> HeaderMap {
        let in_frame = self == Self::Gateway;
        let text = HeaderValue::from_static;
        let mut headers = HeaderMap::from_iter([
            (CONTENT_SECURITY_POLICY, header(policy)),
            (X_CONTENT_TYPE_OPTIONS, text("nosniff")),
            (
                X_FRAME_OPTIONS,
                text(if in_frame { "SAMEORIGIN" } else { "DENY" }),
            ),
            (
                REFERRER_POLICY,
                // The addresses of the gateway's pages contain secrets.
                text(if in_frame {
                    "same-origin"
                } else {
                    "strict-origin-when-cross-origin"
                }),
            ),
            (
                PERMISSIONS_POLICY,
                text(if matches!(self, Self::BrokenDown | Self::RescueCard) {
                    "camera=(), geolocation=(self), microphone=(), usb=()"
                } else {
                    "camera=(), geolocation=(), microphone=(), usb=()"
                }),
            ),
            (CROSS_ORIGIN_OPENER_POLICY, text("same-origin")),
        ]);
        if let Some(https_only) = https_only {
            headers.insert(STRICT_TRANSPORT_SECURITY, https_only);
        }
        match self {
            // The service worker's file is below the card's address, but its scope is that address
            // itself. A browser allows such a scope only with this header.
            Self::RescueCard => {
                headers.insert(SERVICE_WORKER_ALLOWED, text(RESCUE_CARD));
            }
            Self::Website | Self::Payment | Self::BrokenDown => {}
            Self::Gateway | Self::Data | Self::Docs => {
                headers.insert(CACHE_CONTROL, text("no-store"));
            }
        }
        headers
    }
}

impl Prepared {
    fn select(&self, kind: Kind, request: &Request) -> &HeaderMap {
        match kind {
            Kind::Website => match &self.website_with_tags {
                Some((headers, cookie)) if has_accepted(request.headers(), cookie) => headers,
                _ => &self.website,
            },
            Kind::Payment => {
                let chosen = chosen_gateway(request.uri().query());
                let mut gateways = self.payment_at.iter();
                let gateway = gateways.find(|(name, _)| Some(*name) == chosen);
                gateway.map_or(&self.payment, |(_, headers)| headers)
            }
            Kind::Gateway => &self.gateway,
            Kind::BrokenDown => &self.broken_down,
            Kind::RescueCard => &self.rescue_card,
            Kind::Data => &self.data,
            Kind::Docs => &self.docs,
        }
    }

    /// Checks whether a response depends on the cookie that stores the decision about cookies.
    fn depends_on_cookie(&self, kind: Kind, headers: &HeaderMap) -> bool {
        let content_type = headers.get(CONTENT_TYPE);
        kind == Kind::Website
            && self.website_with_tags.is_some()
            && content_type.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"))
    }
}

/// Formats hosts for a list of sources in a policy, each with a space before it.
fn listed(hosts: &[&str]) -> String {
    hosts.iter().map(|host| format!(" {host}")).collect()
}

fn website_policy(config: &Config, tags: Option<&TagManager>) -> String {
    let tags: Vec<&str> = tags.map_or_else(Vec::new, |tags| {
        tags.hosts.iter().map(WebOrigin::as_str).collect()
    });
    let reviews = config
        .site
        .reviews_frame
        .as_deref()
        .and_then(WebOrigin::parse);
    let reviews: Vec<&str> = reviews.iter().map(WebOrigin::as_str).collect();
    let (tags, reviews) = (listed(&tags), listed(&reviews));
    format!(
        "default-src 'none'; script-src 'self'{tags}; style-src 'self' 'unsafe-inline'; \
         img-src 'self' data:{tags}; font-src 'self'; connect-src 'self'{tags}; \
         frame-src 'self'{reviews}{tags}; form-action 'self'; \
         base-uri 'none'; frame-ancestors 'none'; worker-src 'none'; manifest-src 'self'"
    )
}

/// Returns the policy of a payment page. The page may show frames of the gateway's hosts and send forms to
/// those hosts. A gateway's page may replace our page. The policy needs the host of such a page only if our
/// page posts a form to that host.
fn payment_policy(hosts: &[&str]) -> String {
    let hosts = listed(hosts);
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
         img-src 'self' data:; font-src 'self'; connect-src 'self'; \
         frame-src 'self'{hosts}; form-action 'self'{hosts}; \
         base-uri 'none'; frame-ancestors 'none'; worker-src 'none'; manifest-src 'self'"
    )
}

/// Returns the gateway that a payment page's address names (`ui/src/lib/routes/paths.ts`).
fn chosen_gateway(query: Option<&str>) -> Option<&str> {
    let mut pairs = query?.split('&');
    pairs.find_map(|pair| pair.strip_prefix("gateway="))
}

/// Returns the policy as a header. A policy with an invalid character, which checked origins do not have,
/// becomes a policy that allows nothing.
fn header(policy: &str) -> HeaderValue {
    HeaderValue::from_str(policy).unwrap_or_else(|_| HeaderValue::from_static("default-src 'none'"))
}

/// Checks whether the visitor accepted cookies, by the cookie in which the website stores the decision.
fn has_accepted(headers: &HeaderMap, cookie: &str) -> bool {
    let cookies = headers.get_all(COOKIE).into_iter();
    cookies
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .any(|(name, value)| name == cookie && value == "accepted")
}

impl<E: Endpoint> Middleware<E> for ResponseHeaders {
    type Output = ResponseHeadersEndpoint<E>;

    fn transform(&self, inner: E) -> Self::Output {
        let prepared = self.0.clone();
        ResponseHeadersEndpoint { inner, prepared }
    }
}

/// An endpoint that adds the headers of [`ResponseHeaders`].
#[derive(Debug)]
pub struct ResponseHeadersEndpoint<E> {
    inner: E,
    prepared: Arc<Prepared>,
}

impl<E: Endpoint> Endpoint for ResponseHeadersEndpoint<E> {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        let id = incoming_id(request.headers()).unwrap_or_else(|| Uuid::now_v7().to_string());
        let method = request.method().clone();
        // The span has the error level, so that every logged line has the id at any log level.
        let span = error_span!("request", %id, %method);
        let kind = Kind::from_path(request.uri().path());
        let mut headers = self.prepared.select(kind, &request).clone();
        let answered = async move {
            let started = Instant::now();
            let response = self.inner.get_response(request).await;
            log_answer(&method, &response, started);
            response
        };
        let mut response = answered.instrument(span).await;
        // A header of the response itself takes precedence.
        headers.extend(std::mem::take(response.headers_mut()));
        if self.prepared.depends_on_cookie(kind, &headers) {
            headers.append(VARY, HeaderValue::from_static("Cookie"));
        }
        if let Ok(value) = HeaderValue::from_str(&id) {
            headers.insert(X_REQUEST_ID, value);
        }
        *response.headers_mut() = headers;
        Ok(response)
    }
}
