//! The JSON envelope of every error: [`Failure`].

use std::collections::BTreeMap;

use poem::http::StatusCode;
use poem::{IntoResponse, Response};
use poem_openapi::ApiResponse;
use poem_openapi::registry::{
    MetaHeader, MetaMediaType, MetaResponse, MetaResponses, MetaSchemaRef, Registry,
};
use poem_openapi::types::Type;
use serde::Serialize;

use crate::app::{AppError, with_causes};
use crate::domain::product::form::errors::FieldErrors;
use crate::json_schema::ResponseSchema;

/// Why a call failed.
#[derive(Serialize, ResponseSchema)]
pub struct Failure {
    /// The reason, as a text for people.
    message: String,
    /// The errors by field: the form's dotted path, or the name of a member or parameter. Left out if no
    /// field has an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(Option<BTreeMap<String, Vec<String>>>)]
    errors: Option<FieldErrors>,
    /// Other postcodes, or addresses of the requested postcode. Only an address look-up that finds no address
    /// returns suggestions.
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestions: Option<Vec<String>>,
    /// The reason, as a word for programs.
    code: &'static str,
    /// The same as `message`, for clients of the update calls.
    error: String,
}

/// An error as the client receives it.
pub struct ApiError {
    status: StatusCode,
    failure: Box<Failure>,
    retry_after: Option<u64>,
}

impl ApiError {
    fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            status,
            failure: Box::new(Failure {
                error: message.clone(),
                message,
                errors: None,
                suggestions: None,
                code,
            }),
            retry_after: None,
        }
    }

    /// Returns a 400 with `message`.
    pub fn malformed(message: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "malformed", message)
    }

    /// Returns a 413: the body is larger than `largest` bytes.
    pub fn too_large(largest: usize) -> Self {
        Self::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too_large",
            format!("The request is larger than {} KiB.", largest >> 10),
        )
    }

    /// Returns a 408: the body did not arrive in time. The response closes the connection.
    pub fn too_slow() -> Self {
        Self::new(
            StatusCode::REQUEST_TIMEOUT,
            "too_slow",
            "The request took too long to arrive. Please try again.",
        )
    }

    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Returns the envelope, without the headers.
    pub fn failure(self) -> Failure {
        *self.failure
    }

    pub fn not_found() -> Self {
        AppError::NotFound.into()
    }

    /// Returns a 403: a page of another site tried to act for its visitor. Logs a warning.
    pub fn cross_site() -> Self {
        tracing::warn!("refused a request from another site's page");
        Self::new(
            StatusCode::FORBIDDEN,
            "cross_site",
            "This request came from another site.",
        )
    }

    /// Converts an error of the framework to our envelope. A 401, a 404 and a 405 keep their status.
    /// Every other client error becomes a 400, and any other error a 500.
    pub fn from_framework(error: &poem::Error) -> Self {
        let status = error.status();
        let (code, message) = match status {
            StatusCode::NOT_FOUND => return Self::not_found(),
            StatusCode::METHOD_NOT_ALLOWED => (
                "method_not_allowed",
                "That can't be done with this address.",
            ),
            StatusCode::UNSUPPORTED_MEDIA_TYPE => ("malformed", "Send JSON."),
            StatusCode::UNAUTHORIZED => return AppError::Unauthenticated.into(),
            status if status.is_client_error() => {
                ("malformed", "The request is not of the right form.")
            }
            _ => return AppError::Internal(with_causes(error).into()).into(),
        };
        let status = match status {
            StatusCode::METHOD_NOT_ALLOWED => status,
            _ => StatusCode::BAD_REQUEST,
        };
        Self::new(status, code, message)
    }
}

impl From<AppError> for ApiError {
    fn from(error: AppError) -> Self {
        let message = error.to_string();
        match error {
            AppError::Malformed(text) => Self::malformed(&text),
            AppError::Unauthenticated => {
                Self::new(StatusCode::UNAUTHORIZED, "unauthenticated", message)
            }
            AppError::NotFound => Self::new(StatusCode::NOT_FOUND, "not_found", message),
            AppError::NoAddress { suggestions } => {
                let mut error = Self::new(StatusCode::NOT_FOUND, "not_found", message);
                error.failure.suggestions = Some(suggestions);
                error
            }
            AppError::LookupUnavailable => {
                let status = StatusCode::SERVICE_UNAVAILABLE;
                let mut error = Self::new(status, "lookup_unavailable", message);
                error.retry_after = Some(30);
                error
            }
            AppError::Conflict { code, message } => Self::new(StatusCode::CONFLICT, code, message),
            AppError::Invalid(errors) => {
                let mut error = Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", message);
                error.failure.errors = (!errors.is_empty()).then_some(errors);
                error
            }
            AppError::Refused { code, message } => {
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, message)
            }
            AppError::TooMany { retry_after } => {
                let mut error = Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many", message);
                error.retry_after = Some(retry_after);
                error
            }
            AppError::NotReady { retry_after } => {
                let mut error = Self::new(StatusCode::CONFLICT, "not_ready", message);
                error.retry_after = Some(retry_after);
                error
            }
            AppError::InsufficientStorage => {
                let mut error = Self::new(
                    StatusCode::SERVICE_UNAVAILABLE,
                    "insufficient_storage",
                    message,
                );
                error.retry_after = Some(60);
                error
            }
            AppError::Held => {
                let mut error = Self::new(StatusCode::SERVICE_UNAVAILABLE, "held", message);
                error.retry_after = Some(60);
                error
            }
            AppError::Unavailable | AppError::StoreClosed(_) => {
                let mut error = Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", message);
                error.retry_after = Some(2);
                error
            }
            AppError::DocumentsUnavailable(_) => {
                let mut error = Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", message);
                error.retry_after = Some(5);
                error
            }
            AppError::Internal(_) | AppError::ServiceUnavailable(_) => {
                tracing::error!(
                    error = error.log_text(),
                    "a request failed with an internal error"
                );
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
            }
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = serde_json::to_vec(&self.failure).unwrap_or_default();
        let response = Response::builder()
            .status(self.status)
            .content_type("application/json; charset=utf-8");
        let response = match self.status {
            StatusCode::REQUEST_TIMEOUT => response.header("Connection", "close"),
            _ => response,
        };
        match self.retry_after {
            Some(seconds) => response
                .header("Retry-After", seconds.to_string())
                .body(body),
            None => response.body(body),
        }
    }
}

impl From<ApiError> for poem::Error {
    fn from(error: ApiError) -> Self {
        Self::from_response(error.into_response())
    }
}

impl ApiResponse for ApiError {
    fn meta() -> MetaResponses {
        let response = |status, description, waits| MetaResponse {
            description,
            status: Some(status),
            status_range: None,
            content: vec![MetaMediaType {
                content_type: "application/json; charset=utf-8",
                schema: <Failure as Type>::schema_ref(),
            }],
            headers: if waits { retry_after() } else { vec![] },
        };
        MetaResponses {
            responses: vec![
                response(400, "malformed", false),
                response(401, "not logged in", false),
                response(
                    403,
                    "the user's role does not allow this, or another website sent the request",
                    false,
                ),
                response(404, "not found, or somebody else's", false),
                response(408, "the body took too long to arrive", false),
                response(409, "conflict, or a stale revision", false),
                response(413, "larger than 64 KiB", false),
                response(422, "fields at fault, or a refused rule", false),
                response(429, "too many", true),
                response(503, "starting, stopping, or busy", true),
            ],
        }
    }

    fn register(registry: &mut Registry) {
        <Failure as Type>::register(registry);
    }
}

fn retry_after() -> Vec<MetaHeader> {
    vec![MetaHeader {
        name: "Retry-After".to_string(),
        description: Some("seconds to wait".to_string()),
        required: true,
        deprecated: false,
        schema: MetaSchemaRef::Inline(Box::new(poem_openapi::registry::MetaSchema::new("integer"))),
    }]
}
