//! The wire: everything that is answered over HTTP.

mod accounts;
mod adjustments;
mod aggregator;
pub mod assets;
mod auth;
mod cancellations;
mod client;
mod crawlers;
mod documents;
mod error;
pub mod headers;
mod health;
mod ids;
mod malformed;
mod passwords;
mod payload;
mod payments;
mod policies;
mod policy_list;
mod prices;
mod products;
mod quote_view;
mod quotes;
mod renewals;
mod sandbox;
mod site;
mod wire;

use std::sync::Arc;

use poem::middleware::{AddData, CatchPanic, CookieJarManager};
use poem::{Endpoint, EndpointExt, IntoResponse, Response, Route, get};
use poem_openapi::{ContactObject, OpenApiService};

use crate::app::{App, AppError, Provider};
use assets::Website;
use error::ApiError;
use headers::{RequestLog, SecurityHeaders};

type Areas = (
    products::Products,
    prices::Prices,
    quotes::Quotes,
    policies::Policies,
    adjustments::Adjustments,
    cancellations::Cancellations,
    renewals::Renewals,
    payments::Payments,
    accounts::Accounts,
    passwords::PasswordCalls,
    policy_list::PolicyList,
    documents::Documents,
    aggregator::Aggregator,
    site::Shell,
);

fn service() -> OpenApiService<Areas, ()> {
    OpenApiService::new(
        (
            products::Products,
            prices::Prices,
            quotes::Quotes,
            policies::Policies,
            adjustments::Adjustments,
            cancellations::Cancellations,
            renewals::Renewals,
            payments::Payments,
            accounts::Accounts,
            passwords::PasswordCalls,
            policy_list::PolicyList,
            documents::Documents,
            aggregator::Aggregator,
            site::Shell,
        ),
        "layby",
        env!("CARGO_PKG_VERSION"),
    )
    .description("Sells and services cover: quotes, payments, policies, accounts.")
    .contact(ContactObject::new().name("The operator of this shop"))
}

/// The API's document, OpenAPI 3.0 as JSON.
#[must_use]
pub fn openapi() -> String {
    let mut text = service().spec();
    text.push('\n');
    text
}

/// Every route: the API, the sandbox gateway's pages, health, and the website.
pub fn routes(app: Arc<App>) -> impl Endpoint<Output = Response> + 'static {
    let service = service();
    let document = service.spec_endpoint();
    let page = service.swagger_ui();
    let shop = app.clone();
    let website = Website::embedded(move |product, preset| {
        shop.products.is_on_sale(product, preset, shop.today())
    });
    let headers = SecurityHeaders::new(&app.config);
    let api = Route::new()
        .at("/api/openapi.json", document)
        .nest("/api/docs", page)
        // The operations have whole paths, so that the document shows the addresses that are called.
        .nest_no_strip("/api", service)
        .catch_all_error(|error| async move { enveloped(error) });
    let panicked = |_| ApiError::from(AppError::Internal("a handler panicked".into()));
    let mut routes = Route::new().nest_no_strip("/api", api);
    if app
        .providers()
        .any(|provider| provider == Provider::Sandbox)
    {
        routes = routes.nest("/gateway/sandbox", sandbox::routes());
    }
    routes
        .at("/health/live", get(health::live))
        .at("/health/ready", get(health::ready))
        .at("/metrics", get(health::counted))
        .at("/robots.txt", get(crawlers::robots))
        .at("/sitemap.xml", get(crawlers::sitemap))
        .nest("/", website)
        .with(CookieJarManager::new())
        .with(AddData::new(app))
        .with(CatchPanic::new().with_handler(panicked))
        .with(headers)
        .with(RequestLog)
        .map_to_response()
}

/// The answer for an error: the API's own as it is, the framework's in the envelope.
fn enveloped(error: poem::Error) -> Response {
    if error.is_from_response() {
        error.into_response()
    } else {
        ApiError::of_framework(&error).into_response()
    }
}
