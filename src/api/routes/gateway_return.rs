//! The pages to which a payment provider sends the browser back: `/gateway/{provider}/return/{id}`, and
//! `/gateway/{provider}/cancelled/{id}` if the customer gave up. The id names the quote or the change to
//! pay for.
//!
//! The pages need no cookie, because a browser may send no cookie from another site. If our website shows
//! such a page in a frame, the page's script leaves the frame. The pages show nothing of the query and the
//! body. They do not prove a payment, so the next page asks the server. Some gateways sign the body of a
//! POST. The server handles such a body as a callback before the server returns the page.
//!
//! Global Payments shows the response to a POST on its own page. So that response has absolute addresses.

use std::sync::Arc;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use poem::http::header::CONTENT_TYPE;
use poem::http::{Method, StatusCode};
use poem::web::Data;
use poem::{Body, IntoResponse, Request, Response, Route, get, handler};
use uuid::Uuid;

use crate::api::routes::payments::receive_callback;
use crate::api::website::typeface;
use crate::app::App;
use crate::app::payments::status;

const SCRIPT: &str = include_str!("gateway_return.js");

const STYLE: &str =
    "body{font-size:1.0625rem;line-height:1.55;color:#12263f;margin:2rem}a{color:#0b5cad}";

/// Adds the return pages below a provider's path.
pub(in crate::api) fn add_return_pages(routes: Route, path: &str) -> Route {
    routes
        .at(
            format!("{path}/return/:paid_for"),
            get(paid).post(paid_by_form),
        )
        .at(
            format!("{path}/cancelled/:paid_for"),
            get(cancelled).post(cancelled_by_form),
        )
}

#[handler]
pub(in crate::api) fn script() -> Response {
    Response::builder()
        .header(CONTENT_TYPE, "text/javascript; charset=utf-8")
        .body(SCRIPT)
}

#[handler]
fn paid(request: &Request) -> Response {
    paid_page(request)
}

#[handler]
fn cancelled(request: &Request) -> Response {
    cancelled_page(request)
}

#[handler]
async fn paid_by_form(app: Data<&Arc<App>>, request: &Request, body: Body) -> Response {
    receive_return(&app, request, body).await;
    paid_page(request)
}

#[handler]
async fn cancelled_by_form(app: Data<&Arc<App>>, request: &Request, body: Body) -> Response {
    receive_return(&app, request, body).await;
    cancelled_page(request)
}

/// Handles the form that a browser brings back from a gateway, if the gateway signs its forms. Logs a form
/// that can't be handled. The page does not depend on the form: the next page asks the server for the status.
async fn receive_return(app: &App, request: &Request, body: Body) {
    let provider = request.raw_path_param("provider").unwrap_or_default();
    if status::signs_returns(app, provider)
        && receive_callback(app, provider, request, body)
            .await
            .is_err()
    {
        tracing::warn!(
            provider,
            "the form that a browser brought back can't be read"
        );
    }
}

fn paid_page(request: &Request) -> Response {
    redirect_page(request, |_, id| format!("/payment/processing/{id}"))
}

fn cancelled_page(request: &Request) -> Response {
    redirect_page(request, |provider, id| {
        format!("/payment/{id}?gateway={provider}&left")
    })
}

/// Returns a page with a link to the address from `to`. Returns a 404 for an invalid provider name or id.
fn redirect_page(request: &Request, to: impl Fn(&str, Uuid) -> String) -> Response {
    // The routes of the sandbox gateway have no `provider` parameter.
    let provider = request.raw_path_param("provider").unwrap_or("sandbox");
    let provider = Some(provider).filter(|name| is_name(name));
    let id = request.raw_path_param("paid_for");
    let id = id.and_then(|id| Uuid::try_parse(id).ok());
    let app = request.data::<Arc<App>>();
    let app = app.filter(|_| *request.method() == Method::POST);
    let origin = app.map_or("", |app| app.public_url.as_str());
    match (provider, id) {
        (Some(provider), Some(id)) => page(
            origin,
            &html! {
                p { "Going back to the shop…" }
                p { a href={ (origin) (to(provider, id)) } target="_top" data-back { "Continue" } }
            },
        )
        .into_response(),
        _ => page(
            origin,
            &html! {
                p { "This page does not exist." }
                p { a href={ (origin) "/" } target="_top" { "Go to the home page" } }
            },
        )
        .with_status(StatusCode::NOT_FOUND)
        .into_response(),
    }
}

fn is_name(provider: &str) -> bool {
    !provider.is_empty() && provider.chars().all(|c| c.is_ascii_lowercase())
}

fn page(origin: &str, body: &Markup) -> Response {
    let page = html! {
        (DOCTYPE)
        html lang="en-GB" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Back from the payment" }
                style { (PreEscaped(typeface::style())) (STYLE) }
            }
            body {
                main { (body) }
                script src={ (origin) "/gateway/return.js" } {}
            }
        }
    };
    Response::builder()
        .header(CONTENT_TYPE, "text/html; charset=utf-8")
        .body(page.into_string())
}
