//! Which gateways there are.

use chrono::{DateTime, Utc};

use crate::integrations::gateway::answers::{CallbackEvent, GatewayError};
use crate::integrations::gateway::sandbox;

/// The gateways there are, by their name in paths and in the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provider {
    /// Built in; plays test cards.
    Sandbox,
}

impl Provider {
    /// The provider called `name`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        (name == "sandbox").then_some(Self::Sandbox)
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sandbox => "sandbox",
        }
    }

    /// Header that carries the signature of its callbacks.
    #[must_use]
    pub const fn signature_header(self) -> &'static str {
        match self {
            Self::Sandbox => sandbox::SIGNATURE,
        }
    }

    /// Reads one of its callbacks.
    ///
    /// # Errors
    /// [`GatewayError::Forged`] when it isn't the provider's own and fresh.
    pub fn verify(
        self,
        body: &[u8],
        signature: &str,
        secret: &str,
        now: DateTime<Utc>,
    ) -> Result<CallbackEvent, GatewayError> {
        match self {
            Self::Sandbox => sandbox::verify(body, signature, secret, now),
        }
    }
}
