//! Accounts: who a user is, and how a log-in is kept.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A registered user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct User {
    /// The user's id.
    pub uuid: Uuid,
    /// argon2id in PHC form; none until the user has set a password.
    pub password_hash: Option<String>,
    /// What the user has told us.
    pub profile: Profile,
    /// First written.
    pub created: DateTime<Utc>,
}

/// A person's details (part 3 of the specification, "User").
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

impl Profile {
    /// First name, optional middle name, then last name.
    #[must_use]
    pub fn full_name(&self) -> String {
        [&self.first_name, &self.middle_name, &self.last_name]
            .into_iter()
            .flatten()
            .map(|name| name.trim())
            .filter(|name| !name.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    }
}

/// The key a mail address is found by: its case doesn't matter.
#[must_use]
pub fn username(email: &str) -> String {
    email.trim().to_lowercase()
}

/// A log-in, stored under the hash of its token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// Whose it is.
    pub user: Uuid,
    /// When it began.
    pub created: DateTime<Utc>,
    /// From when it no longer counts.
    pub expires: DateTime<Utc>,
}
