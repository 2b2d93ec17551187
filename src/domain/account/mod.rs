//! Accounts: a user, a user's details, mailed links and log-ins.

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
    /// The user's id.
    pub uuid: Uuid,
    /// argon2id in PHC form; none until the user has set a password.
    pub password_hash: Option<String>,
    /// What the user has told us.
    pub profile: Profile,
    /// Whether the user agreed to letters about other products and offers.
    pub marketing: bool,
    /// A new mail address; it takes effect when the user, logged in, confirms it on the page that a
    /// mailed link opens.
    pub email_pending: Option<String>,
    /// First written.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub created: DateTime<Utc>,
}

/// A person's details (part 3 of the specification, "User").
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
pub struct Profile {
    /// Title, by its id in the product's list.
    pub title_id: Option<u32>,
    /// First name.
    pub first_name: Option<String>,
    /// Middle name.
    pub middle_name: Option<String>,
    /// Last name.
    pub last_name: Option<String>,
    /// Mail address, which is also the user name.
    pub email_primary: Option<String>,
    /// Postal address, lines separated by line ends.
    pub address_primary: Option<String>,
    /// Postcode.
    pub postcode_primary: Option<String>,
    /// Telephone, E.164.
    pub tel_primary: Option<String>,
    /// Mobile, E.164.
    pub gsm_primary: Option<String>,
    /// Fax, E.164.
    pub fax_primary: Option<String>,
    /// Country's id.
    pub country_id: Option<u32>,
}

/// The user name of a mail address: without spaces around it, in small letters.
#[must_use]
pub fn username(email: &str) -> String {
    email.trim().to_lowercase()
}

/// What a mailed link is for. Each link works once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LinkUse {
    /// To set the first password.
    FirstPassword,
    /// To set another password.
    ResetPassword,
    /// To prove that the mailbox of a new address is the user's.
    ConfirmAddress {
        /// The address.
        address: String,
    },
}

impl LinkUse {
    /// How long such a link is valid.
    #[must_use]
    pub const fn lasts(&self) -> chrono::Duration {
        match self {
            Self::FirstPassword => chrono::Duration::days(7),
            Self::ResetPassword => chrono::Duration::hours(1),
            Self::ConfirmAddress { .. } => chrono::Duration::hours(24),
        }
    }
}

/// A mailed link, stored under the hash of its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// Whose it is.
    pub user: Uuid,
    /// What it is for.
    pub good_for: LinkUse,
    /// When it was made.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub created: DateTime<Utc>,
    /// The moment from which it is no longer valid.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub expires: DateTime<Utc>,
}

/// A log-in, stored under the hash of its token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// Whose it is.
    pub user: Uuid,
    /// When it began.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub created: DateTime<Utc>,
    /// The moment from which it is no longer valid.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub expires: DateTime<Utc>,
}
