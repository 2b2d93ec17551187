//! The sandbox gateway: a bank of our own, so that a shop can be tried without one. It keeps books and
//! speaks to the shop as a real gateway would.

mod books;
mod form;
mod signature;

use std::sync::Arc;

use chrono::TimeDelta;

pub use books::{Books, Change};
pub use form::{form_callback, is_acknowledged};
use signature::News;
pub use signature::{SIGNATURE, callback, page_secret};

use crate::clock::Clock;
use crate::config;
use crate::domain::dispute::{DisputeEvent, DisputeMove};
use crate::domain::money::Pence;
use crate::domain::payment::{
    Currency, Failure, FailureClass, Keys, Mode, PageKind, PageMethod, Payment, PaymentPage,
    References,
};
use crate::domain::sandbox::{Callbacks, SandboxPayment, SandboxRefundState, SandboxState};
use crate::integrations::gateway::abilities::Abilities;
use crate::integrations::gateway::answers::{
    Begun, GatewayError, GatewayRefundStatus, GatewayStatus, RefundReport, Report,
};
use crate::integrations::gateway::callback::{
    Callback, CallbackAnswer, CallbackEvent, DisputeNews, Heard, Whose,
};
use crate::integrations::gateway::contract::{Begin, Charge, Gateway, Later, RefundOrder};

/// Its name.
pub const NAME: &str = "sandbox";

/// The sandbox.
pub struct Sandbox {
    books: Arc<dyn Books>,
    secret: String,
    clock: Clock,
    manners: config::Sandbox,
}

impl Sandbox {
    /// The sandbox that keeps these books, signs with this secret and behaves like this.
    #[must_use]
    pub fn new(
        books: Arc<dyn Books>,
        secret: String,
        clock: Clock,
        manners: config::Sandbox,
    ) -> Self {
        Self {
            books,
            secret,
            clock,
            manners,
        }
    }

    /// The secrets of an attempt, where it has its own.
    fn keys_of(&self, attempt: uuid::Uuid) -> Result<Keys, GatewayError> {
        if self.manners.form_callbacks {
            form::keys(attempt, &self.secret)
        } else {
            Ok(Keys::default())
        }
    }

    fn new_payment(
        &self,
        attempt: &Payment,
        description: &str,
        return_url: &str,
    ) -> SandboxPayment {
        SandboxPayment {
            payment: attempt.id,
            amount: attempt.amount,
            description: description.to_string(),
            return_url: return_url.to_string(),
            state: SandboxState::Open,
            card: None,
            created: self.clock.now(),
            refunds: Vec::new(),
        }
    }
}

impl Gateway for Sandbox {
    fn name(&self) -> &'static str {
        NAME
    }

    fn abilities(&self) -> Abilities {
        Abilities {
            closes_pages: self.manners.closes_pages,
            can_be_asked: self.manners.can_be_asked,
            lists_by_our_reference: self.manners.can_be_asked,
            refund_repeats: Some(TimeDelta::MAX),
            stores_cards: true,
            tells_of_disputes: !self.manners.form_callbacks,
            least: Pence(1),
            news_within: TimeDelta::seconds(i64::from(self.manners.news_after) + 5),
        }
    }

    fn mode(&self) -> Mode {
        Mode::Test
    }

    fn check_keys(&self) -> Later<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    fn begin<'a>(&'a self, order: Begin<'a>) -> Later<'a, Begun> {
        Box::pin(async move {
            let id = order.attempt.id;
            let new = self.new_payment(order.attempt, order.description, order.return_url);
            self.books.change(id, Some(new), Box::new(|_| &[])).await?;
            let secret = page_secret(id, &self.secret)?;
            Ok(Begun {
                page: PaymentPage {
                    kind: PageKind::Iframe,
                    url: format!("/gateway/sandbox/pay/{id}.{secret}"),
                    method: PageMethod::Get,
                    fields: indexmap::IndexMap::new(),
                },
                references: References::from([(NAME.to_string(), form::reference_of(id))]),
                keys: self.keys_of(id)?,
            })
        })
    }

    fn status<'a>(&'a self, attempt: &'a Payment) -> Later<'a, Report> {
        Box::pin(async {
            if !self.manners.can_be_asked {
                return Err(GatewayError::Unable("say what became of a payment"));
            }
            Ok(report(self.books.read(attempt.id).await?))
        })
    }

    fn close<'a>(&'a self, attempt: &'a Payment) -> Later<'a, Report> {
        Box::pin(async {
            if !self.manners.closes_pages {
                return Err(GatewayError::Unable("close a page"));
            }
            let close = |row: &mut SandboxPayment| -> Callbacks {
                row.close();
                &[]
            };
            let closed = self.books.change(attempt.id, None, Box::new(close));
            Ok(report(closed.await?))
        })
    }

    fn charge_stored<'a>(&'a self, charge: Charge<'a>) -> Later<'a, Report> {
        Box::pin(async move {
            // A card that paid once is never changed.
            let stored = self.books.read(charge.card.id).await?;
            let card = stored.and_then(|stored| stored.card);
            let new = self.new_payment(charge.attempt, charge.description, charge.return_url);
            let play = move |row: &mut SandboxPayment| row.charge(card);
            let id = charge.attempt.id;
            let charged = self.books.change(id, Some(new), Box::new(play));
            Ok(report(charged.await?))
        })
    }

    fn find_refund<'a>(&'a self, order: RefundOrder<'a>) -> Later<'a, Option<RefundReport>> {
        Box::pin(async move {
            let known = self.books.read(order.payment.id).await?;
            let refunds = known.map(|known| known.refunds).unwrap_or_default();
            let found = refunds.iter().find(|known| known.id == order.refund);
            // One that is under way may be done by now, which asking for it again shows.
            let ended = found.filter(|found| found.state != SandboxRefundState::Pending);
            Ok(ended.map(|found| refund_status(found.state).into()))
        })
    }

    fn refund<'a>(&'a self, order: RefundOrder<'a>) -> Later<'a, RefundReport> {
        Box::pin(async move {
            let RefundOrder { refund, amount, .. } = order;
            let now = self.clock.now();
            let give = move |row: &mut SandboxPayment| row.give_back(refund, amount, now);
            let asked = self.books.change(order.payment.id, None, Box::new(give));
            let refunds = asked.await?.map(|row| row.refunds).unwrap_or_default();
            let found = refunds.iter().find(|known| known.id == refund);
            let status = found.map_or_else(
                || GatewayRefundStatus::Refused {
                    message: "the payment isn't in the gateway's books".to_string(),
                },
                |found| refund_status(found.state),
            );
            Ok(status.into())
        })
    }

    fn whose(&self, callback: &Callback<'_>) -> Result<Whose, GatewayError> {
        if self.manners.form_callbacks {
            return form::whose(callback.body).map(Whose::Reference);
        }
        signature::whose(callback.body).map(Whose::Attempt)
    }

    fn read_callback(
        &self,
        callback: &Callback<'_>,
        attempt: Option<&Payment>,
    ) -> Result<CallbackEvent, GatewayError> {
        if self.manners.form_callbacks {
            // Without the attempt's key nobody can tell who sent it.
            let attempt = attempt.ok_or(GatewayError::Forged)?;
            let (state, amount) = form::verify(callback.body, &attempt.keys)?;
            return Ok(CallbackEvent::Attempt(status(state, amount).into()));
        }
        let signature = callback.header(&SIGNATURE.to_ascii_lowercase());
        let now = self.clock.now();
        let news = signature::verify(callback.body, signature, &self.secret, now)?;
        Ok(match news {
            News::State(state, amount) => CallbackEvent::Attempt(status(state, amount).into()),
            News::RefundFailed(refund) => CallbackEvent::Refund {
                refund,
                report: refund_status(SandboxRefundState::Failed).into(),
            },
            News::Disputed(payment, amount) => CallbackEvent::Dispute(DisputeNews {
                reference: format!("sbd_{}", payment.simple()),
                event: DisputeEvent::Opened,
                moves: vec![DisputeMove {
                    reference: "withdrawn".to_string(),
                    amount,
                }],
                amount,
                currency: Some(Currency::Gbp),
                reason: "fraudulent".to_string(),
                answer_by: Some(now + TimeDelta::days(7)),
            }),
        })
    }

    fn answer(&self, heard: &Heard) -> CallbackAnswer {
        if self.manners.form_callbacks {
            return form::answer(heard);
        }
        let (status, body) = match heard {
            Heard::Recorded { .. } | Heard::NotOurs => (200, r#"{"data":{}}"#),
            Heard::Forged => (
                400,
                r#"{"message":"The signature is not valid.","code":"malformed","error":"The signature is not valid."}"#,
            ),
            Heard::NotYet => (
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

fn report(row: Option<SandboxPayment>) -> Report {
    let found = row.map(|row| status(row.state, row.amount));
    found.unwrap_or(GatewayStatus::Unknown).into()
}

/// What the sandbox's state means to the shop.
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
        // Refunds since then have statuses of their own.
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

/// What the state of a refund in the sandbox's books means to the shop.
fn refund_status(state: SandboxRefundState) -> GatewayRefundStatus {
    match state {
        SandboxRefundState::Done => GatewayRefundStatus::Done,
        SandboxRefundState::Pending => GatewayRefundStatus::Pending,
        SandboxRefundState::Refused => GatewayRefundStatus::Refused {
            message: "the bank refused the refund".to_string(),
        },
        SandboxRefundState::Failed => GatewayRefundStatus::Refused {
            message: "the refund failed after it was made".to_string(),
        },
    }
}
