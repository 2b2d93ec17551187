//! JSON schemas of log-ins and personal details.

use serde::{Deserialize, Serialize};

use crate::app::accounts::ProfileChange;
use crate::domain::account::Profile;
use crate::json_schema::{RequestSchema, ResponseSchema, or_default};

/// A user name and password.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct Login {
    /// The user's mail address.
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) username: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) password: String,
    /// True keeps the log-in after the browser is closed, for the number of days in the shop's settings.
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) remember: bool,
    /// True for a client other than a browser. The answer then has the session's token, for `Authorization:
    /// Bearer`, and sets no cookie.
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) token: bool,
}

/// The answer to a log-in.
#[derive(Serialize, ResponseSchema)]
pub struct LoginResponse {
    /// The session's token. Left out if the request does not ask for the token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::api) token: Option<String>,
}

/// Details to change. A missing or null detail stays unchanged. An empty text deletes an optional text. The
/// first name, the last name and the mail address can't be deleted.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct ProfileEdit {
    pub(in crate::api) title_id: Option<u32>,
    pub(in crate::api) first_name: Option<String>,
    pub(in crate::api) middle_name: Option<String>,
    pub(in crate::api) last_name: Option<String>,
    /// A new mail address, to which the shop mails a link. The address takes effect when the logged-in user
    /// confirms the link. The current address withdraws the request for another address.
    pub(in crate::api) email_primary: Option<String>,
    pub(in crate::api) address_primary: Option<String>,
    pub(in crate::api) postcode_primary: Option<String>,
    pub(in crate::api) tel_primary: Option<String>,
    pub(in crate::api) gsm_primary: Option<String>,
    pub(in crate::api) fax_primary: Option<String>,
    pub(in crate::api) country_id: Option<u32>,
    pub(in crate::api) marketing_contact: Option<bool>,
}

/// The secret of a mailed link.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct LinkSecret {
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) secret: String,
}

impl ProfileEdit {
    pub fn change(self) -> ProfileChange {
        ProfileChange {
            details: Profile {
                title_id: self.title_id,
                first_name: self.first_name,
                middle_name: self.middle_name,
                last_name: self.last_name,
                email_primary: self.email_primary,
                address_primary: self.address_primary,
                postcode_primary: self.postcode_primary,
                tel_primary: self.tel_primary,
                gsm_primary: self.gsm_primary,
                fax_primary: self.fax_primary,
                country_id: self.country_id,
            },
            marketing: self.marketing_contact,
        }
    }
}
