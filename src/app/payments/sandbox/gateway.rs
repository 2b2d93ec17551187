//! Implements the gateway interface for the sandbox.

use chrono::TimeDelta;
use uuid::Uuid;

use super::books::{NAME, Sandbox};
use super::signature::{self, Message, SIGNATURE};
use crate::app::AppError;
use crate::domain::money::Pence;
use crate::domain::payment::dispute::{DisputeEvent, DisputeMove, DisputeNews};
use crate::domain::payment::sandbox::{
    EventSchedule, SandboxEvent, SandboxPayment, SandboxRefundState, SandboxState, TEST_CARDS,
    TestCard,
};
use crate::domain::payment::{
    CardOnFile, Currency, Failure, FailureClass, Instrument, Keys, Mode, PageKind, PageMethod,
    Payment, PaymentPage, References,
};
use crate::integrations::payments::{
    Callback, CallbackAnswer, CallbackEvent, CallbackOutcome, Capabilities, ChargeRequest,
    CreateSession, Gateway, GatewayError, GatewayFuture, GatewayRefundStatus, GatewayStatus,
    PaymentRef, PaymentReport, PaymentSession, RefundReport, RefundRequest,
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
            repeats_charges: true,
            page_reuse: TimeDelta::hours(22),
            signs_returns: false,
            may_reverse: false,
            untested_settings: &[],
            needs_town: false,
            min_amount: Pence(1),
            max_amount: Pence(i64::MAX),
        }
    }

    fn mode(&self) -> Mode {
        Mode::Test
    }

    fn check_keys(&self) -> GatewayFuture<'_, Option<String>> {
        Box::pin(async { Ok(None) })
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

    fn charge<'a>(&'a self, charge: ChargeRequest<'a>) -> GatewayFuture<'a, PaymentReport> {
        Box::pin(async move {
            // The sandbox never changes the card of a paid payment, so no transaction is needed.
            let token = charge.instrument.card.tokens.0.get(NAME);
            let payment = token.and_then(|token| token.parse().ok());
            let stored = self.find(payment.unwrap_or_default()).await?;
            let card = stored.and_then(|stored| stored.card);
            let new = self.new_payment(charge.attempt, charge.description, charge.return_url);
            let play = move |row: &mut SandboxPayment| row.charge(card);
            let charged = self.change(charge.attempt.id, Some(new), play).await?;
            Ok(report(charged))
        })
    }

    fn detach<'a>(&'a self, _: &'a Instrument) -> GatewayFuture<'a, ()> {
        // The sandbox keeps a payment and its card, and no other data of a card.
        Box::pin(async { Ok(()) })
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
            SandboxEvent::State => CallbackEvent::Attempt(PaymentReport {
                card: Some(Box::new(card_on_file(message.payment, None))),
                ..status(message.state, message.amount).into()
            }),
            SandboxEvent::Disputed => CallbackEvent::Dispute {
                news: DisputeNews {
                    provider: NAME.to_string(),
                    reference: format!("sbd_{}", message.payment.simple()),
                    payment: message.payment,
                    amount: message.amount,
                    reason: Some("fraudulent".to_string()),
                    reply_by: Some(now + TimeDelta::days(7)),
                    event: DisputeEvent::Opened,
                    moves: vec![DisputeMove {
                        reference: "withdrawn".to_string(),
                        amount: message.amount,
                    }],
                    is_from_report: false,
                },
                unread: Vec::new(),
                kind: String::new(),
            },
        })
    }

    fn answer(&self, outcome: &CallbackOutcome) -> CallbackAnswer {
        let (status, body) = match outcome {
            CallbackOutcome::Recorded | CallbackOutcome::NotOurs => (200, r#"{"data":{}}"#),
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
    let Some(row) = row else {
        return GatewayStatus::NotFound.into();
    };
    PaymentReport {
        card: Some(Box::new(card_on_file(row.payment, row.card))),
        ..status(row.state, row.amount).into()
    }
}

/// Returns the card of a payment as the sandbox keeps it. The payment's id is the card's token.
pub(in crate::app) fn card_on_file(payment: Uuid, card: Option<TestCard>) -> CardOnFile {
    let number = TEST_CARDS.iter().find(|(_, own)| Some(*own) == card);
    let last_four = number.and_then(|(number, _)| number.get(12..));
    CardOnFile {
        tokens: Keys([(NAME.to_owned(), payment.to_string())].into()),
        brand: Some("sandbox".to_owned()),
        last_four: last_four.map(str::to_owned),
        ..CardOnFile::default()
    }
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
