//! The form that opens the payment page. Each of its fields is signed.

use chrono::{DateTime, Utc};
use indexmap::IndexMap;

use super::signature;
use super::transaction::decimal;
use crate::domain::payment::{Payer, Payment, payer};
use crate::secret::Secret;

/// Characters that a text field may have beside ASCII letters and digits. A comma is not allowed,
/// because commas join the signed fields.
const PUNCTUATION: &str = " !\"#$%&'()*+-./:;=?@^_~`";
/// Longest address of a page, in characters.
const MAX_URL: usize = 255;

/// The keys of the payment page: the current keys, and the previous keys during a change of keys.
#[derive(Clone, Debug)]
pub struct PageKeys {
    pub profile_id: String,
    pub access_key: String,
    pub secret_key: Secret,
    pub previous: Option<(String, Secret)>,
}

impl PageKeys {
    /// Returns the secret that an access key names.
    pub(super) fn secret_of(&self, access_key: &str) -> Option<&Secret> {
        if access_key == self.access_key {
            return Some(&self.secret_key);
        }
        let previous = self.previous.as_ref();
        previous
            .filter(|(key, _)| key == access_key)
            .map(|(_, secret)| secret)
    }
}

/// A form for one attempt.
#[derive(Clone, Copy, Debug)]
pub struct PageForm<'a> {
    pub attempt: &'a Payment,
    pub payer: &'a Payer,
    /// Receives the browser after paying, by POST.
    pub receipt_url: &'a str,
    /// Receives the browser of a customer who cancels, by POST.
    pub cancel_url: &'a str,
    /// Receives the server's message.
    pub post_url: &'a str,
}

/// Returns the id of an attempt's form. Smartpay Fuse refuses a second use of the id within 15 minutes.
pub(super) fn transaction_uuid(attempt: &Payment) -> String {
    attempt.id.simple().to_string()
}

/// Returns the kind of payment. With the payer's consent, Fuse also keeps the card. The comma is harmless:
/// the text after it has no `=`.
fn transaction_type(attempt: &Payment) -> &'static str {
    match attempt.consent {
        Some(_) => "sale,create_payment_token",
        None => "sale",
    }
}

impl PageForm<'_> {
    /// Returns the signed fields at `now`, in their order. Returns `None` if an address is too long or has
    /// a comma, or if the secret key is empty.
    #[must_use]
    pub fn fields(&self, keys: &PageKeys, now: DateTime<Utc>) -> Option<IndexMap<String, String>> {
        let urls = [self.receipt_url, self.cancel_url, self.post_url];
        if urls
            .iter()
            .any(|url| url.len() > MAX_URL || url.contains(','))
        {
            return None;
        }
        let mut pairs = vec![
            ("access_key", keys.access_key.clone()),
            ("profile_id", keys.profile_id.clone()),
            ("transaction_uuid", transaction_uuid(self.attempt)),
            ("signed_field_names", String::new()),
            ("unsigned_field_names", String::new()),
            (
                "signed_date_time",
                now.format("%Y-%m-%dT%H:%M:%SZ").to_string(),
            ),
            ("locale", "en-gb".to_owned()),
            (
                "transaction_type",
                transaction_type(self.attempt).to_owned(),
            ),
            ("reference_number", self.attempt.id.to_string()),
            ("amount", decimal(self.attempt.amount)),
            ("currency", self.attempt.currency.code().to_owned()),
            ("payment_method", "card".to_owned()),
            ("override_custom_receipt_page", self.receipt_url.to_owned()),
            ("override_custom_cancel_page", self.cancel_url.to_owned()),
            ("override_backoffice_post_url", self.post_url.to_owned()),
            // Without this field, Fuse reports an approved payment as declined if the house number differs.
            ("ignore_avs", "true".to_owned()),
        ];
        if self.attempt.consent.is_some() {
            // A charge without the cardholder needs an authenticated first payment: 04 demands a challenge.
            pairs.push(("payer_authentication_challenge_code", "04".to_owned()));
        }
        pairs.extend(payer_fields(self.payer));
        let names: Vec<&str> = pairs.iter().map(|(name, _)| *name).collect();
        let names = names.join(",");
        for (name, value) in &mut pairs {
            if *name == "signed_field_names" {
                value.clone_from(&names);
            }
        }
        let signed = pairs.iter().map(|(name, value)| (*name, value.as_str()));
        let signature = signature::sign(signed, &keys.secret_key)?;
        let fields = pairs.into_iter().chain([("signature", signature)]);
        Some(
            fields
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        )
    }
}

/// Returns the fields of the payer's known details. Banks use these fields to authenticate the
/// cardholder. The maximum lengths are those of Cybersource's guide.
fn payer_fields(payer: &Payer) -> Vec<(&'static str, String)> {
    let email = payer.email.as_deref();
    let details = [
        ("bill_to_forename", payer.first_name.as_deref(), 60),
        ("bill_to_surname", payer.last_name.as_deref(), 60),
        // An e-mail address can't be transliterated, so an address with other characters is left out.
        ("bill_to_email", email.filter(|email| is_plain(email)), 255),
        ("bill_to_address_line1", payer.address_line.as_deref(), 60),
        ("bill_to_address_city", payer.town.as_deref(), 50),
        ("bill_to_address_postal_code", payer.postcode.as_deref(), 10),
        ("bill_to_phone", payer.phone.as_deref(), 15),
    ];
    let fields = details.into_iter().filter_map(|(name, text, max)| {
        let text = plain_text(text?, max);
        (!text.is_empty()).then_some((name, text))
    });
    let mut fields: Vec<_> = fields.collect();
    if fields
        .iter()
        .any(|(name, _)| name.starts_with("bill_to_address"))
    {
        // A council's client for Smartpay Fuse sends an empty state for Great Britain.
        fields.push(("bill_to_address_state", String::new()));
        fields.push(("bill_to_address_country", "GB".to_owned()));
    }
    fields
}

fn is_allowed(c: char) -> bool {
    c.is_ascii_alphanumeric() || PUNCTUATION.contains(c)
}

fn is_plain(text: &str) -> bool {
    text.len() <= MAX_URL && text.chars().all(is_allowed)
}

/// Returns a text in the characters that the page accepts, cut to `max` characters.
fn plain_text(text: &str, max: usize) -> String {
    let ascii: String = payer::to_ascii(text, usize::MAX)
        .chars()
        .filter(|c| is_allowed(*c))
        .collect();
    payer::to_ascii(&ascii, max)
}
