//! Why a use case was refused. The texts are for the customer; what went wrong inside is
//! for the log.

use crate::domain::errors::FieldErrors;
use crate::integrations::gateway::GatewayError;
use crate::store::StoreError;

/// Every way a use case can end other than well.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// The request makes no sense as it stands.
    #[error("{0}")]
    Malformed(String),
    /// Nobody is logged in, or the token or session is no longer valid.
    #[error("Unauthorised, please login before trying again.")]
    Unauthenticated,
    /// It doesn't exist, or isn't the caller's.
    #[error("We could not find that.")]
    NotFound,
    /// The row has changed since, or its state doesn't allow this.
    #[error("{message}")]
    Conflict {
        /// For programs.
        code: &'static str,
        /// For people.
        message: String,
    },
    /// Answers at fault.
    #[error("Error. Please correct the form and try again.")]
    Invalid(FieldErrors),
    /// A rule says no.
    #[error("{message}")]
    Refused {
        /// For programs.
        code: &'static str,
        /// For people.
        message: String,
    },
    /// Too often.
    #[error("Too many attempts. Please wait {retry_after} seconds and try again.")]
    TooMany {
        /// Seconds to wait.
        retry_after: u64,
    },
    /// A document is on its way.
    #[error("This document is still being made. Please try again in a moment.")]
    NotReady {
        /// Seconds to wait.
        retry_after: u64,
    },
    /// The server can't do it at the moment.
    #[error("We are busy for a moment. Please try again.")]
    Unavailable,
    /// A service we depend on, such as the mail server, didn't accept it; the detail is for the
    /// log. Only jobs, which are tried again, get this error.
    #[error("{0}")]
    Later(String),
    /// A fault of ours; the detail is for the log.
    #[error("Oops, something went wrong!")]
    Internal(String),
}

impl AppError {
    /// A conflict with a code.
    pub fn conflict(code: &'static str, message: impl Into<String>) -> Self {
        Self::Conflict {
            code,
            message: message.into(),
        }
    }

    /// A refused rule with a code.
    pub fn refused(code: &'static str, message: impl Into<String>) -> Self {
        Self::Refused {
            code,
            message: message.into(),
        }
    }

    /// One field at fault.
    pub fn field(path: &str, text: &str) -> Self {
        let mut errors = FieldErrors::default();
        errors.add(path, text);
        Self::Invalid(errors)
    }
}

impl From<StoreError> for AppError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Stopped => Self::Unavailable,
            other => Self::Internal(other.to_string()),
        }
    }
}

impl From<crate::secret::NoRandomness> for AppError {
    fn from(error: crate::secret::NoRandomness) -> Self {
        Self::Internal(error.to_string())
    }
}

impl From<GatewayError> for AppError {
    fn from(error: GatewayError) -> Self {
        match error {
            GatewayError::Forged => Self::Malformed("The signature is not valid.".to_string()),
            GatewayError::Unclear(detail) => Self::Internal(detail),
        }
    }
}
