//! The page's answer. The browser and Fuse's server send the same signed form.

use std::collections::{HashMap, HashSet};

use super::form::PageKeys;
use super::signature;

/// Most fields of an answer.
const MAX_FIELDS: usize = 500;
/// Fields that each answer must have signed. A form that the shop signed lacks most of these fields, so
/// nobody can use that form as an answer.
const REQUIRED: [&str; 7] = [
    "decision",
    "req_access_key",
    "req_profile_id",
    "req_reference_number",
    "req_transaction_uuid",
    "req_amount",
    "req_currency",
];

/// Why an answer is refused. For the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    #[error("it is no form, or has a field twice")]
    Malformed,
    #[error("it has no signed {0}")]
    NotSigned(&'static str),
    #[error("a value has the form of another field")]
    HiddenField,
    #[error("it is of another profile or access key than those in payments.smartpayfuse")]
    OtherProfile,
    #[error("the signature was not made with the secret of its access key")]
    Wrong,
}

/// An answer of the page. The caller must verify the answer. The type has no `Debug`, because an answer
/// names the customer.
pub struct PageAnswer {
    fields: HashMap<String, String>,
    signed_names: Vec<String>,
}

impl PageAnswer {
    /// Reads an answer. Nothing in it is verified yet.
    ///
    /// # Errors
    /// [`AnswerError::Malformed`] if the body is not a form, has more than [`MAX_FIELDS`] fields, or names
    /// a field twice.
    pub fn read(body: &[u8]) -> Result<Self, AnswerError> {
        let pairs: Vec<(String, String)> =
            serde_urlencoded::from_bytes(body).map_err(|_| AnswerError::Malformed)?;
        let count = pairs.len();
        let fields: HashMap<String, String> = pairs.into_iter().collect();
        // If a field occurred twice, the shop could verify the first value and read the second.
        if count > MAX_FIELDS || fields.len() != count {
            return Err(AnswerError::Malformed);
        }
        let names = fields
            .get("signed_field_names")
            .map(String::as_str)
            .unwrap_or_default();
        let signed_names: Vec<String> = names.split(',').map(str::to_owned).collect();
        let unique: HashSet<&String> = signed_names.iter().collect();
        if unique.len() != signed_names.len() {
            return Err(AnswerError::Malformed);
        }
        Ok(Self {
            fields,
            signed_names,
        })
    }

    /// Returns a field, if it is signed and not empty. The shop trusts no unsigned field.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        let is_signed = self.signed_names.iter().any(|signed| signed == name);
        let value = self.fields.get(name).map(String::as_str);
        value.filter(|value| is_signed && !value.is_empty())
    }

    /// Checks that Fuse signed the answer for our profile.
    ///
    /// # Errors
    /// If a required field is not signed, or a value contains the form of a field. If the profile or access
    /// key is not ours, or the signature is wrong.
    pub fn verify(&self, keys: &PageKeys) -> Result<(), AnswerError> {
        for name in REQUIRED {
            self.get(name).ok_or(AnswerError::NotSigned(name))?;
        }
        // A customer who cancels makes no transaction.
        if self.get("decision") != Some("CANCEL") {
            let name = "transaction_id";
            self.get(name).ok_or(AnswerError::NotSigned(name))?;
        }
        let values = self.signed().map(|(_, value)| value);
        if values.into_iter().any(has_field) {
            return Err(AnswerError::HiddenField);
        }
        let access_key = self.get("req_access_key").unwrap_or_default();
        let secret = keys
            .secret_of(access_key)
            .filter(|_| self.get("req_profile_id") == Some(&keys.profile_id))
            .ok_or(AnswerError::OtherProfile)?;
        let signature = self.fields.get("signature").map_or("", String::as_str);
        if signature::is_signed(self.signed(), signature, secret) {
            Ok(())
        } else {
            Err(AnswerError::Wrong)
        }
    }

    /// Returns the signed fields in their order. A missing field has an empty value.
    fn signed(&self) -> impl Iterator<Item = (&str, &str)> {
        let value = |name: &String| self.fields.get(name).map_or("", String::as_str);
        self.signed_names
            .iter()
            .map(move |name| (name.as_str(), value(name)))
    }
}

/// Returns whether a value contains `,name=`. The signed text has no escapes. So the signature of such
/// a value would also fit other fields.
fn has_field(value: &str) -> bool {
    value.split(',').skip(1).any(|part| {
        let name = part.split_once('=').map_or("", |(name, _)| name);
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        !name.is_empty() && name.chars().all(is_name)
    })
}
