//! The HTTP interface: the API, the website, health checks and metrics.

pub mod admin_socket;
mod held;
pub mod http;
pub mod routes;
pub(crate) mod schema;
pub mod website;

use std::borrow::Cow;
use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, LazyLock};

use futures_util::FutureExt;
use held::is_refused;
use http::bodies::BodyMemory;
use http::daily_cache::DailyCache;
use http::error::ApiError;
use http::headers::ResponseHeaders;
use http::method_filter::Allowed;
use poem::endpoint::make;
use poem::error::InternalServerError;
use poem::http::header::HOST;
use poem::http::{Method, StatusCode, Version};
use poem::middleware::CookieJarManager;
use poem::{Endpoint, EndpointExt, IntoResponse, PathPattern, Request, Response, Route, get};
use poem_openapi::{ContactObject, OpenApi, OpenApiService};
use routes::{
    accounts, adjustments, aggregator, cancellations, cards, cover, documents, lookups, passwords,
    payments, policies, policy_list, prices, products, quotes, renewals, rescue_cards,
};
use tokio::task::spawn_blocking;
use website::files::File;
use website::landing_page::LandingPage;
use website::{Website, site};

use crate::app::{App, AppError};

pub use http::startup_gate::StartupGate;

/// Returns the API's operations, by area.
fn areas() -> impl OpenApi {
    (
        products::ProductRoutes,
        prices::PriceRoutes,
        quotes::QuoteRoutes,
        policies::PolicyRoutes,
        adjustments::AdjustmentRoutes,
        cancellations::CancellationRoutes,
        renewals::RenewalRoutes,
        payments::PaymentRoutes,
        (accounts::AccountRoutes, cards::CardRoutes),
        passwords::PasswordRoutes,
        policy_list::ListRoutes,
        documents::DocumentRoutes,
        aggregator::AggregatorRoutes,
        cover::CoverRoutes,
        rescue_cards::RescueCardRoutes,
        (lookups::LookupRoutes, site::Shell),
    )
}

fn service() -> OpenApiService<impl OpenApi, ()> {
    OpenApiService::new(areas(), "layby", env!("CARGO_PKG_VERSION"))
        .description("Sells and services cover: quotes, payments, policies, accounts.")
        .contact(ContactObject::new().name("The operator of this shop"))
}

/// Returns the API's document: OpenAPI 3.0 as JSON.
#[must_use]
pub fn openapi() -> String {
    schema::openapi_document::complete(&service().spec())
}

/// Returns the methods of the API's operations, the gateway pages, health checks and metrics. A 405
/// response lists the methods of its route in `Allow`.
fn allowed() -> Allowed {
    let mut operations = HashMap::new();
    areas().add_routes(&mut operations);
    let methods =
        |methods_by_verb: HashMap<Method, _>| methods_by_verb.into_keys().collect::<Vec<_>>();
    let operations = operations.into_iter();
    let operations = operations.map(|(pattern, by_verb)| (pattern, methods(by_verb)));
    let extra_routes = [
        (
            "/gateway/sandbox/pay/:address",
            vec![Method::GET, Method::POST],
        ),
        ("/gateway/sandbox/frame.js", vec![Method::GET]),
        ("/gateway/return.js", vec![Method::GET]),
        (
            "/gateway/:provider/return/:paid_for",
            vec![Method::GET, Method::POST],
        ),
        (
            "/gateway/:provider/cancelled/:paid_for",
            vec![Method::GET, Method::POST],
        ),
        (
            "/gateway/sandbox/return/:paid_for",
            vec![Method::GET, Method::POST],
        ),
        (
            "/gateway/sandbox/cancelled/:paid_for",
            vec![Method::GET, Method::POST],
        ),
        ("/health/live", vec![Method::GET]),
        ("/health/ready", vec![Method::GET]),
        ("/metrics", vec![Method::GET]),
    ];
    Allowed::new(
        operations.chain(extra_routes.map(|(pattern, methods)| (pattern.to_string(), methods))),
    )
}

/// Returns every route: the API, our pages for the gateways, health checks, metrics and the website.
pub fn routes(app: Arc<App>) -> impl Endpoint<Output = Response> + 'static {
    let headers = ResponseHeaders::new(&app.config);
    shop(app, false).with(headers)
}

/// Returns the routes of [`routes()`] as the server serves them. A request with several `Host` headers, or
/// an HTTP/1.1 request without one, gets a 400.
pub fn served(app: Arc<App>) -> impl Endpoint<Output = Response> + 'static {
    let headers = ResponseHeaders::new(&app.config);
    shop(app, true).with(headers)
}

fn shop(app: Arc<App>, needs_host: bool) -> impl Endpoint<Output = Response> + 'static {
    let document = constant_endpoint("application/json", openapi);
    let page = constant_endpoint("text/html; charset=utf-8", || service().swagger_ui_html());
    let cache = Arc::new(DailyCache::default());
    let website = website_with(&app, website::embedded_files(), cache.clone());
    let api = Route::new()
        .at("/api/openapi.json", document)
        .at("/api/docs", page)
        // The operations have whole paths, so that the document shows the addresses that are called.
        .nest_no_strip("/api", service())
        .catch_all_error(|error| async move { error_response(error) });
    let mut routes = Route::new().nest_no_strip("/api", api);
    if crate::app::payments::has_sandbox(&app) {
        let pages = routes::gateway_return::add_return_pages(routes::sandbox_page::routes(), "");
        routes = routes.nest("/gateway/sandbox", pages);
    }
    let routes = routes::gateway_return::add_return_pages(routes, "/gateway/:provider")
        .at("/gateway/return.js", get(routes::gateway_return::script))
        .at("/health/live", get(routes::health::live))
        .at("/health/ready", get(routes::health::ready))
        .at("/metrics", get(routes::health::metrics_text))
        .at("/robots.txt", get(website::robots::robots))
        .at("/sitemap.xml", get(website::robots::sitemap))
        .nest("/", website)
        .with(CookieJarManager::new());
    ShopEndpoint {
        routes,
        needs_host,
        bodies: Arc::new(BodyMemory::new(app.config.server.max_body_memory)),
        cache,
        app,
        allowed: allowed(),
    }
}

/// The shop's routes. Checks the `Host` header, adds the data that handlers need to each request, and
/// converts a panic to a 500.
struct ShopEndpoint<E> {
    routes: E,
    needs_host: bool,
    app: Arc<App>,
    bodies: Arc<BodyMemory>,
    cache: Arc<DailyCache>,
    allowed: Allowed,
}

impl<E: Endpoint> Endpoint for ShopEndpoint<E> {
    type Output = Response;

    async fn call(&self, mut request: Request) -> poem::Result<Response> {
        if self.needs_host && !names_host(&request) {
            return Ok(ApiError::malformed("The request must name one host.").into_response());
        }
        if self.app.is_held() && is_refused(&request) {
            return Ok(ApiError::from(AppError::Held).into_response());
        }
        request.set_data(self.app.clone());
        request.set_data(self.bodies.clone());
        request.set_data(self.cache.clone());
        let mut response = catch_panic(self.routes.get_response(request)).await;
        self.allowed.complete(&mut response);
        Ok(response)
    }
}

/// Checks whether a request has exactly one `Host` header. A request of another version than HTTP/1.1 may
/// also have no such header.
fn names_host(request: &Request) -> bool {
    let hosts = request.headers().get_all(HOST).iter().count();
    hosts == 1 || hosts == 0 && request.version() != Version::HTTP_11
}

/// Returns the response of `answered`, or a 500 if `answered` panics.
async fn catch_panic(answered: impl Future<Output = Response>) -> Response {
    let answered = AssertUnwindSafe(answered).catch_unwind().await;
    answered.unwrap_or_else(|_| {
        ApiError::from(AppError::Internal("a handler panicked".into())).into_response()
    })
}

/// Builds the website from files, named by their paths without a leading slash. The pages where a quote
/// starts contain today's products and prices.
pub fn website(
    app: &Arc<App>,
    files: impl IntoIterator<Item = (String, Cow<'static, [u8]>)>,
) -> Website {
    website_with(app, files, Arc::default())
}

fn website_with(
    app: &Arc<App>,
    files: impl IntoIterator<Item = (String, Cow<'static, [u8]>)>,
    cache: Arc<DailyCache>,
) -> Website {
    let selling = app.clone();
    let on_sale = move |product: &str, preset: Option<&str>| {
        let today = selling.clock.today();
        selling.products.is_on_sale(product, preset, today)
    };
    Website::from_files(files, on_sale).with_heads(LandingPage(app.clone()), cache)
}

/// Returns an endpoint with a constant body. The first request builds the body.
fn constant_endpoint(
    content_type: &'static str,
    body: fn() -> String,
) -> impl Endpoint<Output = Response> {
    let file = Arc::new(LazyLock::new(move || {
        File::from_body(content_type, body().into_bytes())
    }));
    make(move |request| {
        let file = file.clone();
        // Compression takes too long for a thread of the runtime.
        let answered = spawn_blocking(move || file.answer(StatusCode::OK, &request));
        async { answered.await.map_err(InternalServerError) }
    })
}

/// Returns the response for an error. Does not change the API's own errors. An error of the framework gets
/// our envelope.
fn error_response(error: poem::Error) -> Response {
    if error.is_from_response() {
        return error.into_response();
    }
    let pattern = error.data::<PathPattern>().cloned();
    let mut response = ApiError::from_framework(&error).into_response();
    if let Some(pattern) = pattern {
        response.set_data(pattern);
    }
    response
}

#[cfg(test)]
mod tests {
    use poem::endpoint::make;
    use poem::test::TestClient;

    use crate::api::*;
    use crate::config::{Config, Layers};

    #[tokio::test]
    async fn an_operation_that_panics_is_a_500_that_says_nothing_of_it() {
        let broken = make(|_| async {
            let panics = async { panic!("somebody's secret") };
            Ok::<_, poem::Error>(catch_panic(panics).await)
        });
        let config = Config::load(&Layers::default()).unwrap();
        let routes = Route::new().at("/broken", broken);
        let routes = routes.with(ResponseHeaders::new(&config));
        let answer = TestClient::new(routes).get("/broken").send().await;
        answer.assert_status(StatusCode::INTERNAL_SERVER_ERROR);
        answer.assert_header("x-content-type-options", "nosniff");
        let text = answer.0.into_body().into_string().await.unwrap();
        assert!(text.contains("Oops, something went wrong!"), "{text}");
        assert!(!text.contains("secret"), "{text}");
    }
}
