//! Passwords as they are set over the wire.

use uuid::Uuid;

use super::published::{answer, or_default, request};

request! {
    /// A new password; the present one is asked for too.
    pub struct ChangePassword {
        /// The present one.
        #[serde(default, deserialize_with = "or_default")]
        pub(in crate::api) password: String,
        #[serde(default, deserialize_with = "or_default")]
        pub(in crate::api) new_password: String,
        #[serde(default, deserialize_with = "or_default")]
        pub(in crate::api) new_password_repeat: String,
    }
}

answer! {
    /// Whose password a mailed link sets.
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
}

request! {
    /// A new password by a mailed link.
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
}

request! {
    /// Who forgot the password.
    pub struct RetrieveRequest {
        #[serde(default, deserialize_with = "or_default")]
        pub(in crate::api) username: String,
    }
}

request! {
    /// A new password by a mailed link, with the user name typed.
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
}
