//! Keys of message-level encryption: the gateway's certificate, and the shop's private key.

use chrono::{DateTime, NaiveDate};
use rsa::pkcs8::{DecodePrivateKey, DecodePublicKey};
use rsa::traits::PublicKeyParts;
use rsa::{PrivateKey, PublicKey};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use x509_cert::Certificate;
use x509_cert::der::asn1::ObjectIdentifier;
use x509_cert::der::{Decode, Encode};

/// Smallest accepted RSA key: 112 bits of strength (NIST SP 800-57). Fuse documents keys of this size.
const MIN_KEY_BITS: u32 = 2048;
/// The attribute `serialNumber` of a name.
const SERIAL_NUMBER: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.5");

/// A certificate whose owner can decrypt messages.
#[derive(Clone, Debug)]
pub struct EncryptionCertificate {
    pub key: PublicKey,
    /// The owner's id of the key: the `serialNumber` in the certificate's subject.
    pub key_id: String,
    pub expires: NaiveDate,
}

impl EncryptionCertificate {
    /// Reads a certificate in PEM. Returns `None` if it has no RSA key of [`MIN_KEY_BITS`] or no
    /// `serialNumber` in its subject.
    pub(super) fn parse(pem: &str) -> Option<Self> {
        let der = CertificateDer::from_pem_slice(pem.as_bytes()).ok()?;
        let certificate = Certificate::from_der(&der).ok()?.tbs_certificate;
        let key = certificate.subject_public_key_info.to_der().ok()?;
        let names = certificate.subject.0.iter();
        let mut attributes = names.flat_map(|name| name.0.iter());
        let serial = attributes.find(|attribute| attribute.oid == SERIAL_NUMBER)?;
        let expires = certificate.validity.not_after.to_unix_duration();
        let expires = DateTime::from_timestamp(expires.as_secs().try_into().ok()?, 0)?;
        Some(Self {
            key: PublicKey::from_public_key_der(&key)
                .ok()
                .filter(is_long_enough)?,
            key_id: str::from_utf8(serial.value.value()).ok()?.to_owned(),
            expires: expires.date_naive(),
        })
    }
}

/// Reads an RSA private key in PEM (PKCS #8). Returns `None` if it is shorter than [`MIN_KEY_BITS`].
pub(super) fn parse_private_key(pem: &str) -> Option<PrivateKey> {
    let der = PrivatePkcs8KeyDer::from_pem_slice(pem.as_bytes()).ok()?;
    let key = PrivateKey::from_pkcs8_der(der.secret_pkcs8_der()).ok();
    key.filter(is_long_enough)
}

fn is_long_enough(key: &impl PublicKeyParts) -> bool {
    key.n().bit_width() >= MIN_KEY_BITS
}
