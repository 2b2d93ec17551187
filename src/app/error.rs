//! Errors of use cases. The texts are for the customer. Internal causes are for the log.

use std::borrow::Cow;
use std::error::Error;

use crate::domain::product::form::errors::FieldErrors;
use crate::integrations::payments::GatewayError;
use crate::store::StoreError;

/// An error of a use case.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// The request is malformed.
    #[error("{0}")]
    Malformed(String),
    /// Nobody is logged in, or the token or session is invalid or has expired.
    #[error("Unauthorised, please login before trying again.")]
    Unauthenticated,
    /// The row doesn't exist, or isn't the caller's.
    #[error("We could not find that.")]
    NotFound,
    /// The row has changed since the caller read it, or its state doesn't allow the action.
    #[error("{message}")]
    Conflict {
        /// The code, for programs.
        code: &'static str,
        /// The text, for people.
        message: String,
    },
    /// Wrong fields, with a text for each field.
    #[error("Error. Please correct the form and try again.")]
    Invalid(FieldErrors),
    /// A rule refuses the request.
    #[error("{message}")]
    Refused {
        /// The code, for programs.
        code: &'static str,
        /// The text, for people.
        message: String,
    },
    /// A look-up found no address of the postcode or house.
    #[error("We could not find that.")]
    NoAddress {
        /// Other postcodes, or addresses in the typed postcode.
        suggestions: Vec<String>,
    },
    /// No look-up service is configured, or the service gave no useful answer in time.
    #[error("We can't look that up at the moment. Please type the details.")]
    LookupUnavailable,
    /// A limit is exceeded.
    #[error("Too many attempts. Please wait {retry_after} seconds and try again.")]
    TooMany {
        /// Seconds to wait.
        retry_after: u64,
    },
    /// A document is not rendered yet.
    #[error("This document is still being made. Please try again in a moment.")]
    NotReady {
        /// Seconds to wait.
        retry_after: u64,
    },
    /// The blob store is unavailable, has lost a document, or is removing an older blob of the same bytes.
    /// The text is for the log.
    #[error("We can't fetch this document at the moment. Please try again in a moment.")]
    DocumentsUnavailable(String),
    /// The server is busy, or a gateway gave no clear answer. A retry may succeed.
    #[error("We are busy for a moment. Please try again.")]
    Unavailable,
    /// The store is unavailable at the moment.
    #[error("We are busy for a moment. Please try again.")]
    StoreClosed(#[source] StoreError),
    /// The shop is held after a restore, and sells and changes nothing.
    #[error(
        "We are putting our records in order and will be back soon. Nothing was changed. If you need us now, please call us."
    )]
    Held,
    /// The disk is short of space, so the shop refuses the request.
    #[error("We can't take on anything new at the moment. Please try again later.")]
    InsufficientStorage,
    /// A letter can't be rendered or sent at the moment. The text is for the log. The error has no source,
    /// because a mail server's text may repeat the address. Only jobs and commands get this error, and the
    /// shop retries jobs.
    #[error("{0}")]
    ServiceUnavailable(String),
    /// An internal error. Its cause is for the log.
    #[error("Oops, something went wrong!")]
    Internal(#[source] Fault),
}

/// An internal failure, with the error that caused it.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct Fault {
    what: Cow<'static, str>,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl From<String> for Fault {
    fn from(what: String) -> Self {
        let (what, source) = (Cow::Owned(what), None);
        Self { what, source }
    }
}

impl From<&'static str> for Fault {
    fn from(what: &'static str) -> Self {
        let (what, source) = (Cow::Borrowed(what), None);
        Self { what, source }
    }
}

impl AppError {
    /// Returns an internal error: what failed, and its cause.
    pub fn internal(
        what: impl Into<Cow<'static, str>>,
        source: impl Into<Box<dyn Error + Send + Sync>>,
    ) -> Self {
        Self::Internal(Fault {
            what: what.into(),
            source: Some(source.into()),
        })
    }

    /// Returns the text for the log. For an internal error and an unavailable store, this is the failure with
    /// all its causes. For an unavailable document, this is the reason. For any other error, this is the text
    /// of the error.
    #[must_use]
    pub fn log_text(&self) -> String {
        match self {
            Self::Internal(fault) => with_causes(fault),
            Self::StoreClosed(why) => with_causes(why),
            Self::DocumentsUnavailable(why) => why.clone(),
            other => other.to_string(),
        }
    }

    /// Returns whether a write to the store panicked.
    #[must_use]
    pub fn is_panic(&self) -> bool {
        let Self::Internal(Fault {
            source: Some(source),
            ..
        }) = self
        else {
            return false;
        };
        matches!(source.downcast_ref(), Some(StoreError::Panicked))
    }

    pub fn conflict(code: &'static str, message: impl Into<String>) -> Self {
        Self::Conflict {
            code,
            message: message.into(),
        }
    }

    pub fn rule(code: &'static str, message: impl Into<String>) -> Self {
        Self::Refused {
            code,
            message: message.into(),
        }
    }

    pub fn field(path: &str, text: impl Into<String>) -> Self {
        let mut errors = FieldErrors::default();
        errors.add(path, text);
        Self::Invalid(errors)
    }
}

/// Returns the text of an error and of all its causes, for the log.
#[must_use]
pub fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let why = error.to_string();
        // Some errors include their cause in their own text.
        if !text.ends_with(&why) {
            text.push_str(": ");
            text.push_str(&why);
        }
        cause = error.source();
    }
    text
}

impl From<StoreError> for AppError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Stopped
            | StoreError::Closed
            | StoreError::Disk(_)
            | StoreError::Clock(_)
            | StoreError::Database(_) => Self::StoreClosed(error),
            other => Self::internal("the store failed", other),
        }
    }
}

impl From<crate::secret::NoRandomness> for AppError {
    fn from(error: crate::secret::NoRandomness) -> Self {
        Self::internal("a secret could not be made", error)
    }
}

impl From<GatewayError> for AppError {
    fn from(error: GatewayError) -> Self {
        Self::internal("a gateway failed", error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_has_every_error_behind_a_fault_and_the_customer_none() {
        let engine = StoreError::Engine("a row is larger than 3 GiB");
        let error = AppError::from(engine);
        assert_eq!(
            error.log_text(),
            "the store failed: the store's engine failed: a row is larger than 3 GiB"
        );
        let full = StoreError::Disk(std::sync::Arc::new(std::io::Error::from_raw_os_error(28)));
        assert_eq!(
            AppError::from(full).log_text(),
            "the disk failed: it is full: No space left on device (os error 28)"
        );
        assert_eq!(error.to_string(), "Oops, something went wrong!");
        let error = AppError::Internal("a ledger is full".into());
        assert_eq!(error.log_text(), "a ledger is full");
        assert_eq!(AppError::NotFound.log_text(), "We could not find that.");
    }
}
