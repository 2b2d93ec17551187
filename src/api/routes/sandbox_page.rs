//! The sandbox gateway's pages: the payment frame, and the target of the frame's forms.

use std::sync::Arc;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use poem::http::StatusCode;
use poem::http::header::CONTENT_TYPE;
use poem::web::{Data, Path};
use poem::{IntoResponse, Response, Route, get, handler};

use crate::api::http::bodies::{self, LARGEST_BODY};
use crate::api::website::typeface;
use crate::app::payments::sandbox::{self, Frame};
use crate::app::{App, AppError};
use crate::domain::payment::sandbox::{CardForm, SandboxState};

const STYLE: &str = include_str!("sandbox_page.css");
const SCRIPT: &str = include_str!("sandbox_page.js");

/// Returns the routes below `/gateway/sandbox`, without the return pages.
pub(in crate::api) fn routes() -> Route {
    Route::new()
        .at("/pay/:address", get(show).post(submit))
        .at("/frame.js", get(script))
}

#[handler]
fn script() -> Response {
    Response::builder()
        .header(CONTENT_TYPE, "text/javascript; charset=utf-8")
        .body(SCRIPT)
}

#[handler]
async fn show(app: Data<&Arc<App>>, Path(address): Path<String>) -> Response {
    answer(
        sandbox::sandbox_frame(&app.clock, &app.sandbox, &address).await,
        None,
    )
}

#[handler]
async fn submit(
    app: Data<&Arc<App>>,
    Path(address): Path<String>,
    request: &poem::Request,
    body: poem::Body,
) -> Response {
    // A form of another site must not submit a customer's payment page.
    let foreign = request
        .headers()
        .get("sec-fetch-site")
        .and_then(|site| site.to_str().ok())
        .is_some_and(|site| site != "same-origin");
    if foreign {
        return StatusCode::FORBIDDEN.into_response();
    }
    let body = match bodies::read(request, body, LARGEST_BODY).await {
        Ok(body) => body,
        Err(error) => return error.status().into_response(),
    };
    let form: CardForm = serde_urlencoded::from_bytes(&body).unwrap_or_default();
    answer(
        sandbox::sandbox_submit(&app.clock, &app.sandbox, &address, form.clone()).await,
        Some(&form),
    )
}

fn answer(frame: Result<Frame, AppError>, posted: Option<&CardForm>) -> Response {
    let (status, body) = match frame {
        Ok(frame) if frame.errors.is_empty() => (StatusCode::OK, body(&frame, posted)),
        Ok(frame) => (StatusCode::UNPROCESSABLE_ENTITY, body(&frame, posted)),
        Err(AppError::NotFound) => (
            StatusCode::NOT_FOUND,
            html! { p role="alert" { "This payment page does not exist. Please go back and start again." } },
        ),
        Err(AppError::Unavailable | AppError::StoreClosed(_)) => (
            StatusCode::SERVICE_UNAVAILABLE,
            html! { p role="alert" { "We are busy for a moment. Please try again." } },
        ),
        Err(error) => {
            tracing::error!(error = error.log_text(), "the sandbox gateway failed");
            (
                StatusCode::INTERNAL_SERVER_ERROR,
                html! { p role="alert" { "Something went wrong. Please try again." } },
            )
        }
    };
    page(body).with_status(status).into_response()
}

fn page(body: Markup) -> Response {
    let page = html! {
        (DOCTYPE)
        html lang="en-GB" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Card payment" }
                style { (PreEscaped(typeface::style())) (PreEscaped(STYLE)) }
            }
            body {
                main aria-label="Card payment" {
                    p.sandbox { strong { "Sandbox" } " No real money moves here. Use a test card." }
                    (body)
                }
                script src="/gateway/sandbox/frame.js" {}
            }
        }
    };
    Response::builder()
        .header(CONTENT_TYPE, "text/html; charset=utf-8")
        .header("Cache-Control", "no-store")
        .body(page.into_string())
}

fn body(frame: &Frame, posted: Option<&CardForm>) -> Markup {
    match frame.payment.state {
        SandboxState::Open if !frame.closed => card_form(frame, posted),
        SandboxState::Challenge if !frame.closed => challenge(frame),
        SandboxState::Open | SandboxState::Challenge | SandboxState::Closed => {
            finished_page(frame, "This payment page is closed. No money was taken.")
        }
        SandboxState::Paid | SandboxState::Refunded => {
            finished_page(frame, "Thank you. Your bank has answered.")
        }
        SandboxState::Declined | SandboxState::NoFunds | SandboxState::ChallengeFailed => {
            finished_page(frame, "Your bank did not approve the payment.")
        }
    }
}

/// Returns the last page of the frame. `sandbox_page.js` reports the end to the shop's page around the
/// frame.
fn finished_page(frame: &Frame, text: &str) -> Markup {
    html! {
        p role="status" data-payment=(frame.payment.payment) { (text) }
        p { a href=(frame.payment.return_url) target="_top" { "Continue" } }
    }
}

fn challenge(frame: &Frame) -> Markup {
    html! {
        h1 { "Your bank asks: is it you?" }
        p { "A payment of " strong { (frame.payment.amount) } " for " (frame.payment.description) "." }
        form method="post" {
            div.row {
                button type="submit" name="challenge" value="pass" { "Approve" }
                button.quiet type="submit" name="challenge" value="fail" { "Reject" }
            }
        }
    }
}

fn card_form(frame: &Frame, posted: Option<&CardForm>) -> Markup {
    let empty = CardForm::default();
    let posted = posted.unwrap_or(&empty);
    html! {
        @if !frame.errors.is_empty() {
            div.summary role="alert" {
                strong { "There is a problem" }
                ul {
                    @for (name, texts) in &frame.errors.0 {
                        @for text in texts { li { a href=(format!("#{name}")) { (text) } } }
                    }
                }
            }
        }
        form method="post" novalidate autocomplete="on" {
            (field(frame, "cardholder", "Name on card", "cc-name", "text", "100", &posted.cardholder, None))
            (field(frame, "card_number", "Card number", "cc-number", "numeric", "30", &posted.card_number, None))
            div.row {
                (field(frame, "expiry", "Expiry date", "cc-exp", "numeric", "7", &posted.expiry, Some("MM/YY")))
                // The security code is never sent back to the page.
                (field(frame, "cvc", "Security code", "cc-csc", "numeric", "4", "", Some("3 digits on the back")))
            }
            button type="submit" { "Pay " (frame.payment.amount) }
        }
    }
}

#[expect(
    clippy::too_many_arguments,
    reason = "one line a field reads best as one call"
)]
fn field(
    frame: &Frame,
    name: &str,
    label: &str,
    autocomplete: &str,
    inputmode: &str,
    maxlength: &str,
    value: &str,
    hint: Option<&str>,
) -> Markup {
    let error = frame.errors.first(name);
    let described = match (hint, error) {
        (Some(_), Some(_)) => Some(format!("{name}-hint {name}-error")),
        (Some(_), None) => Some(format!("{name}-hint")),
        (None, Some(_)) => Some(format!("{name}-error")),
        (None, None) => None,
    };
    html! {
        div.field {
            label for=(name) { (label) }
            @if let Some(hint) = hint { span.hint id=(format!("{name}-hint")) { (hint) } }
            @if let Some(error) = error { span.error id=(format!("{name}-error")) { "Error: " (error) } }
            input id=(name) name=(name) value=(value) autocomplete=(autocomplete)
                inputmode=(inputmode) maxlength=(maxlength) required
                aria-invalid=[error.map(|_| "true")] aria-describedby=[described];
        }
    }
}
