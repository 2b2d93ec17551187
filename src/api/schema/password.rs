//! JSON schemas of password changes.

use crate::json_schema::{RequestSchema, ResponseSchema, or_default};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The current password and a new password.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct ChangePassword {
    /// The current password.
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) password: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) new_password: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) new_password_repeat: String,
}

/// The user whose password a mailed link sets.
#[derive(Serialize, ResponseSchema)]
pub struct ResetProfile {
    pub(in crate::api) email_primary: Option<String>,
    pub(in crate::api) first_name: Option<String>,
    /// The user's id, which may be sent with the new password.
    pub(in crate::api) identifier: Uuid,
    pub(in crate::api) last_name: Option<String>,
    pub(in crate::api) user_username: Option<String>,
    /// Whether the link is for the user's first password.
    pub(in crate::api) new_user: bool,
}

/// A new password, which is set with a mailed link.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct ResetPassword {
    /// Ignored. Clients send 0.
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) issue: u32,
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) password: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) password_rpt: String,
    /// The user's id. Without an id, the link alone identifies the user. Another user's id gets a 404.
    pub(in crate::api) identifier: Option<String>,
}

/// The user who forgot the password.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct RetrieveRequest {
    /// The user's mail address.
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) username: String,
}

/// A new password, which is set with a mailed link and the user name.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct RetrievePassword {
    /// The `aid` of the mailed link. For a code from a letter about a purchase: the policy's id, a full stop
    /// and the code.
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) hash: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) password: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) password_rpt: String,
    /// The user's mail address.
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) username: String,
}
