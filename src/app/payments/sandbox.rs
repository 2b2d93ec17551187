//! The sandbox gateway: the page in its frame, its own books, and the callbacks it sends. The rest
//! of the shop asks for a status, gets callbacks and asks for refunds, as with a real gateway, and
//! doesn't read these books.

use chrono::Duration;
use uuid::Uuid;

use crate::app::work::queue::enqueue;
use crate::app::{App, AppError, new_id, page_addresses, rows};
use crate::domain::dates;
use crate::domain::errors::FieldErrors;
use crate::domain::money::Pence;
use crate::domain::payment::{PageKind, PageMethod, Payment, PaymentPage};
use crate::domain::sandbox::{Callbacks, CardForm, SandboxPayment, SandboxState, page_closes};
use crate::integrations::gateway::{GatewayRefundStatus, GatewayStatus, sandbox};
use crate::secret::same_bytes;
use crate::store::tables::{SANDBOX, Task};
use crate::store::{Direction, WriteTx};

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
        let first = self
            .store
            .read(|tx| SANDBOX.list(tx, &(), Direction::Forward, 1));
        Ok(!first.await?.is_empty())
    }

    /// Makes the payment page of an attempt; called again, it answers the same page.
    pub(in crate::app) async fn sandbox_register(
        &self,
        attempt: &Payment,
    ) -> Result<PaymentPage, AppError> {
        let row = self.new_books(attempt);
        let id = attempt.id;
        self.store
            .write(move |tx| {
                if !SANDBOX.has(tx, &id)? {
                    rows::sandbox::put(tx, &row)?;
                }
                Ok::<_, AppError>(())
            })
            .await?;
        let secret = sandbox::page_secret(id, &self.sandbox_secret)?;
        Ok(PaymentPage {
            kind: PageKind::Iframe,
            url: format!("/gateway/sandbox/pay/{id}.{secret}"),
            method: PageMethod::Get,
            fields: indexmap::IndexMap::new(),
        })
    }

    fn new_books(&self, attempt: &Payment) -> SandboxPayment {
        SandboxPayment {
            payment: attempt.id,
            amount: attempt.amount,
            description: self.config.site.brand.clone(),
            return_url: page_addresses::payment_processing(
                &self.public_url,
                attempt.adjustment.unwrap_or(attempt.quote),
            ),
            state: SandboxState::Open,
            card: None,
            created: self.clock.now(),
            refunds: Vec::new(),
        }
    }

    /// Charges the card that the payment `card` stored, for an attempt without a page;
    /// charging the same attempt again changes nothing.
    pub(in crate::app) async fn sandbox_charge(
        &self,
        attempt: &Payment,
        card: Uuid,
    ) -> Result<GatewayStatus, AppError> {
        // A card that paid once is never changed.
        let stored = self.store.read(|tx| SANDBOX.get(tx, &card)).await?;
        let card = stored.and_then(|stored| stored.card);
        let charge = move |row: &mut SandboxPayment| {
            let callbacks = row.charge(card);
            (sandbox::status(row.state, row.amount), callbacks)
        };
        self.write_sandbox(attempt.id, Some(self.new_books(attempt)), charge)
            .await
    }

    /// What the gateway says of an attempt.
    pub(in crate::app) async fn sandbox_status(
        &self,
        payment: Uuid,
    ) -> Result<GatewayStatus, AppError> {
        let row = self.store.read(|tx| SANDBOX.get(tx, &payment)).await?;
        Ok(row.map_or(GatewayStatus::Unknown, |row| {
            sandbox::status(row.state, row.amount)
        }))
    }

    /// Closes an attempt's page, unless it was answered.
    pub(in crate::app) async fn sandbox_close(&self, payment: Uuid) -> Result<(), AppError> {
        let closed = self
            .change_sandbox(payment, |row| {
                row.close();
                (true, &[])
            })
            .await;
        match closed {
            // An attempt that was never registered has no page to close.
            Ok(_) | Err(AppError::NotFound) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Refunds `amount` of a payment under our id `refund`; the same refund again changes nothing.
    pub(in crate::app) async fn sandbox_refund(
        &self,
        payment: Uuid,
        refund: Uuid,
        amount: Pence,
    ) -> Result<GatewayRefundStatus, AppError> {
        let now = self.clock.now();
        let asked = self
            .change_sandbox(payment, move |row| (row.refund(refund, amount, now), &[]))
            .await;
        match asked {
            Ok(state) => Ok(sandbox::refund_status(state)),
            Err(AppError::NotFound) => Ok(GatewayRefundStatus::Refused {
                message: "the payment isn't in the gateway's books".to_string(),
            }),
            Err(error) => Err(error),
        }
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
                        self.change_sandbox(payment, move |row| (true, row.play(card)))
                            .await?;
                    }
                    Err(errors) => frame.errors = errors,
                }
            }
            SandboxState::Challenge
                if !frame.closed && matches!(form.challenge.as_str(), "pass" | "fail") =>
            {
                let passed = form.challenge == "pass";
                self.change_sandbox(payment, move |row| (true, row.answer_challenge(passed)))
                    .await?;
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
        let row = self.store.read(|tx| SANDBOX.get(tx, &id)).await?;
        row.ok_or(AppError::NotFound)
    }

    /// Changes the gateway's books and queues the callbacks that follow, in one write.
    async fn change_sandbox<T: Send + 'static>(
        &self,
        payment: Uuid,
        change: impl Fn(&mut SandboxPayment) -> (T, Callbacks) + Send + 'static,
    ) -> Result<T, AppError> {
        self.write_sandbox(payment, None, change).await
    }

    /// As [`App::change_sandbox`]; a payment that isn't in the books yet begins as `new`.
    async fn write_sandbox<T: Send + 'static>(
        &self,
        payment: Uuid,
        new: Option<SandboxPayment>,
        change: impl Fn(&mut SandboxPayment) -> (T, Callbacks) + Send + 'static,
    ) -> Result<T, AppError> {
        let now = self.clock.now();
        // At most two callbacks follow one change.
        let jobs = [new_id(now), new_id(now)];
        let outcome = self
            .store
            .write(move |tx: &mut WriteTx<'_>| {
                let known = SANDBOX.get(tx, &payment)?;
                let mut row = known.or_else(|| new.clone()).ok_or(AppError::NotFound)?;
                let (outcome, callbacks) = change(&mut row);
                rows::sandbox::put(tx, &row)?;
                for (delay, job) in callbacks.iter().zip(jobs) {
                    let due = now + Duration::milliseconds(*delay);
                    enqueue(tx, Task::SandboxCallback { payment }, due, job)?;
                }
                Ok::<_, AppError>(outcome)
            })
            .await?;
        self.work_added.notify_one();
        Ok(outcome)
    }

    /// Sends the shop a signed callback over HTTP, as an external gateway would.
    pub(in crate::app) async fn sandbox_call_back(&self, payment: Uuid) -> Result<(), AppError> {
        let row = self.store.read(|tx| SANDBOX.get(tx, &payment)).await?;
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
