//! The HTTP client for external services, over TLS.

use std::path::Path;
use std::time::Duration;

use crate::tls::{self, TlsError};

/// Longest time for a connection, with its TLS handshake.
const CONNECT: Duration = Duration::from_secs(5);
/// Longest time for a call, from connecting to the last byte of the answer.
const CALL: Duration = Duration::from_secs(10);

/// Why the client can't be built.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// TLS can't be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The client can't be built.
    #[error("the HTTP client could not be made")]
    Client(#[from] reqwest::Error),
}

/// Returns a client that trusts the public certificate authorities and those in `ca_file` (PEM). The client
/// follows no redirect and uses no proxy. So no answer and no environment variable can choose where
/// a secret goes.
///
/// # Errors
/// Fails if `ca_file` can't be read or has no certificate, or if TLS can't be set up.
pub fn client(ca_file: Option<&Path>) -> Result<reqwest::Client, HttpError> {
    let client = reqwest::Client::builder()
        .tls_backend_preconfigured(tls::client_config(ca_file)?)
        .connect_timeout(CONNECT)
        .timeout(CALL)
        .no_proxy()
        .tls_info(true)
        .redirect(reqwest::redirect::Policy::none())
        .user_agent(concat!("layby/", env!("CARGO_PKG_VERSION")))
        .build()?;
    Ok(client)
}
