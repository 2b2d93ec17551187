//! Log-ins and people's details as they go over the wire.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::app::accounts::{ProfileChange, ProfileView};
use crate::domain::person;
use crate::domain::policyholder;
use crate::schema::{RequestSchema, ResponseSchema, or_default};

/// A user name and password.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct Login {
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) username: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) password: String,
    /// True keeps the log-in after the browser is closed.
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) remember: bool,
    /// True for a client that is no browser: the answer carries the session's token, for
    /// `Authorization: Bearer`, and sets no cookie.
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) token: bool,
}

/// The session's token, where it was asked for.
#[derive(Serialize, ResponseSchema)]
pub struct LoggedIn {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::api) token: Option<String>,
}

/// A person's details.
#[derive(Serialize, ResponseSchema)]
pub struct ProfileRead {
    pub(in crate::api) user_id: Option<Uuid>,
    pub(in crate::api) user_uuid: Option<Uuid>,
    pub(in crate::api) user_username: Option<String>,
    pub(in crate::api) title_id: Option<u32>,
    pub(in crate::api) first_name: Option<String>,
    pub(in crate::api) middle_name: Option<String>,
    pub(in crate::api) last_name: Option<String>,
    pub(in crate::api) email_primary: Option<String>,
    pub(in crate::api) address_primary: Option<String>,
    pub(in crate::api) postcode_primary: Option<String>,
    pub(in crate::api) tel_primary: Option<String>,
    pub(in crate::api) gsm_primary: Option<String>,
    pub(in crate::api) fax_primary: Option<String>,
    pub(in crate::api) country_id: Option<u32>,
    /// Whether we may write about offers; null for a quote's visitor.
    pub(in crate::api) marketing_contact: Option<bool>,
    /// A new mail address that is not confirmed yet.
    pub(in crate::api) email_pending: Option<String>,
}

/// Details to change. What is missing or null is not changed. An empty text deletes the value; names can't be deleted.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct ProfileEdit {
    pub(in crate::api) title_id: Option<u32>,
    pub(in crate::api) first_name: Option<String>,
    pub(in crate::api) middle_name: Option<String>,
    pub(in crate::api) last_name: Option<String>,
    /// Takes effect when the link in its mailbox is followed. Sending the present address withdraws an
    /// address that waits for that.
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
    /// What is to be changed.
    pub fn change(self) -> ProfileChange {
        let texts = [
            (policyholder::FIRST_NAME, self.first_name),
            (policyholder::MIDDLE_NAME, self.middle_name),
            (policyholder::LAST_NAME, self.last_name),
            (policyholder::ADDRESS, self.address_primary),
            (policyholder::POSTCODE, self.postcode_primary),
            (policyholder::TELEPHONE, self.tel_primary),
            (policyholder::MOBILE, self.gsm_primary),
            (policyholder::FAX, self.fax_primary),
        ];
        let texts = texts
            .into_iter()
            .filter_map(|(name, text)| Some((name, text?)));
        ProfileChange {
            person: person::DetailsChange {
                title_id: self.title_id,
                country_id: self.country_id,
                texts: texts.collect(),
            },
            email: self.email_primary,
            marketing: self.marketing_contact,
        }
    }
}

impl From<ProfileView> for ProfileRead {
    fn from(view: ProfileView) -> Self {
        let profile = view.profile;
        let user = view.user.as_ref();
        Self {
            user_id: user.map(|user| user.uuid),
            user_uuid: user.map(|user| user.uuid),
            user_username: profile.email_primary.clone(),
            title_id: profile.title_id,
            first_name: profile.first_name,
            middle_name: profile.middle_name,
            last_name: profile.last_name,
            email_primary: profile.email_primary,
            address_primary: profile.address_primary,
            postcode_primary: profile.postcode_primary,
            tel_primary: profile.tel_primary,
            gsm_primary: profile.gsm_primary,
            fax_primary: profile.fax_primary,
            country_id: profile.country_id,
            marketing_contact: user.map(|user| user.marketing),
            email_pending: user.and_then(|user| user.email_pending.clone()),
        }
    }
}
