//! The profile that a page shows.

use crate::app::{App, AppError, Caller};
use crate::domain::account::{Profile, User};
use crate::domain::policyholder;
use crate::store::{Read, tables};

/// A profile, and the user it belongs to.
#[derive(Clone, Debug)]
pub struct ProfileView {
    /// The details.
    pub profile: Profile,
    /// The user, where somebody is logged in.
    pub user: Option<User>,
}

impl App {
    /// The user who calls.
    ///
    /// # Errors
    /// [`AppError::Unauthenticated`] for everybody else.
    pub(in crate::app) async fn user(&self, caller: &Caller) -> Result<User, AppError> {
        let Caller::User { uuid, .. } = caller else {
            return Err(AppError::Unauthenticated);
        };
        let user = self.store.read(|tx| tables::USERS.get(tx, uuid)).await?;
        user.ok_or(AppError::Unauthenticated)
    }

    /// The caller's profile: a user's own, or what was typed as the quote's policyholder. A
    /// quote says nothing of whether its mail address belongs to a user.
    ///
    /// # Errors
    /// [`AppError::Unauthenticated`] for nobody.
    pub async fn profile(&self, caller: &Caller) -> Result<ProfileView, AppError> {
        match caller {
            Caller::Nobody | Caller::Stranger => Err(AppError::Unauthenticated),
            Caller::Visitor { quote, .. } => {
                let view = self.read_quote(caller, *quote).await?;
                Ok(ProfileView {
                    profile: policyholder::profile(&view.revision().answers),
                    user: None,
                })
            }
            Caller::User { .. } => {
                let user = self.user(caller).await?;
                Ok(ProfileView {
                    profile: user.profile.clone(),
                    user: Some(user),
                })
            }
        }
    }
}

/// The user of an address. One who never set a password doesn't count: anybody can type an
/// address into a quote.
pub(in crate::app) fn registered_user(
    tx: &impl Read,
    name: &String,
) -> Result<Option<User>, AppError> {
    let Some(uuid) = tables::USER_BY_NAME.get(tx, name)? else {
        return Ok(None);
    };
    let user = tables::USERS.get(tx, &uuid)?;
    Ok(user.filter(|user| user.password_hash.is_some()))
}
