//! Settings of Barclaycard Smartpay Fuse (Cybersource): its payment page and its REST API.

use chrono::NaiveDate;
use rsa::PrivateKey;
use serde::Deserialize;

use super::message_keys::{EncryptionCertificate, parse_private_key};
use crate::config::address::WebOrigin;
use crate::config::rules::{
    api_url_or_empty, number_between, optional_text, or_empty, rules, secret_or_empty, text_where,
    word_or_empty,
};
use crate::config::settings::Settings;
use crate::config::source::Mistakes;
use crate::secret::Secret;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmartpayFuseSettings {
    /// The profile of Secure Acceptance, a GUID in capitals.
    #[serde(deserialize_with = "word_or_empty")]
    pub profile_id: String,
    /// The access key of the profile: the public id of `secret_key`.
    #[serde(deserialize_with = "word_or_empty")]
    pub access_key: String,
    /// The key that signs the form, and the messages of the page.
    #[serde(deserialize_with = "secret_or_empty")]
    pub secret_key: Secret,
    /// The day on which `secret_key` expires.
    #[serde(deserialize_with = "day_or_empty")]
    pub secret_key_expires: Option<NaiveDate>,
    /// The access key before a change of keys.
    #[serde(deserialize_with = "optional_text")]
    pub previous_access_key: Option<String>,
    /// The secret of `previous_access_key`.
    #[serde(deserialize_with = "optional_text")]
    pub previous_secret_key: Option<Secret>,
    #[serde(deserialize_with = "word_or_empty")]
    pub rest_merchant_id: String,
    /// The id of the REST key.
    #[serde(deserialize_with = "word_or_empty")]
    pub rest_key: String,
    /// The shared secret of the REST key, base64.
    #[serde(deserialize_with = "base64_or_empty")]
    pub rest_secret: Secret,
    /// The day on which the REST key expires.
    #[serde(deserialize_with = "day_or_empty")]
    pub rest_key_expires: Option<NaiveDate>,
    /// Fuse's certificate that encrypts REST requests. `None` if the account takes bodies as they are.
    #[serde(deserialize_with = "certificate_or_empty")]
    pub encryption_certificate: Option<EncryptionCertificate>,
    /// The shop's private key that decrypts REST answers.
    #[serde(deserialize_with = "private_key_or_empty")]
    pub decryption_key: Option<PrivateKey>,
    /// Fuse's id of `decryption_key`.
    #[serde(deserialize_with = "word_or_empty")]
    pub decryption_key_id: String,
    /// The origin of the payment page.
    #[serde(deserialize_with = "page_url")]
    pub page_url: Option<WebOrigin>,
    /// Whether the page is shown in a frame. If `false`, the page replaces our page.
    pub frame: bool,
    /// The address of the REST API, without a slash at its end.
    #[serde(deserialize_with = "api_url_or_empty")]
    pub api_url: String,
    /// Whether the profile belongs to the test system, which moves no money.
    pub test: bool,
    /// Working days within which a payout settles a payment. Later it is listed as late.
    #[serde(deserialize_with = "number_between::<1, 30, _, _>")]
    pub payout_working_days: u32,
}

/// Days before a key expires in which `layby serve --check` warns.
const WARNING_DAYS: i64 = 60;
const LIVE: &str = "https://api.smartpayfuse.barclaycard";
const TEST: &str = "https://api.smartpayfuse-test.barclaycard";

rules! {
    base64_or_empty: Secret, "empty, or a shared secret in base64",
        |value| text_where(value, |text| data_encoding::BASE64.decode(text.as_bytes()).is_ok())
            .map(Secret::from);
    day_or_empty: Option<NaiveDate>, "empty, or a day such as 2028-11-23",
        |value| or_empty(value, |text| text.parse().ok());
    certificate_or_empty: Option<EncryptionCertificate>,
        "empty, or an RSA certificate in PEM with a key of at least 2048 bits, and a serialNumber in its subject",
        |value| or_empty(value, EncryptionCertificate::parse);
    private_key_or_empty: Option<PrivateKey>,
        "empty, or an RSA private key of at least 2048 bits in PEM (BEGIN PRIVATE KEY)",
        |value| or_empty(value, parse_private_key);
    page_url: Option<WebOrigin>, "empty, or an https:// address without a path (or http:// on this machine)",
        |value| or_empty(value, |text| WebOrigin::parse_site(text).filter(WebOrigin::is_private));
}

impl SmartpayFuseSettings {
    pub(super) fn has_keys(&self) -> bool {
        !self.profile_id.is_empty()
    }

    /// Fills in the default address. Rejects a section with a missing key, half of a previous key pair,
    /// and incomplete keys of the encryption.
    pub(super) fn complete(&mut self, settings: &Settings, mistakes: &mut Mistakes) {
        for (name, is_missing) in [
            ("access_key", self.access_key.is_empty()),
            ("secret_key", self.secret_key.expose().is_empty()),
            ("rest_merchant_id", self.rest_merchant_id.is_empty()),
            ("rest_key", self.rest_key.is_empty()),
            ("rest_secret", self.rest_secret.expose().is_empty()),
            ("page_url", self.page_url.is_none()),
        ] {
            if is_missing {
                let key = format!("payments.smartpayfuse.{name}");
                let rule = "given when payments.smartpayfuse.profile_id is";
                mistakes.note::<()>(Err(settings.invalid(&key, rule)));
            }
        }
        mistakes.refuse_if(
            self.previous_access_key.is_some() != self.previous_secret_key.is_some(),
            "payments.smartpayfuse.previous_access_key and previous_secret_key must be given \
             together",
        );
        let encryption = [
            self.encryption_certificate.is_some(),
            self.decryption_key.is_some(),
            !self.decryption_key_id.is_empty(),
        ];
        mistakes.refuse_if(
            encryption.contains(&true) && encryption.contains(&false),
            "payments.smartpayfuse.encryption_certificate, decryption_key and decryption_key_id \
             must be given together",
        );
        if self.api_url.is_empty() {
            self.api_url = if self.test { TEST } else { LIVE }.to_owned();
        }
    }

    /// Rejects the test system, and another API address than the live address. Rejects a payment page on
    /// a test host or without https.
    pub(super) fn check_production(&self, mistakes: &mut Mistakes) {
        mistakes.refuse_if(
            self.test,
            "payments.smartpayfuse.test must be false when mode is production: the test system \
             takes no money",
        );
        mistakes.refuse_if(
            !self.test && self.api_url != LIVE,
            "payments.smartpayfuse.api_url must be empty when mode is production",
        );
        let page = self.page_url.as_ref();
        mistakes.refuse_if(
            page.is_some_and(|page| !page.is_https() || page.host().contains("test")),
            "payments.smartpayfuse.page_url must not be a test host when mode is production: \
             it takes no money",
        );
    }

    /// Returns a warning for each key that has expired or expires within 60 days of `today`. Also returns a
    /// warning for each key without a day of expiry.
    #[must_use]
    pub fn key_warnings(&self, today: NaiveDate) -> Vec<String> {
        let keys = [
            ("secret_key", self.secret_key_expires),
            ("rest_key", self.rest_key_expires),
        ];
        let certificate = self.encryption_certificate.as_ref();
        let certificate = certificate.map(|one| ("encryption_certificate", Some(one.expires)));
        let warnings = keys.into_iter().chain(certificate).filter_map(|(name, expires)| match expires {
            None => Some(format!(
                "payments.smartpayfuse.{name}_expires is not given, so nobody is warned before that key expires"
            )),
            Some(day) if (day - today).num_days() <= WARNING_DAYS => Some(format!(
                "payments.smartpayfuse.{name} expires on {day}: please replace it"
            )),
            Some(_) => None,
        });
        warnings.collect()
    }

    /// Returns the origin of the payment page.
    #[must_use]
    pub fn page_hosts(&self) -> Vec<String> {
        let page = self.page_url.iter();
        page.map(|page| page.as_str().to_owned()).collect()
    }
}
