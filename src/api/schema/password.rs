//! JSON schemas of password changes.

use crate::json_schema::{RequestSchema, ResponseSchema, or_default};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A new password; the present one is asked for too.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct ChangePassword {
    /// The present one.
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
    /// To be sent with the new password.
    pub(in crate::api) identifier: Uuid,
    pub(in crate::api) last_name: Option<String>,
    pub(in crate::api) user_username: Option<String>,
    /// Whether it is the user's first password.
    pub(in crate::api) new_user: bool,
}

/// A new password by a mailed link.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct ResetPassword {
    /// Always 0.
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) issue: u32,
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) password: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) password_rpt: String,
    pub(in crate::api) identifier: Option<String>,
}

/// Who forgot the password.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct RetrieveRequest {
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) username: String,
}

/// A new password by a mailed link, with the user name typed.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct RetrievePassword {
    /// The mailed link's `aid`.
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) hash: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) password: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) password_rpt: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) username: String,
}
