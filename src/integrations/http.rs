//! Calls to services outside, over TLS: one client for all of them.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

/// How long a connection may take, TLS included.
const CONNECT: Duration = Duration::from_secs(5);
/// How long a call may take, from connecting to the last byte of the answer.
const CALL: Duration = Duration::from_secs(10);

/// Why there is no client. The text names the file and holds no more of it.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// The file of certificates can't be used.
    #[error("{path} {why}")]
    Authorities {
        /// The file.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// TLS can't be set up.
    #[error("TLS could not be set up")]
    Tls(#[from] rustls::Error),
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
    let mut roots = RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    };
    if let Some(path) = ca_file {
        add_authorities(&mut roots, path)?;
    }
    // The one crypto provider of the whole program is named here, so that none has to be the
    // process's default.
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let client = reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .connect_timeout(CONNECT)
        .timeout(CALL)
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .user_agent(concat!("layby/", env!("CARGO_PKG_VERSION")))
        .build()?;
    Ok(client)
}

fn add_authorities(roots: &mut RootCertStore, path: &Path) -> Result<(), HttpError> {
    let unusable = |why: &str| HttpError::Authorities {
        path: path.display().to_string(),
        why: why.to_owned(),
    };
    let pem = std::fs::read(path).map_err(|error| unusable(&format!("can't be read: {error}")))?;
    let no_certificate = || unusable("holds no certificate in PEM");
    let mut found = 0;
    for certificate in CertificateDer::pem_slice_iter(&pem) {
        let certificate = certificate.map_err(|_| no_certificate())?;
        roots.add(certificate).map_err(|_| no_certificate())?;
        found += 1;
    }
    if found == 0 {
        return Err(no_certificate());
    }
    Ok(())
}
