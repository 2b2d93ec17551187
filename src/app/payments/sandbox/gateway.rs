//! Implements the gateway interface for the sandbox.

use chrono::TimeDelta;
use uuid::Uuid;

use super::books::{NAME, Sandbox};
use super::signature::{self, Message, SIGNATURE};
use crate::app::AppError;
use crate::domain::money::Pence;
use crate::domain::payment::dispute::{DisputeEvent, DisputeMove};
use crate::domain::payment::sandbox::{
    EventSchedule, SandboxEvent, SandboxPayment, SandboxRefundState, SandboxState,
};
use crate::domain::payment::{
    Currency, Failure, FailureClass, Keys, Mode, PageKind, PageMethod, Payment, PaymentPage,
    References,
};
use crate::integrations::payments::{
    Callback, CallbackAnswer, CallbackEvent, CallbackOutcome, Capabilities, ChargeRequest,
    CreateSession, DisputeUpdate, Gateway, GatewayError, GatewayFuture, GatewayRefundStatus,
    GatewayStatus, PaymentRef, PaymentReport, PaymentSession, RefundReport, RefundRequest,
};

impl Sandbox {
    fn new_payment(
        &self,
        attempt: &Payment,
        description: &str,
        return_url: &str,
    ) -> SandboxPayment {
        SandboxPayment {
            description: description.to_string(),
            return_url: return_url.to_string(),
            ..SandboxPayment::new(attempt.id, attempt.amount, self.clock.now())
        }
    }

    async fn find(&self, payment: Uuid) -> Result<Option<SandboxPayment>, GatewayError> {
        self.read(payment).await.map_err(unclear_error)
    }

    async fn change(
        &self,
        payment: Uuid,
        new: Option<SandboxPayment>,
        change: impl Fn(&mut SandboxPayment) -> EventSchedule + Send + 'static,
    ) -> Result<Option<SandboxPayment>, GatewayError> {
        self.write(payment, new, change)
            .await
            .map_err(unclear_error)
    }
}

/// Returns the error of a gateway call that may or may not have taken effect.
fn unclear_error(error: AppError) -> GatewayError {
    GatewayError::Unclear(error.log_text())
}

impl Gateway for Sandbox {
    fn name(&self) -> &'static str {
        NAME
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            closes_pages: true,
            can_query_status: true,
            stores_cards: true,
            page_reuse: TimeDelta::hours(22),
            signs_returns: false,
            may_reverse: false,
            untested_settings: &[],
            min_amount: Pence(1),
        }
    }

    fn mode(&self) -> Mode {
        Mode::Test
    }

    fn check_keys(&self) -> GatewayFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    fn create_session<'a>(&'a self, order: CreateSession<'a>) -> GatewayFuture<'a, PaymentSession> {
        Box::pin(async move {
            let id = order.attempt.id;
            let new = self.new_payment(order.attempt, order.description, order.return_url);
            self.change(id, Some(new), |_| &[]).await?;
            let secret = signature::page_secret(id, &self.secret)?;
            Ok(PaymentSession {
                page: PaymentPage {
                    kind: PageKind::Iframe,
                    url: format!("/gateway/{NAME}/pay/{id}.{secret}"),
                    method: PageMethod::Get,
                    fields: indexmap::IndexMap::new(),
                },
                references: References::from([(NAME.to_string(), format!("sbx_{}", id.simple()))]),
                keys: Keys::default(),
            })
        })
    }

    fn status<'a>(&'a self, attempt: &'a Payment) -> GatewayFuture<'a, PaymentReport> {
        Box::pin(async { Ok(report(self.find(attempt.id).await?)) })
    }

    fn close<'a>(&'a self, attempt: &'a Payment) -> GatewayFuture<'a, PaymentReport> {
        Box::pin(async {
            let closed = self.change(attempt.id, None, SandboxPayment::close);
            Ok(report(closed.await?))
        })
    }

    fn charge_stored<'a>(&'a self, charge: ChargeRequest<'a>) -> GatewayFuture<'a, PaymentReport> {
        Box::pin(async move {
            // The sandbox never changes the card of a paid payment, so no transaction is needed.
            let stored = self.find(charge.card.id).await?;
            let card = stored.and_then(|stored| stored.card);
            let new = self.new_payment(charge.attempt, charge.description, charge.return_url);
            let play = move |row: &mut SandboxPayment| row.charge(card);
            let charged = self.change(charge.attempt.id, Some(new), play).await?;
            Ok(report(charged))
        })
    }

    fn find_refund<'a>(
        &'a self,
        order: RefundRequest<'a>,
    ) -> GatewayFuture<'a, Option<RefundReport>> {
        Box::pin(async move {
            let stored = self.find(order.payment.id).await?;
            let found = stored.and_then(|stored| stored.refund_state(order.refund));
            // Only a repeated request updates a pending refund's state. `None` makes the caller
            // repeat the request.
            let ended = found.filter(|state| *state != SandboxRefundState::Pending);
            Ok(ended.map(|state| refund_status(state).into()))
        })
    }

    fn refund<'a>(&'a self, order: RefundRequest<'a>) -> GatewayFuture<'a, RefundReport> {
        Box::pin(async move {
            let RefundRequest { refund, amount, .. } = order;
            let now = self.clock.now();
            let give = move |row: &mut SandboxPayment| -> EventSchedule {
                row.refund(refund, amount, now);
                &[]
            };
            let row = self.change(order.payment.id, None, give).await?;
            let status = row.and_then(|row| row.refund_state(refund)).map_or_else(
                || GatewayRefundStatus::Refused {
                    message: "the payment isn't in the gateway's books".to_string(),
                },
                refund_status,
            );
            Ok(status.into())
        })
    }

    fn payment_ref(&self, callback: &Callback<'_>) -> Result<PaymentRef, GatewayError> {
        Message::read(callback.body).map(|message| PaymentRef::Attempt(message.payment))
    }

    fn read_callback(
        &self,
        callback: &Callback<'_>,
        _: Option<&Payment>,
    ) -> Result<CallbackEvent, GatewayError> {
        let signature = callback.header(&SIGNATURE.to_ascii_lowercase());
        let now = self.clock.now();
        let message = signature::verify(callback.body, signature, &self.secret, now)?;
        Ok(match message.event {
            SandboxEvent::State => {
                CallbackEvent::Attempt(status(message.state, message.amount).into())
            }
            SandboxEvent::Disputed => CallbackEvent::Dispute(DisputeUpdate {
                reference: format!("sbd_{}", message.payment.simple()),
                event: DisputeEvent::Opened,
                moves: vec![DisputeMove {
                    reference: "withdrawn".to_string(),
                    amount: message.amount,
                }],
                amount: message.amount,
                currency: Some(Currency::Gbp),
                reason: "fraudulent".to_string(),
                answer_by: Some(now + TimeDelta::days(7)),
            }),
        })
    }

    fn answer(&self, outcome: &CallbackOutcome) -> CallbackAnswer {
        let (status, body) = match outcome {
            CallbackOutcome::Recorded { .. } | CallbackOutcome::NotOurs => (200, r#"{"data":{}}"#),
            CallbackOutcome::Forged => (
                400,
                r#"{"message":"The signature is not valid.","code":"malformed","error":"The signature is not valid."}"#,
            ),
            CallbackOutcome::NotYet => (
                503,
                r#"{"message":"Please call again.","code":"unavailable","error":"Please call again."}"#,
            ),
        };
        CallbackAnswer {
            status,
            content_type: "application/json; charset=utf-8",
            body: body.to_string(),
        }
    }
}

fn report(row: Option<SandboxPayment>) -> PaymentReport {
    let found = row.map(|row| status(row.state, row.amount));
    found.unwrap_or(GatewayStatus::Unknown).into()
}

fn status(state: SandboxState, amount: Pence) -> GatewayStatus {
    let failed = |class, message: &str| GatewayStatus::Failed {
        failure: Failure {
            class,
            is_final: true,
        },
        message: message.to_string(),
    };
    let declined = |message| failed(FailureClass::Declined, message);
    match state {
        SandboxState::Open => GatewayStatus::Open,
        SandboxState::Challenge => GatewayStatus::Processing,
        // A refund has its own status, so a refunded payment is still paid.
        SandboxState::Paid | SandboxState::Refunded => GatewayStatus::Paid {
            amount,
            currency: Some(Currency::Gbp),
        },
        SandboxState::Declined => declined("The card was declined by the bank."),
        SandboxState::NoFunds => declined("The card was declined: there are not enough funds."),
        SandboxState::ChallengeFailed => declined("The bank could not confirm that it was you."),
        SandboxState::Closed => failed(
            FailureClass::Abandoned,
            "The payment page was closed before a card was entered.",
        ),
    }
}

fn refund_status(state: SandboxRefundState) -> GatewayRefundStatus {
    match state {
        SandboxRefundState::Done => GatewayRefundStatus::Done,
        SandboxRefundState::Pending => GatewayRefundStatus::Pending,
        SandboxRefundState::Refused => GatewayRefundStatus::Refused {
            message: "the bank refused the refund".to_string(),
        },
    }
}
