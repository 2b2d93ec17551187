//! The shop's website at `server.public_url`, as a browser reaches it.

use std::error::Error;
use std::time::Duration;

use chrono::{DateTime, Utc};
use reqwest::tls::TlsInfo;
use x509_cert::Certificate;
use x509_cert::der::Decode;

use crate::config::Config;
use crate::integrations::http;

/// Longest time for the call.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// The answer at the public address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicAnswer {
    /// HTTP status.
    pub status: u16,
    /// When the certificate ends, or `None` without https.
    pub certificate_ends: Option<DateTime<Utc>>,
}

/// Requests the first page at `server.public_url`.
///
/// # Errors
/// Why there is no answer, as a text for the operator.
pub async fn call_public_address(config: &Config) -> Result<PublicAnswer, String> {
    let url = config.server.public_url.as_ref();
    let url = url.ok_or_else(|| "server.public_url is empty".to_string())?;
    let http = http::client(config.payments.ca_file.as_deref());
    let http = http.map_err(|error| error.to_string())?;
    let answer = http.get(url.as_str()).timeout(MAX_WAIT).send().await;
    let answer = answer.map_err(|error| innermost(&error))?;
    let tls = answer.extensions().get::<TlsInfo>();
    let certificate = tls.and_then(TlsInfo::peer_certificate);
    let certificate = certificate.and_then(|der| Certificate::from_der(der).ok());
    Ok(PublicAnswer {
        status: answer.status().as_u16(),
        certificate_ends: certificate.and_then(|certificate| {
            let end = certificate.tbs_certificate.validity.not_after;
            let seconds = end.to_unix_duration().as_secs().try_into().ok()?;
            DateTime::from_timestamp(seconds, 0)
        }),
    })
}

/// Returns the text of the first cause.
fn innermost(error: &dyn Error) -> String {
    error.source().map_or_else(|| error.to_string(), innermost)
}
