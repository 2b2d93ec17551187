//! A gateway with fewer capabilities than the sandbox. It uses the sandbox's records.

use std::sync::Arc;

use data_encoding::HEXLOWER;
use indexmap::IndexMap;
use layby::app::payments::sandbox::Sandbox;
use layby::domain::money::Pence;
use layby::domain::payment::sandbox::{SandboxPayment, SandboxState};
use layby::domain::payment::{Currency, Failure, FailureClass, Instrument, Keys, Mode, Payment};
use layby::integrations::payments::{
    Callback, CallbackAnswer, CallbackEvent, CallbackOutcome, Capabilities, ChargeRequest,
    CreateSession, Gateway, GatewayError, GatewayFuture, GatewayRefundStatus, GatewayStatus,
    PaymentRef, PaymentReport, PaymentSession, RefundReport, RefundRequest,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The capabilities of the gateway.
#[derive(Clone, Copy)]
pub struct Limits {
    pub closes_pages: bool,
    pub can_be_asked: bool,
    /// Callbacks are forms, signed with a key of the attempt, and their response is a text.
    pub calls_back_by_form: bool,
    pub stores_cards: bool,
    /// The gateway finds a refund, or repeats a call for it safely. Otherwise its answer about a refund is lost.
    pub finds_refunds: bool,
    /// The gateway's answer with a new page is lost.
    pub loses_pages: bool,
    /// Largest payment, in pence.
    pub max_amount: i64,
}

impl Limits {
    pub const NONE: Self = Self {
        closes_pages: true,
        can_be_asked: true,
        calls_back_by_form: false,
        stores_cards: true,
        finds_refunds: true,
        loses_pages: false,
        max_amount: i64::MAX,
    };
    pub const CLOSES_NO_PAGE: Self = Self {
        closes_pages: false,
        ..Self::NONE
    };
    /// The gateway only shows pages, sends messages and takes calls for refunds.
    pub const CAN_DO_NOTHING: Self = Self {
        can_be_asked: false,
        stores_cards: false,
        finds_refunds: false,
        ..Self::CLOSES_NO_PAGE
    };
    pub const LOSES_PAGES: Self = Self {
        loses_pages: true,
        ..Self::CAN_DO_NOTHING
    };
    pub const BY_FORM: Self = Self {
        calls_back_by_form: true,
        ..Self::NONE
    };
}

pub struct LimitedGateway {
    pub sandbox: Arc<Sandbox>,
    pub limits: Limits,
}

/// Name of an attempt's key.
const KEY: &str = "SecurityKey";

#[derive(Serialize, Deserialize)]
struct Form {
    reference: String,
    state: SandboxState,
    /// In pence.
    amount: i64,
    /// The gateway took the money back.
    is_reversed: bool,
    signature: String,
}

impl Form {
    fn read(callback: &Callback<'_>) -> Result<Self, GatewayError> {
        serde_urlencoded::from_bytes(callback.body)
            .map_err(|error| GatewayError::Forged(error.to_string()))
    }

    fn sign(&self, key: &str) -> String {
        let (state, amount, is_reversed) = (self.state, self.amount, self.is_reversed);
        let text = format!("{}.{state:?}.{amount}.{is_reversed}.{key}", self.reference);
        HEXLOWER.encode(&Sha256::digest(text))
    }
}

/// Returns the body of the callback for `payment`, signed with the key of its attempt.
pub fn form_callback(payment: &SandboxPayment, key: &str) -> String {
    form(payment, key, false)
}

/// Returns the body of a callback that the gateway took the money of `payment` back.
pub fn form_reversal(payment: &SandboxPayment, key: &str) -> String {
    form(payment, key, true)
}

fn form(payment: &SandboxPayment, key: &str, is_reversed: bool) -> String {
    let mut form = Form {
        reference: format!("sbx_{}", payment.payment.simple()),
        state: payment.state,
        amount: payment.amount.0,
        is_reversed,
        signature: String::new(),
    };
    form.signature = form.sign(key);
    serde_urlencoded::to_string(&form).unwrap()
}

/// Returns the error of a call that was executed, and whose answer is lost.
fn lost() -> GatewayError {
    GatewayError::Unclear("the answer was lost".to_owned())
}

impl Gateway for LimitedGateway {
    fn name(&self) -> &'static str {
        self.sandbox.name()
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            closes_pages: self.limits.closes_pages,
            can_query_status: self.limits.can_be_asked,
            stores_cards: self.limits.stores_cards,
            repeats_charges: true,
            max_amount: Pence(self.limits.max_amount),
            ..self.sandbox.capabilities()
        }
    }

    fn mode(&self) -> Mode {
        self.sandbox.mode()
    }

    fn check_keys(&self) -> GatewayFuture<'_, Option<String>> {
        self.sandbox.check_keys()
    }

    fn create_session<'a>(&'a self, order: CreateSession<'a>) -> GatewayFuture<'a, PaymentSession> {
        Box::pin(async move {
            let mut begun = self.sandbox.create_session(order).await?;
            if self.limits.loses_pages {
                return Err(lost());
            }
            if self.limits.calls_back_by_form {
                let key = format!("key of {}", order.attempt.id);
                begun.keys = Keys(IndexMap::from([(KEY.to_string(), key)]));
            }
            Ok(begun)
        })
    }

    fn status<'a>(&'a self, attempt: &'a Payment) -> GatewayFuture<'a, PaymentReport> {
        if self.limits.can_be_asked {
            return self.sandbox.status(attempt);
        }
        Box::pin(async { Err(GatewayError::Unable("say what became of a payment")) })
    }

    fn close<'a>(&'a self, attempt: &'a Payment) -> GatewayFuture<'a, PaymentReport> {
        if self.limits.closes_pages {
            return self.sandbox.close(attempt);
        }
        Box::pin(async { Err(GatewayError::Unable("close a page")) })
    }

    fn charge<'a>(&'a self, charge: ChargeRequest<'a>) -> GatewayFuture<'a, PaymentReport> {
        if self.limits.stores_cards {
            return self.sandbox.charge(charge);
        }
        Box::pin(async { Err(GatewayError::Unable("charge a stored card")) })
    }

    fn detach<'a>(&'a self, card: &'a Instrument) -> GatewayFuture<'a, ()> {
        if self.limits.stores_cards {
            return self.sandbox.detach(card);
        }
        Box::pin(async { Err(GatewayError::Unable("remove a stored card")) })
    }

    fn find_refund<'a>(
        &'a self,
        order: RefundRequest<'a>,
    ) -> GatewayFuture<'a, Option<RefundReport>> {
        if self.limits.finds_refunds {
            return self.sandbox.find_refund(order);
        }
        let unconfirmed = |_| GatewayRefundStatus::Unconfirmed.into();
        Box::pin(async move { Ok(order.requested.map(unconfirmed)) })
    }

    fn refund<'a>(&'a self, order: RefundRequest<'a>) -> GatewayFuture<'a, RefundReport> {
        if self.limits.finds_refunds {
            return self.sandbox.refund(order);
        }
        Box::pin(async move {
            self.sandbox.refund(order).await?;
            Err(lost())
        })
    }

    fn payment_ref(&self, callback: &Callback<'_>) -> Result<PaymentRef, GatewayError> {
        if !self.limits.calls_back_by_form {
            return self.sandbox.payment_ref(callback);
        }
        Form::read(callback).map(|form| PaymentRef::Reference(form.reference))
    }

    fn read_callback(
        &self,
        callback: &Callback<'_>,
        attempt: Option<&Payment>,
    ) -> Result<CallbackEvent, GatewayError> {
        if !self.limits.calls_back_by_form {
            return self.sandbox.read_callback(callback, attempt);
        }
        let form = Form::read(callback)?;
        // Only the attempt's key proves the sender.
        let key = attempt.and_then(|attempt| attempt.keys.0.get(KEY));
        if key.is_none_or(|key| form.sign(key) != form.signature) {
            return Err(GatewayError::Forged(String::new()));
        }
        let status = match form.state {
            _ if form.is_reversed => GatewayStatus::Reversed,
            SandboxState::Paid => GatewayStatus::Paid {
                amount: Pence(form.amount),
                currency: Some(Currency::Gbp),
            },
            state => GatewayStatus::Failed {
                failure: Failure {
                    class: FailureClass::Declined,
                    is_final: true,
                },
                message: format!("{state:?}"),
            },
        };
        Ok(CallbackEvent::Attempt(status.into()))
    }

    fn answer(&self, heard: &CallbackOutcome) -> CallbackAnswer {
        if !self.limits.calls_back_by_form {
            return self.sandbox.answer(heard);
        }
        let body = match heard {
            CallbackOutcome::Recorded => "Status=OK\r\n".to_string(),
            CallbackOutcome::NotOurs | CallbackOutcome::Forged => "Status=INVALID\r\n".to_string(),
            CallbackOutcome::NotYet => "Status=ERROR\r\n".to_string(),
        };
        CallbackAnswer {
            status: 200,
            content_type: "text/plain; charset=utf-8",
            body,
        }
    }
}
