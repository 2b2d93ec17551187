//! Errors of calls to Stripe. No error text contains a key, an address or Stripe's message, which
//! may repeat our request. The text has Stripe's codes, names of parameters and rights, and the
//! innermost cause of a broken connection.

use serde::Deserialize;

use crate::integrations::payments::http_call::{CallError, sanitise};

/// Why a call failed. [`StripeError::is_certain`] returns whether Stripe certainly did nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StripeError {
    /// Stripe was not reached, so it did nothing.
    #[error("Stripe can't be reached: {0}")]
    Unreachable(String),
    /// It is unknown whether Stripe executed the call. There was no answer, an incomplete answer,
    /// an answer from another server, or an error inside Stripe.
    #[error("what Stripe did isn't known: {0}")]
    Unknown(String),
    /// Stripe can't execute a new call with this idempotency key. Stripe repeats an earlier error,
    /// or reports that the parameters differ.
    #[error("the idempotency key is used up: {0}")]
    KeySpent(String),
    /// Stripe is overloaded, and did nothing.
    #[error("Stripe is busy: {0}")]
    Busy(String),
    /// Our key is wrong, revoked, or lacks a right. Stripe did nothing.
    #[error("Stripe refuses payments.stripe.secret_key: {0}")]
    Key(String),
    /// The object doesn't exist in this mode.
    #[error("Stripe knows no such thing: {0}")]
    Missing(String),
    /// Stripe refuses the request and did nothing.
    #[error("Stripe refuses: {0}")]
    Refused(StripeRefusal),
}

/// Stripe's reason for a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StripeRefusal {
    /// The HTTP status.
    pub status: u16,
    /// Stripe's name for the kind, such as `card_error`.
    pub kind: String,
    /// Stripe's code, such as `charge_already_refunded`. For a declined card, the reason of the
    /// decline.
    pub code: Option<String>,
    /// The invalid parameter.
    pub param: Option<String>,
}

impl std::fmt::Display for StripeRefusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.status, self.kind)?;
        for more in [&self.code, &self.param].into_iter().flatten() {
            write!(f, " {more}")?;
        }
        Ok(())
    }
}

impl StripeError {
    /// Returns whether Stripe certainly did nothing for this request.
    #[must_use]
    pub const fn is_certain(&self) -> bool {
        !matches!(self, Self::Unknown(_) | Self::KeySpent(_))
    }

    /// Returns Stripe's code for a refusal, or `None` for other errors.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Refused(refusal) => refusal.code.as_deref(),
            _ => None,
        }
    }
}

impl CallError for StripeError {
    fn unreachable(why: String) -> Self {
        Self::Unreachable(why)
    }

    fn unknown(why: String) -> Self {
        Self::Unknown(why)
    }

    fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown(_))
    }

    fn is_certain(&self) -> bool {
        self.is_certain()
    }

    fn is_transient(&self) -> bool {
        matches!(
            self,
            Self::Unknown(_) | Self::Busy(_) | Self::Unreachable(_)
        )
    }
}

/// The body of an error answer.
#[derive(Debug, Default, Deserialize)]
struct Body {
    #[serde(default)]
    error: Details,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Details {
    r#type: Option<String>,
    code: Option<String>,
    decline_code: Option<String>,
    param: Option<String>,
    message: Option<String>,
}

/// Maps an answer other than 2xx to an error. `replayed` tells whether Stripe repeated an earlier
/// answer.
pub(super) fn from_response(status: u16, body: &[u8], replayed: bool) -> StripeError {
    let parsed = serde_json::from_slice::<Body>(body).ok();
    let is_stripes = parsed
        .as_ref()
        .is_some_and(|body| body.error.r#type.is_some());
    let details = parsed.unwrap_or_default().error;
    let refusal = StripeRefusal {
        status,
        kind: details.r#type.as_deref().map(sanitise).unwrap_or_default(),
        code: details
            .decline_code
            .or(details.code)
            .as_deref()
            .map(sanitise),
        param: details.param.as_deref().map(sanitise),
    };
    let text = refusal.to_string();
    match status {
        500.. if replayed => StripeError::KeySpent(text),
        // 409: another call with this key is in progress, or Stripe has locked the object.
        409 | 429 => StripeError::Busy(text),
        // The answer is a proxy's page or a redirect. Stripe itself may have received the request.
        _ if !is_stripes => {
            StripeError::Unknown(format!("it answered {status} without an error of Stripe's"))
        }
        500.. => StripeError::Unknown(text),
        _ if refusal.kind == "idempotency_error" => StripeError::KeySpent(text),
        401 | 403 => {
            let right = details.message.as_deref().and_then(missing_right);
            let lacks = right.map(|right| format!(", the key lacks the right {right}"));
            StripeError::Key(text + &lacks.unwrap_or_default())
        }
        404 => StripeError::Missing(text),
        _ => StripeError::Refused(refusal),
    }
}

/// Returns the right that a restricted key lacks, or `None` if `message` names none. Only Stripe's
/// message names the right. A right's name begins with `rak_`, a key with `rk_`.
fn missing_right(message: &str) -> Option<String> {
    let begin = message.find("rak_")?;
    let right = message.get(begin..)?.chars();
    let right = right.take_while(|c| c.is_ascii_lowercase() || *c == '_');
    Some(right.take(80).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_answer_says_what_is_known_of_the_money() {
        let body = |kind: &str| format!(r#"{{"error":{{"type":"{kind}","message":"sk_live_1"}}}}"#);
        let parse = |status, kind, replayed| from_response(status, body(kind).as_bytes(), replayed);
        let table = [
            (parse(400, "invalid_request_error", false), true),
            (parse(401, "invalid_request_error", false), true),
            (parse(402, "card_error", false), true),
            (parse(404, "invalid_request_error", false), true),
            (parse(409, "idempotency_error", false), true),
            (parse(429, "rate_limit_error", false), true),
            (parse(400, "idempotency_error", false), false),
            (parse(500, "api_error", false), false),
            (parse(500, "api_error", true), false),
            (from_response(502, b"<html>", false), false),
            (from_response(403, b"<html>", false), false),
            (from_response(302, b"", false), false),
        ];
        for (error, certain) in table {
            assert_eq!(error.is_certain(), certain, "{error}");
            assert!(!error.to_string().contains("sk_live"), "{error}");
        }
    }

    #[test]
    fn the_right_that_a_key_lacks_is_named_and_nothing_else_of_the_message() {
        let message = "The provided key 'rk_live_*4242' does not have the required permissions for \
                       this endpoint. Having the 'rak_checkout_session_write' permission would help.";
        let body = serde_json::json!({
            "error": { "type": "invalid_request_error", "message": message }
        });
        let body = body.to_string();
        assert_eq!(
            from_response(403, body.as_bytes(), false).to_string(),
            "Stripe refuses payments.stripe.secret_key: 403 invalid_request_error, the key lacks the \
             right rak_checkout_session_write"
        );
    }

    #[test]
    fn a_text_of_an_error_holds_codes_only() {
        let body = r#"{"error":{"type":"card_error","code":"card_declined",
            "decline_code":"insufficient_funds","param":"a[b] ann@example.org"}}"#;
        let error = from_response(402, body.as_bytes(), false);
        assert_eq!(
            error.to_string(),
            "Stripe refuses: 402 card_error insufficient_funds a[b]annexample.org"
        );
        assert_eq!(error.code(), Some("insufficient_funds"));
    }
}
