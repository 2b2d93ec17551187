//! Errors of calls to Global Payments. No error text has a key, an address or the provider's
//! description, because the description may repeat our request.

use serde::Deserialize;

use crate::integrations::payments::GatewayError;
use crate::integrations::payments::http_call::{CallError, sanitise};

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GpError {
    /// The shop did not reach the provider, so the provider did nothing.
    #[error("Global Payments can't be reached: {0}")]
    Unreachable(String),
    /// It is unknown whether the provider executed the call.
    #[error("what Global Payments did isn't known: {0}")]
    Unknown(String),
    /// The provider did nothing, because it is overloaded or has locked the object.
    #[error("Global Payments is busy: {0}")]
    Busy(String),
    /// An earlier call with this idempotency key was executed.
    #[error("Global Payments has executed this call before")]
    Duplicate {
        /// The id of the earlier call's object, if the provider names it.
        id: Option<String>,
    },
    /// The token is not valid any more. Nothing was done.
    #[error("Global Payments refuses the token: {0}")]
    Token(String),
    /// Our app's id or key is wrong, or lacks a right. Nothing was done.
    #[error("Global Payments refuses the app of payments.globalpayments: {0}")]
    Key(String),
    /// The object doesn't exist.
    #[error("Global Payments has no such thing: {0}")]
    Missing(String),
    /// The provider refuses the request. Nothing was done.
    #[error("Global Payments refuses: {0}")]
    Refused(String),
}

impl CallError for GpError {
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
        !matches!(self, Self::Unknown(_) | Self::Duplicate { .. })
    }

    fn is_transient(&self) -> bool {
        matches!(
            self,
            Self::Unknown(_) | Self::Busy(_) | Self::Unreachable(_)
        )
    }
}

impl From<GpError> for GatewayError {
    fn from(error: GpError) -> Self {
        match error {
            GpError::Key(_) | GpError::Token(_) | GpError::Refused(_) => {
                Self::Refused(error.to_string())
            }
            GpError::Unreachable(_) | GpError::Busy(_) => Self::NotSent(error.to_string()),
            GpError::Unknown(_) | GpError::Duplicate { .. } | GpError::Missing(_) => {
                Self::Unclear(error.to_string())
            }
        }
    }
}

/// The body of an error answer.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct GpErrorBody {
    error_code: Option<String>,
    detailed_error_code: Option<String>,
    detailed_error_description: Option<String>,
}

/// Maps an answer other than 2xx to an error. A refusal names `clock_error`, because a wrong clock may be its
/// cause.
pub(super) fn from_response(status: u16, body: &[u8], clock_error: Option<&str>) -> GpError {
    let body: GpErrorBody = serde_json::from_slice(body).unwrap_or_default();
    let Some(code) = body.error_code.as_deref().map(sanitise) else {
        // The answer is a proxy's page or a redirect. The provider may have received the request.
        return GpError::Unknown(format!("it answered {status} without an error code"));
    };
    let detail = body.detailed_error_code.as_deref().map(sanitise);
    let text = format!("{status} {code} {}", detail.unwrap_or_default());
    let mut text = text.trim_end().to_owned();
    if let Some(error) = clock_error {
        text = format!("{text}, and our clock is {error}");
    }
    match (status, code.as_str()) {
        (_, "DUPLICATE_ACTION") => GpError::Duplicate {
            id: body
                .detailed_error_description
                .as_deref()
                .and_then(executed_id),
        },
        (_, "NOT_AUTHENTICATED") => GpError::Token(text),
        (409 | 429, _) => GpError::Busy(text),
        (401 | 403, _) => GpError::Key(text),
        (404, _) => GpError::Missing(text),
        (400..500, _) => GpError::Refused(text),
        _ => GpError::Unknown(text),
    }
}

/// Returns the id in `Idempotency Key seen before: id=TRN_..., status=...`.
fn executed_id(description: &str) -> Option<String> {
    let (_, rest) = description.split_once("id=")?;
    let plain = |c: &char| c.is_ascii_alphanumeric() || "_-".contains(*c);
    let id: String = rest.chars().take_while(plain).take(100).collect();
    Some(id).filter(|id| !id.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(status: u16, code: &str) -> GpError {
        let body = serde_json::json!({
            "error_code": code, "detailed_error_code": "40212",
            "detailed_error_description": "app-key ann@example.org id=TRN_1, status=CAPTURED",
        });
        from_response(status, body.to_string().as_bytes(), None)
    }

    #[test]
    fn each_answer_says_what_is_known_of_the_money() {
        let table = [
            (parse(400, "INVALID_REQUEST_DATA"), true),
            (parse(401, "NOT_AUTHENTICATED"), true),
            (parse(403, "ACTION_NOT_AUTHORIZED"), true),
            (parse(404, "RESOURCE_NOT_FOUND"), true),
            (parse(409, "RESOURCE_LOCKED"), true),
            (parse(429, "QUOTA_EXCEEDED"), true),
            (parse(409, "DUPLICATE_ACTION"), false),
            (parse(500, "SYSTEM_ERROR"), false),
            (parse(502, "SYSTEM_ERROR_DOWNSTREAM"), false),
            (from_response(403, b"<html>", None), false),
            (from_response(302, b"", None), false),
        ];
        for (error, certain) in table {
            assert_eq!(error.is_certain(), certain, "{error}");
            assert!(!error.to_string().contains("ann"), "{error}");
        }
    }

    #[test]
    fn a_repeated_call_names_the_object_of_the_first() {
        let id = Some("TRN_1".to_owned());
        assert_eq!(
            parse(409, "DUPLICATE_ACTION"),
            GpError::Duplicate { id: id.clone() }
        );
        assert_eq!(
            executed_id("Idempotency Key seen before: id=TRN_1, status=CAPTURED"),
            id
        );
        for other in ["", "id=", "id=/../x", "seen before"] {
            assert_eq!(executed_id(other), None, "{other}");
        }
    }

    #[test]
    fn a_text_of_an_error_holds_codes_only() {
        let text = "Global Payments refuses the app of payments.globalpayments: 403 \
                    ACTION_NOT_AUTHORIZED 40212";
        assert_eq!(parse(403, "ACTION_NOT_AUTHORIZED").to_string(), text);
    }
}
