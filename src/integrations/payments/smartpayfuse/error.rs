//! Errors of calls to Fuse's REST API. No error text has a key, an address or Fuse's message, because
//! the message may repeat our request.

use serde::Deserialize;

use crate::integrations::payments::GatewayError;
use crate::integrations::payments::http_call::{CallError, sanitise};

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FuseError {
    /// The shop did not reach Fuse, so Fuse did nothing.
    #[error("Smartpay Fuse can't be reached: {0}")]
    Unreachable(String),
    /// It is unknown whether Fuse executed the call.
    #[error("what Smartpay Fuse did isn't known: {0}")]
    Unknown(String),
    /// The key is wrong, expired or lacks a right, or our clock is wrong. Nothing was done.
    #[error("Smartpay Fuse refuses payments.smartpayfuse.rest_key, or our clock is wrong: {0}")]
    Key(String),
    /// The transaction doesn't exist, or can't be read yet.
    #[error("Smartpay Fuse knows no such transaction: {0}")]
    Missing(String),
    /// Fuse refuses the request. Nothing was done.
    #[error("Smartpay Fuse refuses: {0}")]
    Refused(FuseRefusal),
}

/// Fuse's reason for a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FuseRefusal {
    /// Such as `INVALID_DATA`.
    pub reason: String,
    /// The invalid fields.
    pub fields: Vec<String>,
}

impl FuseRefusal {
    /// Returns whether Fuse refuses the card of a charge, such as a card that was removed.
    pub(super) fn is_about_card(&self) -> bool {
        let mut fields = self.fields.iter();
        fields.any(|field| field.starts_with("paymentInformation"))
    }
}

impl std::fmt::Display for FuseRefusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.reason)?;
        self.fields
            .iter()
            .try_for_each(|field| write!(f, " {field}"))
    }
}

impl CallError for FuseError {
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
        !self.is_unknown()
    }

    fn is_transient(&self) -> bool {
        matches!(self, Self::Unknown(_) | Self::Unreachable(_))
    }
}

impl From<FuseError> for GatewayError {
    fn from(error: FuseError) -> Self {
        match error {
            FuseError::Key(_) | FuseError::Refused(_) => Self::Refused(error.to_string()),
            FuseError::Unreachable(_) => Self::NotSent(error.to_string()),
            FuseError::Unknown(_) | FuseError::Missing(_) => Self::Unclear(error.to_string()),
        }
    }
}

/// The body of an error answer. A refused key has another form than a refused request.
#[derive(Debug, Deserialize)]
struct ErrorBody {
    status: Option<String>,
    reason: Option<String>,
    details: Option<Vec<ErrorDetail>>,
    response: Option<serde_json::Value>,
}

#[derive(Debug, Deserialize)]
struct ErrorDetail {
    field: Option<String>,
}

/// Maps an answer other than 2xx to an error. An unknown body may come from a proxy, after Fuse has
/// executed the call.
pub(super) fn from_response(status: u16, body: &[u8]) -> FuseError {
    let Ok(parsed) = serde_json::from_slice::<ErrorBody>(body) else {
        return FuseError::Unknown(format!("it answered {status} without an error of its own"));
    };
    let reason = parsed.reason.or(parsed.status).as_deref().map(sanitise);
    let text = format!(
        "{status} {}",
        reason.as_deref().unwrap_or("without a reason")
    );
    match (status, reason) {
        (401 | 403, reason) if reason.is_some() || parsed.response.is_some() => {
            FuseError::Key(text)
        }
        (404, _) => FuseError::Missing(text),
        (400, Some(reason)) => {
            let details = parsed.details.unwrap_or_default().into_iter();
            let fields = details.filter_map(|detail| Some(sanitise(&detail.field?)));
            FuseError::Refused(FuseRefusal {
                reason,
                fields: fields.collect(),
            })
        }
        // Also for 429: no document says that Fuse does not execute a call with this answer.
        _ => FuseError::Unknown(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_answer_says_what_is_known_of_the_money() {
        let refused = r#"{"status":"INVALID_REQUEST","reason":"INVALID_DATA","message":"key 4242",
            "details":[{"field":"orderInformation.amountDetails.totalAmount","reason":"INVALID"}]}"#;
        let key = r#"{"response":{"rmsg":"Authentication Failed"}}"#;
        let system = r#"{"status":"SERVER_ERROR","reason":"SYSTEM_ERROR"}"#;
        let table = [
            (400, refused, true, "INVALID_DATA orderInformation"),
            (400, "{}", false, "400"),
            (401, key, true, "rest_key"),
            (401, "<html>", false, "401"),
            (403, "{}", false, "403"),
            (404, "{}", true, "404"),
            (404, "<html>", false, "404"),
            (429, refused, false, "429"),
            (502, system, false, "SYSTEM_ERROR"),
            (302, "", false, "302"),
        ];
        for (status, body, is_certain, text) in table {
            let error = from_response(status, body.as_bytes());
            assert_eq!(error.is_certain(), is_certain, "{error}");
            let said = error.to_string();
            assert!(said.contains(text) && !said.contains("4242"), "{said}");
        }
    }
}
