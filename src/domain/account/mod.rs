//! Accounts: users, their details, mailed links and sessions.

pub mod common_passwords;
pub mod password_rule;
pub mod person;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::json_schema::ResponseSchema;

/// A registered user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct User {
    pub uuid: Uuid,
    /// The argon2id hash in PHC form, or `None` until the user has set a password.
    pub password_hash: Option<String>,
    pub profile: Profile,
    /// Whether the user agreed to letters about other products and offers.
    pub marketing: bool,
    /// The new mail address, not confirmed yet. It takes effect when the logged-in user confirms it
    /// on the page of the mailed link.
    pub email_pending: Option<String>,
    /// When the user was first stored.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub created: DateTime<Utc>,
}

/// A person's details (part 3 of the specification, "User").
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
pub struct Profile {
    /// The id of the title, from `titles` of `GET /api/v1/site`.
    pub title_id: Option<u32>,
    /// First name.
    pub first_name: Option<String>,
    /// Middle name.
    pub middle_name: Option<String>,
    /// Last name.
    pub last_name: Option<String>,
    /// Mail address, which is also the user name.
    pub email_primary: Option<String>,
    /// Postal address. Line ends separate the lines.
    pub address_primary: Option<String>,
    /// Postcode.
    pub postcode_primary: Option<String>,
    /// Telephone, E.164.
    pub tel_primary: Option<String>,
    /// Mobile, E.164.
    pub gsm_primary: Option<String>,
    /// Fax, E.164.
    pub fax_primary: Option<String>,
    /// The id of the country, from `countries` of `GET /api/v1/site`.
    pub country_id: Option<u32>,
}

/// Returns the user name of a mail address: trimmed and in lower case.
#[must_use]
pub fn username(email: &str) -> String {
    email.trim().to_lowercase()
}

/// The purpose of a mailed link. Each link works once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LinkUse {
    /// The link sets the first password.
    FirstPassword,
    /// The link sets another password.
    ResetPassword,
    /// The link confirms that the user owns the new mail address.
    ConfirmAddress { address: String },
}

impl LinkUse {
    /// Returns how long such a link is valid.
    #[must_use]
    pub const fn lifetime(&self) -> chrono::Duration {
        match self {
            Self::FirstPassword => chrono::Duration::days(7),
            Self::ResetPassword => chrono::Duration::hours(1),
            Self::ConfirmAddress { .. } => chrono::Duration::hours(24),
        }
    }
}

/// A mailed link. Its row's key is the hash of its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    pub user: Uuid,
    pub good_for: LinkUse,
    /// When the link was made.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub created: DateTime<Utc>,
    /// The moment from which the link is no longer valid.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub expires: DateTime<Utc>,
}

/// A session. Its row's key is the hash of its token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Session {
    pub user: Uuid,
    /// When the session began.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub created: DateTime<Utc>,
    /// The moment from which the session is no longer valid.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub expires: DateTime<Utc>,
}
