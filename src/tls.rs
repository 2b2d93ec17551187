//! TLS to external services: the trusted authorities and the cryptography.

use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

/// Why TLS cannot be used. The text never contains a part of the certificate file.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The file of certificates cannot be used.
    #[error("{path} {why}")]
    Authorities {
        /// The file's path.
        path: String,
        /// The reason.
        why: String,
    },
    /// TLS cannot be set up.
    #[error("TLS could not be set up")]
    Setup(#[from] rustls::Error),
}

/// Returns a configuration that trusts the authorities of browsers and those in `ca_file` (PEM).
///
/// # Errors
/// Fails if `ca_file` can't be read or contains no certificate, or if TLS can't be set up.
pub fn client_config(ca_file: Option<&Path>) -> Result<ClientConfig, TlsError> {
    let mut roots = RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    };
    if let Some(path) = ca_file {
        add_authorities(&mut roots, path)?;
    }
    // The program's crypto provider is named here, so that the process needs no default provider.
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    Ok(ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth())
}

fn add_authorities(roots: &mut RootCertStore, path: &Path) -> Result<(), TlsError> {
    let unusable = |why: String| TlsError::Authorities {
        path: path.display().to_string(),
        why,
    };
    let no_certificate = || unusable("holds no certificate in PEM".to_owned());
    let pem = std::fs::read(path).map_err(|why| unusable(format!("can't be read: {why}")))?;
    let before = roots.len();
    for certificate in CertificateDer::pem_slice_iter(&pem) {
        let certificate = certificate.map_err(|_| no_certificate())?;
        roots.add(certificate).map_err(|_| no_certificate())?;
    }
    if roots.len() == before {
        return Err(no_certificate());
    }
    Ok(())
}
