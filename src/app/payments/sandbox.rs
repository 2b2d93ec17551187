//! The sandbox gateway's page in its frame, and the callbacks it sends. The rest of the shop asks it for
//! a status, gets callbacks and asks for refunds, as with a real gateway.

use uuid::Uuid;

use crate::app::{App, AppError};
use crate::domain::dates;
use crate::domain::errors::FieldErrors;
use crate::domain::sandbox::{
    Callbacks, CardForm, SandboxPayment, SandboxState, Told, page_closes,
};
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

    /// Sends the shop a signed callback over HTTP, as an external gateway would; true once the shop has
    /// taken it.
    pub(in crate::app) async fn sandbox_tells(
        &self,
        payment: Uuid,
        told: Told,
    ) -> Result<bool, AppError> {
        let now = self.clock.now();
        let settle = move |row: &mut SandboxPayment| -> Callbacks {
            row.settle_refunds(now);
            &[]
        };
        let row = match told {
            Told::State | Told::Disputed => self.sandbox_books.of(payment).await?,
            Told::RefundFailed => {
                let settled = self.sandbox_books.write(payment, None, Box::new(settle));
                settled.await?
            }
        };
        let row = row.ok_or(AppError::NotFound)?;
        let wants_text = self.config.payments.sandbox.form_callbacks;
        let call = self.http.post(format!(
            "{}/api/v1/gateway/sandbox/callback",
            self.local_url
        ));
        let call = if wants_text {
            let body = sandbox::form_callback(&row, &self.sandbox_secret)?;
            let form = "application/x-www-form-urlencoded";
            call.header("content-type", form).body(body)
        } else {
            let (body, signature) = sandbox::callback(&row, told, &self.sandbox_secret, now)?;
            let call = call.header("content-type", "application/json");
            call.header(sandbox::SIGNATURE, signature).body(body)
        };
        let not_sent = |error: reqwest::Error| {
            AppError::internal("a callback could not be sent", error.without_url())
        };
        let answer = call.send().await.map_err(not_sent)?;
        let status = answer.status();
        let text = answer.text().await.map_err(not_sent)?;
        if status.is_success() && (!wants_text || sandbox::is_acknowledged(&text)) {
            return Ok(true);
        }
        let why = format!("the shop answered a callback with {}", status.as_u16());
        Err(AppError::Internal(why.into()))
    }
}
