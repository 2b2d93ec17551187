//! Callbacks as some gateways send them: a form that is signed with a key of its attempt, and wants lines
//! of text for an answer.

use data_encoding::HEXLOWER_PERMISSIVE;
use hmac::Mac;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::signature::keyed;
use crate::domain::money::Pence;
use crate::domain::payment::Keys;
use crate::domain::sandbox::{SandboxPayment, SandboxState};
use crate::integrations::gateway::answers::GatewayError;
use crate::integrations::gateway::callback::{CallbackAnswer, Heard};

/// Name of the key of an attempt.
const KEY: &str = "SecurityKey";

/// The form.
#[derive(Serialize, Deserialize)]
struct Form {
    reference: String,
    state: SandboxState,
    /// Pence.
    amount: i64,
    signature: String,
}

impl Form {
    /// What is signed.
    fn text(&self) -> Result<String, GatewayError> {
        let Self {
            reference,
            state,
            amount,
            ..
        } = self;
        let state = serde_json::to_string(state);
        let state = state.map_err(|error| GatewayError::Unclear(error.to_string()))?;
        Ok(format!("{reference}.{state}.{amount}"))
    }
}

/// What the sandbox calls an attempt.
pub(super) fn reference_of(attempt: Uuid) -> String {
    format!("sbx_{}", attempt.simple())
}

/// The key of an attempt, made of the sandbox's own.
pub(super) fn keys(attempt: Uuid, secret: &str) -> Result<Keys, GatewayError> {
    let mut mac = keyed(secret)?;
    mac.update(b"key.");
    mac.update(attempt.as_bytes());
    let key = HEXLOWER_PERMISSIVE.encode(&mac.finalize().into_bytes());
    Ok(Keys(indexmap::IndexMap::from([(KEY.to_string(), key)])))
}

fn key_in(keys: &Keys) -> Result<&str, GatewayError> {
    let key = keys.0.get(KEY).filter(|key| !key.is_empty());
    key.map(String::as_str).ok_or(GatewayError::Forged)
}

/// The body of the callback for `payment`.
///
/// # Errors
/// When it can't be written.
pub fn form_callback(payment: &SandboxPayment, secret: &str) -> Result<String, GatewayError> {
    let mut form = Form {
        reference: reference_of(payment.payment),
        state: payment.state,
        amount: payment.amount.0,
        signature: String::new(),
    };
    let keys = keys(payment.payment, secret)?;
    let mut mac = keyed(key_in(&keys)?)?;
    mac.update(form.text()?.as_bytes());
    form.signature = HEXLOWER_PERMISSIVE.encode(&mac.finalize().into_bytes());
    serde_urlencoded::to_string(&form).map_err(|error| GatewayError::Unclear(error.to_string()))
}

fn read(body: &[u8]) -> Result<Form, GatewayError> {
    serde_urlencoded::from_bytes(body).map_err(|_| GatewayError::Forged)
}

/// What the sandbox calls the attempt that a callback says it is about.
pub(super) fn whose(body: &[u8]) -> Result<String, GatewayError> {
    Ok(read(body)?.reference)
}

/// Reads a callback that is signed with a key of `keys`: the state and the amount that it tells.
pub(super) fn verify(body: &[u8], keys: &Keys) -> Result<(SandboxState, Pence), GatewayError> {
    let form = read(body)?;
    let mut mac = keyed(key_in(keys)?)?;
    mac.update(form.text()?.as_bytes());
    let signature = HEXLOWER_PERMISSIVE.decode(form.signature.as_bytes());
    let signature = signature.map_err(|_| GatewayError::Forged)?;
    mac.verify_slice(&signature)
        .map_err(|_| GatewayError::Forged)?;
    Ok((form.state, Pence(form.amount)))
}

/// The answer: lines that end with CR and LF, with the status 200 whatever they say.
pub(super) fn answer(heard: &Heard) -> CallbackAnswer {
    let body = match heard {
        Heard::Recorded { return_url } => format!("Status=OK\r\nRedirectURL={return_url}\r\n"),
        Heard::NotOurs | Heard::Forged => "Status=INVALID\r\n".to_string(),
        Heard::NotYet => "Status=ERROR\r\n".to_string(),
    };
    CallbackAnswer {
        status: 200,
        content_type: "text/plain; charset=utf-8",
        body,
    }
}

/// Whether an answer says that the shop has recorded the callback.
#[must_use]
pub fn is_acknowledged(answer: &str) -> bool {
    answer.lines().next() == Some("Status=OK")
}
