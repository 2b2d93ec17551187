//! The sandbox gateway's page in its frame, and its callbacks.

use uuid::Uuid;

use super::books::NAME;
use super::signature::{SIGNATURE, callback};
use crate::app::payments::sandbox::books::Sandbox;
use crate::app::{App, AppError};
use crate::clock::Clock;
use crate::domain::payment::sandbox::{
    CardForm, SandboxEvent, SandboxPayment, SandboxState, page_closes,
};
use crate::domain::product::form::errors::FieldErrors;
use crate::domain::time::dates;
use crate::store::tables::SANDBOX;
use crate::store::{Direction, Store};

/// The data of the payment page in the frame.
#[derive(Clone, Debug)]
pub struct Frame {
    pub payment: SandboxPayment,
    /// Errors of the posted card form.
    pub errors: FieldErrors,
    /// Whether the page is too old to take a card.
    pub closed: bool,
}

/// Returns whether the store has payments of the sandbox gateway, which takes no money.
///
/// # Errors
/// When the store fails.
pub async fn holds_sandbox_payments(store: &Store) -> Result<bool, AppError> {
    let first = |tx: &_| SANDBOX.list_readable(tx, &(), Direction::Forward, 1);
    Ok(!store.read(first).await?.is_empty())
}

/// Returns the content of the frame at `address`.
///
/// # Errors
/// [`AppError::NotFound`] if the secret in `address` is wrong, or the payment is not stored.
pub async fn sandbox_frame(
    clock: &Clock,
    sandbox: &Sandbox,
    address: &str,
) -> Result<Frame, AppError> {
    let payment = sandbox.at_address(address).await?;
    Ok(Frame {
        closed: page_closes(payment.created) <= clock.now(),
        payment,
        errors: FieldErrors::default(),
    })
}

/// Applies the card, or the challenge's result, that was posted to the frame. Changes nothing if
/// the page is closed.
///
/// # Errors
/// [`AppError::NotFound`] if the secret in `address` is wrong, or the payment is not stored.
pub async fn sandbox_submit(
    clock: &Clock,
    sandbox: &Sandbox,
    address: &str,
    form: CardForm,
) -> Result<Frame, AppError> {
    let mut frame = sandbox_frame(clock, sandbox, address).await?;
    if frame.closed {
        return Ok(frame);
    }
    let payment = frame.payment.payment;
    let passed = form.challenge == "pass";
    let changed = match frame.payment.state {
        SandboxState::Open => match form.card(dates::london_date(clock.now())) {
            Ok(card) => {
                sandbox
                    .write(payment, None, move |row| row.play(card))
                    .await?
            }
            Err(errors) => {
                frame.errors = errors;
                None
            }
        },
        SandboxState::Challenge if passed || form.challenge == "fail" => {
            let answer = move |row: &mut SandboxPayment| row.answer_challenge(passed);
            sandbox.write(payment, None, answer).await?
        }
        _ => None,
    };
    frame.payment = changed.unwrap_or(frame.payment);
    Ok(frame)
}

/// Sends the shop a signed callback over HTTP, as an external gateway would.
///
/// # Errors
/// [`AppError::NotFound`] if there is no such payment. An internal error if the shop can't be
/// reached or does not accept the callback.
pub(in crate::app) async fn send_sandbox_callback(
    app: &App,
    payment: Uuid,
    event: SandboxEvent,
) -> Result<(), AppError> {
    let row = app.sandbox.read(payment).await?;
    let row = row.ok_or(AppError::NotFound)?;
    let (body, signature) = callback(&row, event, &app.sandbox.secret, app.clock.now())?;
    let url = format!("{}/api/v1/gateway/{NAME}/callback", app.local_url);
    let call = app
        .http
        .post(url)
        .header("content-type", "application/json");
    let answer = call.header(SIGNATURE, signature).body(body).send().await;
    let status = answer
        .map_err(|error| AppError::internal("a callback could not be sent", error.without_url()))?
        .status();
    if status.is_success() {
        return Ok(());
    }
    let why = format!("the shop answered a callback with {}", status.as_u16());
    Err(AppError::Internal(why.into()))
}
