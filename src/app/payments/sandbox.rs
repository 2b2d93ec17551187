//! The sandbox gateway's page in its frame, and the callbacks it sends. The rest of the shop asks it for
//! a status, gets callbacks and asks for refunds, as with a real gateway.

use uuid::Uuid;

use crate::app::{App, AppError};
use crate::domain::dates;
use crate::domain::errors::FieldErrors;
use crate::domain::sandbox::{CardForm, SandboxPayment, SandboxState, page_closes};
use crate::integrations::gateway::sandbox;
use crate::secret::same_bytes;

/// What the frame shows.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The payment.
    pub payment: SandboxPayment,
    /// What is wrong with the card form that was posted.
    pub errors: FieldErrors,
    /// Whether the page is too old to take a card.
    pub closed: bool,
}

impl App {
    /// Whether something was paid for with this gateway, which takes no money.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn holds_sandbox_payments(&self) -> Result<bool, AppError> {
        self.sandbox_books.any().await
    }

    /// What the frame at `address` shows.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for an address that was never given out.
    pub async fn sandbox_frame(&self, address: &str) -> Result<Frame, AppError> {
        let payment = self.sandbox_payment(address).await?;
        Ok(Frame {
            closed: page_closes(payment.created) <= self.clock.now(),
            payment,
            errors: FieldErrors::default(),
        })
    }

    /// Plays the card, or the answer to the challenge, that was posted to the frame.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for an address that was never given out.
    pub async fn sandbox_submit(&self, address: &str, form: CardForm) -> Result<Frame, AppError> {
        let mut frame = self.sandbox_frame(address).await?;
        let payment = frame.payment.payment;
        match frame.payment.state {
            SandboxState::Open if !frame.closed => {
                match form.card(dates::london_date(self.clock.now())) {
                    Ok(card) => {
                        let play = move |row: &mut SandboxPayment| row.play(card);
                        let played = self.sandbox_books.write(payment, None, Box::new(play));
                        played.await?;
                    }
                    Err(errors) => frame.errors = errors,
                }
            }
            SandboxState::Challenge
                if !frame.closed && matches!(form.challenge.as_str(), "pass" | "fail") =>
            {
                let passed = form.challenge == "pass";
                let answer = move |row: &mut SandboxPayment| row.answer_challenge(passed);
                let answered = self.sandbox_books.write(payment, None, Box::new(answer));
                answered.await?;
            }
            _ => {}
        }
        frame.payment = self.sandbox_payment(address).await?;
        Ok(frame)
    }

    async fn sandbox_payment(&self, address: &str) -> Result<SandboxPayment, AppError> {
        let (id, secret) = address.split_once('.').ok_or(AppError::NotFound)?;
        let id = Uuid::parse_str(id).map_err(|_| AppError::NotFound)?;
        let expected = sandbox::page_secret(id, &self.sandbox_secret)?;
        if !same_bytes(expected.as_bytes(), secret.as_bytes()) {
            return Err(AppError::NotFound);
        }
        self.sandbox_books.of(id).await?.ok_or(AppError::NotFound)
    }

    /// Sends the shop a signed callback over HTTP, as an external gateway would.
    pub(in crate::app) async fn sandbox_call_back(&self, payment: Uuid) -> Result<(), AppError> {
        let row = self.sandbox_books.of(payment).await?;
        let row = row.ok_or(AppError::NotFound)?;
        let (body, signature) = sandbox::callback(&row, &self.sandbox_secret, self.clock.now())?;
        let answer = self
            .http
            .post(format!(
                "{}/api/v1/gateway/sandbox/callback",
                self.local_url
            ))
            .header("content-type", "application/json")
            .header(sandbox::SIGNATURE, signature)
            .body(body)
            .send()
            .await
            .map_err(|error| {
                AppError::internal("a callback could not be sent", error.without_url())
            })?;
        if answer.status().is_success() {
            Ok(())
        } else {
            Err(AppError::Internal(
                format!(
                    "the shop answered a callback with {}",
                    answer.status().as_u16()
                )
                .into(),
            ))
        }
    }
}
