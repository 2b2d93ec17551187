//! Calls to services outside, over TLS: one client for all of them.

use std::path::Path;
use std::time::Duration;

use crate::tls::{self, TlsError};

/// How long a connection may take, TLS included.
const CONNECT: Duration = Duration::from_secs(5);
/// How long a call may take, from connecting to the last byte of the answer.
const CALL: Duration = Duration::from_secs(10);

/// Why there is no client.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// TLS can't be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The client can't be made.
    #[error("the HTTP client could not be made")]
    Client(#[from] reqwest::Error),
}

/// A client that trusts the authorities which browsers trust, and beside them those in `ca_file`
/// (PEM). It takes no redirect and no proxy: an answer, or somebody's environment, must not choose
/// where a secret goes.
///
/// # Errors
/// When `ca_file` can't be read or holds no certificate.
pub fn client(ca_file: Option<&Path>) -> Result<reqwest::Client, HttpError> {
    let client = reqwest::Client::builder()
        .tls_backend_preconfigured(tls::client_config(ca_file)?)
        .connect_timeout(CONNECT)
        .timeout(CALL)
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .user_agent(concat!("layby/", env!("CARGO_PKG_VERSION")))
        .build()?;
    Ok(client)
}
